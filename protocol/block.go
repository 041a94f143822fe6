package protocol

import (
	"time"

	"kumiko/protocol/wire"
)

// A block is a command that spans several lines.
type block struct {
	*wire.Block
	verb wire.Verb // Unknown: only its end matters
	span wire.Span
}

// open begins the block of a command.
func (c *controller) open(cmd wire.Command, span wire.Span, at time.Time) {
	width, height := 0, 0
	if c.game != nil && cmd.Verb != wire.Unknown {
		width, height = c.game.board.Width(), c.game.board.Height()
	}
	c.block = &block{wire.NewBlock(cmd.Word, c.settings.order, width, height), cmd.Verb, span}
	if cmd.Args != "" && (c.block.Open(cmd.Args) || span == wire.OneLine) {
		c.closeBlock(at)
	}
}

// continueBlock processes a line in a block and reports whether it belongs there.
// A command that cannot be in a block means that the manager has abandoned it.
func (c *controller) continueBlock(cmd wire.Command, l line) bool {
	switch cmd.Verb {
	case wire.Blank, wire.Stop:
		return true
	case wire.Unknown, wire.Done:
		if c.block.Add(l.text) || c.block.span == wire.OneLine {
			c.closeBlock(l.at)
		}
		return true
	case wire.Info:
		return false
	}
	c.block = nil
	return false
}

// closeBlock executes a block at its end. One with an invalid line changes nothing.
func (c *controller) closeBlock(at time.Time) {
	b := c.block
	c.block = nil
	switch {
	case b.verb == wire.Unknown:
		return
	case b.verb == wire.YXBoard && c.game == nil:
		return // it is never answered
	case c.game == nil:
		c.print(wire.Error("no board yet, send START first"))
		return
	}
	entries, err := b.Entries()
	if err != nil {
		c.print(wire.Error(err.Error()))
		return
	}
	c.applyRule()
	switch b.verb {
	case wire.Board:
		c.debt = oweMove
		c.game.layOut(entries)
		c.searchMove(at, 1)
	case wire.YXBoard:
		c.game.layOut(entries)
	case wire.Swap2Board:
		c.searchOpening(entries, at)
	}
}
