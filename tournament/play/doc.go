// Package play plays a tournament. The path of one game:
//
//	schedule → coordinator → [Job] → worker → game → process
//	report ← journal ← coordinator ← [Event] ← worker
//
// The coordinator knows the schedule, the log and the standings; the workers know
// the engines' processes. Only plain data passes between them, so a worker could
// live on another machine. There are two kinds of callback: a game calls the
// OnReady and OnMove that its worker has set, and a worker calls emit, which
// queues an event for the coordinator and returns.
//
// Observers such as the console receive a [Status] and the events but change
// nothing.
package play
