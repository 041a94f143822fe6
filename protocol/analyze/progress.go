package analyze

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// A progress shows on a terminal how an analysis goes.
type progress struct {
	w      io.Writer // nil if there is no terminal
	record *record
	drawn  bool
	last   time.Time
}

// newProgress returns a progress that shows nothing unless w is a terminal.
func newProgress(w io.Writer, r *record) *progress {
	p := &progress{record: r}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		p.w = w
	}
	return p
}

// show shows what is known of a position, a few times a second at most.
func (p *progress) show(at *position) {
	if p.w == nil || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.drawn = time.Now(), true
	fmt.Fprintf(p.w, "\r\x1b[K%.79s", progressText(p.record, at))
}

// progressText returns the line to show.
func progressText(r *record, at *position) string {
	l := at.lines[0]
	text := fmt.Sprintf("depth %d-%d %s %s: %s", at.depth, at.selDepth, scoreText(l.score), percent(l.score.WinRate()), r.list(l.moves))
	if r.game {
		n := len(r.moves) + 1
		text = fmt.Sprintf("position %d of %d, %s", n-at.ply, n, text)
	}
	return text
}

// wipe erases the line.
func (p *progress) wipe() {
	if p.drawn {
		io.WriteString(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
