package tournament

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/weights"
)

// TestGenerate makes a book in steps and at once, and lets it go on after an
// interrupt.
func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	args := func(more ...string) []string {
		return append([]string{"openings", "generate", "--rule=renju", "--nodes=100", "--balance=200", "--stones=2-4"}, more...)
	}
	file := filepath.Join(dir, "book.pos")
	whole := mustRun(t, args("--count=12", "--concurrency=1")...)
	if !strings.HasPrefix(whole, "# tournament openings generate --rule renju --size 15 --stones 2-4 --nodes 100 --balance 200 --seed 1\n# bench ") ||
		strings.Count(whole, "\n") != 14 {
		t.Fatalf("the book is\n%s", whole)
	}
	for _, count := range []string{"--count=5", "--count=12"} {
		mustRun(t, args(count, "--out="+file)...)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != whole {
		t.Errorf("in two steps the book is\n%s\nnot\n%s", text, whole)
	}
	if out := mustRun(t, args("--count=7", "--out="+file)...); out != file+" has 12 openings already\n" {
		t.Errorf("fewer openings: %s", out)
	}
	if out := mustRun(t, "openings", "--rule=renju", file); out != strings.SplitAfterN(whole, "\n", 3)[2] {
		t.Errorf("openings reads\n%s", out)
	}

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	book := filepath.Join(dir, "long.txt")
	g := generator{count: 100_000, concurrency: 2, out: book}
	g.recipe.Nodes, g.recipe.Balance = 100, 200
	if err := g.set("caro6", "20x16", "5"); err != nil {
		t.Fatal(err)
	}
	g.recipe.Bench = 1
	if err := g.grow(ctx, new(bytes.Buffer)); err != context.DeadlineExceeded {
		t.Errorf("error %v", err)
	}
	k, err := g.open()
	if err != nil {
		t.Fatal(err)
	}
	again := g
	again.out, again.count = filepath.Join(dir, "again.txt"), len(k.Openings)+3
	g.count = again.count
	for _, g := range []*generator{&g, &again} {
		if err := g.grow(context.Background(), new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
	}
	a, errA := os.ReadFile(book)
	b, errB := os.ReadFile(again.out)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("after an interrupt\n%s\nwithout\n%s", a, b)
	}
}

// TestGenerateRefused passes files that are not books of the recipe, and values
// that do not make a book. Nothing must be written.
func TestGenerateRefused(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "mine.pos")
	if err := os.WriteFile(foreign, []byte("h8i9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"--out " + foreign, "mine.pos: not a book of this recipe and engine"},
		{"--out " + filepath.Join(dir, "none", "x.pos"), "cannot write"},
		{"--out " + dir, "is a directory"},
		{"--out " + filepath.Join(dir, "x.psq"), "a book is written as offset or pos, not as psq"},
		{"--rule chess", `unknown rule "chess"`},
		{"--size 99", "board size 99x99"},
		{"--size x", `invalid board size "x"`},
		{"--count 0", "count must be at least 1, got 0"},
		{"--stones 0", "stones must be within 1 and 224, got 0 to 0"},
		{"--stones 8-3", "stones must be within 1 and 224, got 8 to 3"},
		{"--stones many", `invalid stones "many"`},
		{"--nodes 0", "nodes must be within 1"},
		{"--balance -1", "balance must be at least 0, got -1"},
		{"--concurrency 0", "concurrency must be at least 1, got 0"},
		{"more", `unexpected argument "more"`},
	} {
		err := execute(context.Background(), append([]string{"openings", "generate"}, strings.Fields(tt.args)...), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.args, err, tt.want)
		}
	}
	if text, err := os.ReadFile(foreign); err != nil || string(text) != "h8i9\n" {
		t.Errorf("the foreign file is %q, %v", text, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d files, %v", len(list), err)
	}
}

// TestBuiltinBalance searches some openings of the built-in books. The engine
// may have learned since they were made: the bound is three times theirs.
func TestBuiltinBalance(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		g := generator{}
		tables, err := pattern.Read(bytes.NewReader(weights.Patterns(rule.String())), rule)
		if err != nil {
			t.Fatal(err)
		}
		g.engine.Patterns[rule] = tables
		evaluate := g.newEvaluator()
		for _, size := range opening.BuiltinSizes {
			o := opening.Options{Format: opening.Pos, Width: size, Height: size, Rule: rule}
			text, err := opening.ReadFile(opening.BuiltinFile, o)
			if err != nil {
				t.Fatal(err)
			}
			list, _, err := opening.Read("", text, o)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(list); i += len(list)/8 + 1 {
				b, err := board.New(size, size, rule)
				if err != nil {
					t.Fatal(err)
				}
				if err := b.PlaceAll(list[i].Moves); err != nil {
					t.Errorf("%v, line %d: %v", rule, list[i].Line, err)
				}
				if score, ok := evaluate(t.Context(), b, 5000); !ok || max(score, -score) > 150 {
					t.Errorf("%v, line %d: score %d, %v", rule, list[i].Line, score, ok)
				}
			}
		}
	}
}

// TestBuiltinBook runs tournaments without a book, and with the word for none.
func TestBuiltinBook(t *testing.T) {
	for i, tt := range []struct {
		args     string
		openings int // 0 is an empty board
		want     string
	}{
		{"", 600, "Openings: 600 of the built-in book for freestyle on 15x15, in random order"},
		{"--rule=renju --size=20 --openings=start=600", 600, "the built-in book for renju on 20x20, in random order"},
		{"--openings=order=sequential", 600, "freestyle on 15x15, in their order"},
		{"--openings=file=builtin", 600, "freestyle on 15x15, in their order"},
		{"--openings=file=none", 0, "Openings: none, every game begins on an empty board"},
		{"--size=12", 0, "Warning: every game begins on an empty board: there is no built-in book for boards of 12x12"},
		{"--swap2", 0, "Openings: by swap2"},
	} {
		dir := filepath.Join(t.TempDir(), "t")
		args := twoEngines("run", "--out", dir, "--rounds=1", "--max-plies=10")
		out := mustRun(t, append(args, strings.Fields(tt.args)...)...)
		if !strings.Contains(out, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.args, tt.want, out)
		}
		log, err := journal.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if log.Run.Openings != tt.openings {
			t.Errorf("%s: %d openings in the log", tt.args, log.Run.Openings)
		}
		if i == 0 {
			mustRun(t, "resume", dir, "--rounds=2")
		}
		for e := range log.All {
			if tt.args != "--swap2" && (e.Open > 0) != (tt.openings > 0) {
				t.Errorf("%s: game %d has an opening of %d", tt.args, e.Number, e.Open)
			}
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"--size=12 --openings=order=random", "openings: there is no built-in book for boards of 12x12; make one with: tournament openings generate --rule freestyle --size 12 --out FILE"},
		{"--openings=start=601", "openings start at 601 of 600"},
		{"--openings=type=psq", "openings: the built-in book is of type pos, not psq"},
	} {
		err := execute(context.Background(), append(twoEngines("run", "--out", filepath.Join(t.TempDir(), "t")), strings.Fields(tt.args)...), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.args, err, tt.want)
		}
	}
}
