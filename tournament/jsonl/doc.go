// Package jsonl keeps append-only logs: files of JSON lines that one process
// writes and any number of processes read meanwhile.
//
// A log can be continued whatever a killed process leaves behind: whole lines
// and perhaps the beginning of one more, which is cut off when the next is
// written. Nothing else ever is: an end that no interrupted write can leave is an
// error, and so is a file of another kind.
package jsonl
