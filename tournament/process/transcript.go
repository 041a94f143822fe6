package process

import (
	"fmt"
	"sync"
	"time"

	"kumiko/tournament/telemetry"
)

const (
	// maxTranscript bounds the text that a transcript keeps, in bytes.
	maxTranscript = 64 << 10

	// entrySize is roughly the overhead of an entry besides its text.
	entrySize = 32
)

// A transcript keeps the end of a dialogue. Only cheap work happens while the
// clocks run; the text is formatted on demand.
type transcript struct {
	begin time.Time

	mu      sync.Mutex
	entries []entry
	size    int // total of the entries
}

// An entry is a line that was sent ('<') or printed ('>'), or a note ('!').
type entry struct {
	at   time.Time
	kind byte
	text string
}

func (t *transcript) add(kind byte, text string) { t.addAt(time.Now(), kind, text) }

func (t *transcript) addAt(at time.Time, kind byte, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = append(t.entries, entry{at, kind, text})
	t.size += len(text) + entrySize
	for t.size > maxTranscript && len(t.entries) > 1 {
		t.size -= len(t.entries[0].text) + entrySize
		t.entries[0] = entry{} // release the text; the array is kept for a while
		t.entries = t.entries[1:]
	}
}

func (t *transcript) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b []byte
	for _, e := range t.entries {
		b = fmt.Appendf(b, "+%.6f %c ", e.at.Sub(t.begin).Seconds(), e.kind)
		b = append(b, telemetry.Printable(e.text)...)
		b = append(b, '\n')
	}
	return b
}
