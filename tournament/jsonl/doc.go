// Package jsonl keeps append-only logs: files of JSON lines that one process
// writes and any number of processes read meanwhile.
//
// Whatever a killed process leaves behind is a log to go on with: whole lines,
// and at its end perhaps the beginning of one more, which is cut off. Nothing
// else ever is: an end that no interrupted write can leave is an error, and so
// is a file of another kind.
package jsonl
