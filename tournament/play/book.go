package play

import (
	"errors"
	"fmt"
	"path/filepath"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/opening"
)

// chooseBook selects the book of a new tournament: the built-in one if none is
// named. If there is no built-in one, it returns a warning.
func chooseBook(c *config.Config) (warning string, err error) {
	o := &c.Openings
	o.Honored = o.Start > 1
	named := o.File == opening.BuiltinFile
	switch {
	case c.Swap2 || o.File == config.NoBook:
		o.File = ""
		return "", nil
	case o.File != "" && !named:
		return "", nil
	}
	if _, ok := opening.Builtin(c.Rule.Rule, c.Width, c.Height); !ok {
		missing := fmt.Sprintf("there is no built-in book for boards of %s; make one with: tournament openings generate --rule %v --size %s --out FILE",
			c.Size(), c.Rule.Rule, board.FormatSize(c.Width, c.Height))
		if named || o.Ordered || o.Plies > 0 || o.Start > 1 || o.Transform != config.TransformNone || o.Type != "" {
			return "", errors.New("openings: " + missing)
		}
		return "every game begins on an empty board: " + missing, nil
	}
	if o.Type != "" && o.Type != opening.Pos.String() {
		return "", fmt.Errorf("openings: the built-in book is of type %v, not %s", opening.Pos, o.Type)
	}
	o.File, o.Type = opening.BuiltinFile, opening.Pos.String()
	if !named && !o.Ordered {
		o.Random = true
	}
	return "", nil
}

// describeBook says where n openings come from, and in which order.
func describeBook(c *config.Config, n int) string {
	o, order := c.Openings, "in their order"
	if o.Random {
		order = "in random order"
	}
	switch {
	case c.Swap2:
		return "by swap2"
	case o.File == "":
		return "none, every game begins on an empty board"
	case o.File == opening.BuiltinFile:
		return fmt.Sprintf("%d of the built-in book for %v on %s, %s", n, c.Rule.Rule, c.Size(), order)
	}
	return fmt.Sprintf("%d of %q, %s", n, filepath.Base(o.File), order)
}

// maxFaults bounds how many skipped openings a warning names.
const maxFaults = 10

// readBook reads the openings and returns the text of their file. It skips
// unplayable openings with a warning; if none is left, that is an error.
func (t *Tournament) readBook() ([]byte, error) {
	o := t.cfg.Openings
	if o.File == "" {
		return nil, nil
	}
	options, err := t.cfg.Book()
	if err != nil {
		return nil, err
	}
	text, err := opening.ReadFile(o.File, options)
	if err != nil {
		return nil, err
	}
	book, faults, err := opening.Read(filepath.Base(o.File), text, options)
	if err != nil {
		return nil, err
	}
	left := errors.Join(faults[:min(len(faults), maxFaults)]...)
	if n := len(faults) - maxFaults; n > 0 {
		left = errors.Join(left, fmt.Errorf("and %d more", n))
	}
	switch {
	case len(book) == 0:
		return nil, left
	case left != nil:
		t.warn("openings skipped:\n%v", left)
	}
	t.book = book
	if o.Start > len(t.book) {
		return nil, fmt.Errorf("openings start at %d of %d", o.Start, len(t.book))
	}
	return text, nil
}
