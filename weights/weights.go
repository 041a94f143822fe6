// Package weights embeds Kumiko's fitted tables and networks. A text file beside each
// records how it was made.
package weights

import "embed"

//go:embed *.tables *.net
var files embed.FS

// Patterns returns the pattern tables of the named rule in the form read by
// pattern.Read, or nil if there are none.
func Patterns(rule string) []byte { return file(rule + ".tables") }

// Net returns the network of the named rule in the form read by nn.Read, or nil if
// there is none.
func Net(rule string) []byte { return file(rule + ".net") }

func file(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil // only a missing file can fail
	}
	return data
}
