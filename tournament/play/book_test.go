package play

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/tournament/config"
	"kumiko/tournament/opening"
)

// TestBookFaults begins tournaments with books that cannot be played, or only
// in part. Nothing of a book reaches a terminal as it is.
func TestBookFaults(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte("h8i9\nj10k11\n"))
	w.Close()
	many := "h8i9\n" + strings.Repeat("h8h8\n", 15)
	for _, tt := range []struct{ file, text, warning, err string }{
		{"part.pos", "h8i9\n\x1b[2Jh8\n", "Warning: openings skipped:\n  part.pos:2: move 1: invalid point \"\\x1b[2\", want one such as h8\n", ""},
		{"many.pos", many, "  many.pos:11: h8 is occupied\n  and 5 more\n", ""},
		{"once.pos", "h8i9\n", "Warning: 2 rounds use the book of 1 openings more than once", ""},
		{"empty.pos", "", "", "empty.pos has no openings"},
		{"comments.pos", "# h8i9\n\n", "", "comments.pos has no openings"},
		{"none.pos", "h8h8\n", "", "none.pos:1: h8 is occupied"},
		{"header.psq", "Piskvorky 15x15, 11:11, 0\n", "", "header.psq:1: no moves"},
		{"blanks.psq", "Piskvorky 15x15, 11:11, 0\n8 8 0\n", "", `blanks.psq:2: invalid move "8 8 0"`},
		{"end.psq", "Piskvorky 15x15, 11:11, 0\n-1\n", "", `end.psq:2: no moves: "-1" is none`},
		{"scanf.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0.0\n9,9,0.0\n10,10,1.25\n-1\n", "Openings: 1 of \"scanf.psq\"", ""},
		{"game.sgf", "(1) of 2\n(;SZ[15];B[hh];W[ii])(;SZ[15];B[hh];W[jj])", "Openings: 2 of \"game.sgf\"", ""},
		{"pass.sgf", "(;SZ[15];B[hh]\n;W[])", "", "pass.sgf:2: move 2: pass in a game without passes"},
		{"book.pos.gz", packed.String(), "", "book.pos.gz:1: "},
		{"wide.txt", "\xff\xfe0\x00,\x000\x00\n\x00", "", "wide.txt:1: "},
	} {
		cfg := settings(t, []string{"salt=1"}, []string{"salt=2"})
		file := filepath.Join(t.TempDir(), tt.file)
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		cfg.Openings.File, cfg.Openings.Type = file, opening.GuessFormat(file).String()
		cfg.Rounds = 2
		tour, err := Begin(t.Context(), cfg, filepath.Join(t.TempDir(), "t"))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %s", tt.file, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		var out bytes.Buffer
		if err := tour.Play(t.Context(), View{Out: &out}); err != nil {
			t.Errorf("%s: %v", tt.file, err)
		}
		if !strings.Contains(out.String(), tt.warning) || strings.ContainsRune(out.String(), '\x1b') {
			t.Errorf("%s: no %q in\n%q", tt.file, tt.warning, fmt.Sprint(&out))
		}
	}
}

// TestRandomStart starts in the middle of a shuffled book, but goes on with a log
// of version 1.0 as that did.
func TestRandomStart(t *testing.T) {
	cfg := settings(t, []string{"salt=1"}, []string{"salt=2"})
	cfg.Openings.Random, cfg.Openings.Start = true, 3
	whole := cfg
	whole.Openings.Start = 1
	var tours [2]*Tournament
	for i, c := range []config.Config{cfg, whole} {
		_, err := chooseBook(&c)
		if err == nil {
			tours[i], err = prepare(c, t.TempDir())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tour, all := tours[0], tours[1]
	for round := range 2 {
		a, b := tour.sched.Game(1+2*round), all.sched.Game(1+2*(round+2))
		if a.Opening != b.Opening {
			t.Errorf("round %d has opening %d, want %d", round, a.Opening, b.Opening)
		}
	}
	old := tour.cfg
	old.Openings.Honored = false
	if s := old.Schedule(4); s.Start != 0 {
		t.Errorf("a log of version 1.0 starts with %d", s.Start)
	}
}
