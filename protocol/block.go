package protocol

import (
	"time"

	"kumiko/protocol/wire"
)

// maxEntries bounds those of a block, which may never be done.
const maxEntries = 1 << 14

// A block is a command that goes on over several lines.
type block struct {
	verb    wire.Verb // Unknown: nothing but its end matters
	span    wire.Span
	entries []wire.Entry
}

// open begins a block; args is what followed the command on its line.
func (c *controller) open(b *block, args string, at time.Time) {
	c.block = b
	if args != "" {
		c.addToBlock(args, at)
	}
}

// continueBlock receives a line within a block and reports whether it belongs
// there. A command that cannot be in a block means that the manager has given
// it up.
func (c *controller) continueBlock(cmd wire.Command, l line) bool {
	switch cmd.Verb {
	case wire.Blank, wire.Stop:
		return true
	case wire.Unknown, wire.Done:
		c.addToBlock(l.text, l.at)
		return true
	case wire.Info:
		return false
	}
	c.block = nil
	return false
}

// addToBlock takes the entries of a line, and obeys the block at its end.
func (c *controller) addToBlock(text string, at time.Time) {
	b := c.block
	entries, done := wire.ParseEntries(text)
	if b.verb != wire.Unknown && len(b.entries) < maxEntries {
		b.entries = append(b.entries, entries...)
	}
	if !done && b.span == wire.UntilDone {
		return
	}
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
	c.applyRule()
	switch b.verb {
	case wire.Board:
		c.debt = oweMove
		c.layOut(b.entries)
		c.think(at, 1)
	case wire.YXBoard:
		c.layOut(b.entries)
	case wire.Swap2Board:
		c.swap2(b.entries, at)
	}
}

// layOut sets the position of a block up.
func (c *controller) layOut(entries []wire.Entry) {
	for i, e := range entries {
		entries[i].X, entries[i].Y = c.order().Swap(e.X, e.Y)
	}
	c.game.layOut(entries)
}
