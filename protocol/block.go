package protocol

import "time"

// maxEntries bounds those of a block, which may never be done.
const maxEntries = 1 << 14

// A block is a command that goes on over several lines.
type block struct {
	verb    Verb // Unknown: nothing but its end matters
	span    span
	entries []Entry
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
func (c *controller) continueBlock(cmd Command, l line) bool {
	switch cmd.Verb {
	case Blank, Stop:
		return true
	case Unknown, Done:
		c.addToBlock(l.text, l.at)
		return true
	case Info:
		return false
	}
	c.block = nil
	return false
}

// addToBlock takes the entries of a line, and obeys the block at its end.
func (c *controller) addToBlock(text string, at time.Time) {
	b := c.block
	entries, done := ParseEntries(text)
	if b.verb != Unknown && len(b.entries) < maxEntries {
		b.entries = append(b.entries, entries...)
	}
	if !done && b.span == untilDone {
		return
	}
	c.block = nil
	switch {
	case b.verb == Unknown:
		return
	case b.verb == YXBoard && c.game == nil:
		return // it is never answered
	case c.game == nil:
		c.print(errorReply("no board yet, send START first"))
		return
	}
	c.applyRule()
	switch b.verb {
	case Board:
		c.debt = oweMove
		c.layOut(b.entries)
		c.think(at, 1)
	case YXBoard:
		c.layOut(b.entries)
	case Swap2Board:
		c.swap2(b.entries, at)
	}
}

// layOut sets the position of a block up.
func (c *controller) layOut(entries []Entry) {
	for i, e := range entries {
		if c.RowColumn {
			entries[i].X, entries[i].Y = e.Y, e.X
		}
	}
	c.game.layOut(entries)
}
