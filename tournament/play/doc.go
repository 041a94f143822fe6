// Package play plays a tournament. One game goes this way:
//
//	schedule → coordinator → [Job] → worker → game → process
//	report ← journal ← coordinator ← [Event] ← worker
//
// The coordinator knows the schedule, the log and how things stand; the workers
// know the engines' processes. What passes between them is plain data, so that
// a worker could as well be on another machine. No step calls back into the one
// before it.
//
// Those who watch, such as the console, are observers: they are shown a [Status]
// and what has happened, and change nothing.
package play
