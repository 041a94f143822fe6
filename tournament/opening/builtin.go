package opening

import (
	"embed"
	"fmt"

	"kumiko/engine/board"
	"kumiko/tournament/outfile"
)

// builtin holds a book for each rule on boards of 15x15 and 20x20. The first
// lines of a book give the command that made it.
//
//go:embed builtin
var builtin embed.FS

// BuiltinSizes are the sizes of the square boards that have built-in books.
var BuiltinSizes = []int{15, 20}

// BuiltinFile stands for the built-in book in place of a file name.
const BuiltinFile = "builtin"

// ReadFile returns the text of the book in a file. For [BuiltinFile] it is the
// built-in book for the rule and the board of o.
func ReadFile(file string, o Options) ([]byte, error) {
	if file != BuiltinFile {
		return outfile.Read(file)
	}
	text, ok := Builtin(o.Rule, o.Width, o.Height)
	if !ok {
		return nil, fmt.Errorf("there is no built-in book for boards of %dx%d, only for squares of %v", o.Width, o.Height, BuiltinSizes)
	}
	return text, nil
}

// Builtin returns the text of the built-in book for a rule and a board, in the
// format [Pos], if there is one.
func Builtin(rule board.Rule, width, height int) (text []byte, ok bool) {
	if width != height {
		return nil, false
	}
	text, err := builtin.ReadFile(fmt.Sprintf("builtin/%v%d.pos", rule, width))
	return text, err == nil
}
