// Package cli is the front of the program's commands: it runs a tree of cobra
// commands with the same help, errors, suggestions and exit codes for all, and
// holds the commands bench, perft, prove, verify and version. The commands of
// tournaments and of learning are in their own packages, one file each; main puts the tree
// together.
package cli
