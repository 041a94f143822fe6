// Package weights embeds Kumiko's fitted tables. A text file beside each records
// how it was made.
package weights

import "embed"

//go:embed *.tables
var files embed.FS

// Patterns returns the pattern tables of the named rule in the form read by
// pattern.Read, or nil if there are none.
func Patterns(rule string) []byte {
	data, err := files.ReadFile(rule + ".tables")
	if err != nil {
		return nil // only a missing file can fail
	}
	return data
}
