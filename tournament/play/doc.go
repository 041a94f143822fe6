// Package play plays a tournament. The path of one game:
//
//	schedule → coordinator → [Job] → worker → game → process
//	report ← journal ← coordinator ← [Event] ← worker
//
// The coordinator knows the schedule, the log and the standings; the workers know
// the engines' processes. Only plain data passes between them, so a worker could
// live on another machine. No step calls back into the one before it.
//
// The console and the like are observers: they see a [Status] and the events, and
// change nothing.
package play
