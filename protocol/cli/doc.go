// Package cli runs a tree of cobra commands with uniform help, errors,
// suggestions and exit codes, and provides the commands bench, perft, prove,
// verify, version and completion. The commands for tournaments and training are in
// their own packages; main assembles the tree.
package cli
