// Package weights holds what Kumiko has learned, embedded in the binary, with a
// record beside each file of how it was made.
package weights

import "embed"

//go:embed *.tables
var files embed.FS

// Patterns returns the pattern tables of the named rule, in the form that
// pattern.Read reads, or nil if there are none.
func Patterns(rule string) []byte {
	data, err := files.ReadFile(rule + ".tables")
	if err != nil {
		return nil // only a missing file can fail
	}
	return data
}
