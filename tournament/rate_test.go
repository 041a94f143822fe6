package tournament

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

// writeFolder writes the log of a tournament of two engines into a new folder.
// A letter for each game says who won: b, w, or d for a draw.
func writeFolder(t *testing.T, id, letters string, engines ...config.Engine) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), id)
	cfg := config.Default()
	cfg.Engines, cfg.Rounds = engines, (len(letters)+1)/2
	hashes := journal.Hashes{Program: "p"}
	for i := range engines {
		hashes.Engines = append(hashes.Engines, fmt.Sprintf("%02d%s", i, strings.Repeat(id[:1], 62)))
	}
	w, err := journal.Create(dir, &journal.Run{Version: journal.Version, ID: id, At: time.Unix(1e9, 0), Config: cfg, Hash: hashes})
	if err != nil {
		t.Fatal(err)
	}
	for n, letter := range letters {
		e := &journal.End{Game: journal.Game{Number: n + 1, Pair: n / 2, Leg: n % 2, Round: n / 2, Black: n % 2, White: 1 - n%2}}
		e.Result = map[rune]journal.Result{'b': journal.BlackWins, 'w': journal.WhiteWins, 'd': journal.Draw}[letter]
		e.Reason, e.Text, e.Moves = journal.ScoreLoss, "Black win by adjudication", fmt.Sprintf("h8i9a%d", n+1)
		if letter == 'd' {
			e.Reason = journal.ScoreDraw
		}
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// engine returns an engine with a limit of nodes.
func engineConfig(name string, nodes int64) config.Engine {
	return config.Engine{Name: name, Args: []string{"./" + name}, Nodes: nodes}
}

// mustFail runs a command and returns its error.
func mustFail(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	err := execute(context.Background(), args, &out)
	if err == nil {
		t.Fatalf("%q: no error but\n%s", args, out.Bytes())
	}
	return err.Error()
}

// TestRateApart rates logs in which an engine has other limits: joined with a
// warning, or apart.
func TestRateApart(t *testing.T) {
	one := writeFolder(t, "a1", "bwbbwd", engineConfig("A", 100), engineConfig("B", 100))
	two := writeFolder(t, "a2", "bwbbww", engineConfig("A", 5000), engineConfig("B", 100))
	joined := mustRun(t, "rate", one, two)
	for _, want := range []string{`A +\S+ +\S+ +12 `, `B +\S+ +\S+ +12 `, `Warning: A is not the same engine in \S+a1 \(program 00aaaaaaaaaa, 100 nodes\) and \S+a2 \(program 00aaaaaaaaaa, 5000 nodes\); --apart keeps them apart\n`} {
		if !regexp.MustCompile(want).MatchString(joined) {
			t.Errorf("no %q in\n%s", want, joined)
		}
	}
	if strings.Contains(joined, "B is not the same") {
		t.Errorf("a warning about the same engine:\n%s", joined)
	}
	apart := mustRun(t, "rate", one, two, "--apart")
	for _, want := range []string{`A \[00aaaaaaaaaa, 100 nodes\] +\S+ +\S+ +6 `, `A \[00aaaaaaaaaa, 5000 nodes\] +\S+ +\S+ +6 `, `B +\S+ +\S+ +12 `} {
		if !regexp.MustCompile(want).MatchString(apart) {
			t.Errorf("no %q in\n%s", want, apart)
		}
	}
	if strings.Contains(apart, "not the same") {
		t.Errorf("apart:\n%s", apart)
	}
	// Another binary under the same limits.
	three := writeFolder(t, "c3", "bwbbww", engineConfig("A", 100), engineConfig("B", 100))
	if out := mustRun(t, "rate", one, three); strings.Count(out, "is not the same engine") != 2 {
		t.Errorf("want warnings about A and B:\n%s", out)
	}
	renju := writeFolder(t, "a4", "bwbbww", engineConfig("A", 100), engineConfig("B", 100))
	log := filepath.Join(renju, journal.FileName)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	// Logs of version 1 have no checksums.
	text = bytes.Replace(text, []byte(`"v":2`), []byte(`"v":1`), 1)
	text = regexp.MustCompile(`,"sum":"[0-9a-f]{8}"}\n`).ReplaceAll(text, []byte("}\n"))
	if err := os.WriteFile(log, bytes.Replace(text, []byte(`"rule":"freestyle"`), []byte(`"rule":"renju"`), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := mustRun(t, "rate", one, renju, two); strings.Count(out, "another rule or size than in the files before: renju 15x15\n") != 1 {
		t.Errorf("no warning about another rule:\n%s", out)
	}
	// Nothing is known of those in a PGN file.
	if out := mustRun(t, "rate", one, "testdata/three.pgn"); strings.Contains(out, "not the same") {
		t.Errorf("a warning about a PGN file:\n%s", out)
	}
	again := filepath.Join(t.TempDir(), "copy.jsonl")
	if text, err := os.ReadFile(filepath.Join(one, journal.FileName)); err != nil || os.WriteFile(again, text, 0o666) != nil {
		t.Fatal(err)
	}
	if got := mustFail(t, "rate", one, again); !strings.Contains(got, "are the same tournament") {
		t.Errorf("a copy of a log: %s", got)
	}
	if got := mustFail(t, "rate", one, one); !strings.Contains(got, "is given twice") {
		t.Errorf("the same folder twice: %s", got)
	}
}

// TestRateFiles rates files of results: no game may be lost without a word.
func TestRateFiles(t *testing.T) {
	slim := "[White \"Foo\"]\n[Black \"Bla\"]\n[Result \"1-0\"]\n\n[White \"Bla\"]\n[Black \"Foo\"]\n[Result \"1-0\"]\n\n" +
		"[White \"Foo\"]\n[Black \"Bla\"]\n[Result \"1-0\"]\n\n[White \"Foo\"]\n[Black \"Bla\"]\n[Result \"0-1\"]\n"
	for _, tt := range []struct {
		name, text string
		want       []string // expressions
	}{
		{"slim.pgn", slim, []string{`Foo +\S+ +\S+ +4 +50\.0%`, `Bla +\S+ +\S+ +4 +50\.0%`}},
		{"slim.txt", slim, []string{`Foo +\S+ +\S+ +4 +50\.0%`}},
		{"comment.txt", "; a file\n% {\n{ [x }\n" + slim, []string{`Foo +\S+ +\S+ +4 +50\.0%`}},
		{"mark.txt", "\uFEFF" + slim, []string{`Foo +\S+ +\S+ +4 +50\.0%`}},
		{"tabs.pgn", "[White\t\"Foo\"]\n[Black\t\"Bla\"]\n[Result\t\"1-0\"]\n\n1-0\n\n[White \"Foo\"] [Black \"Bla\"] [Result \"0-1\"]\n\n0-1\n", []string{`Foo +\S+ +\S+ +2 +50\.0%`}},
		{"latin.PGN", "[White \"Nov\xe1k\"]\n[Black \"Bla\"]\n[Result \"1-0\"]\n\n1-0\n\n[White \"Nov\xe9k\"]\n[Black \"Bla\"]\n[Result \"0-1\"]\n\n0-1\n", []string{`Novák +\S+ +\S+ +1 +100\.0%`, `Novék +\S+ +\S+ +1 +0\.0%`}},
		{"control.pgn", "[White \"a\x1b[2J\"]\n[Black \"a\u202e\"]\n1-0\n", []string{`a\\x1b\[2J +\S+`, `a\\u202e +\S+`}},
		{"unfinished.pgn", slim + "[White \"Foo\"]\n[Black \"Bla\"]\n*\n", []string{`Foo +\S+ +\S+ +4 `, `Warning: \S+unfinished.pgn: games without a result, which do not count: 1\n`}},
		{"zero.txt", "A - B: 3 : 1\nC - B: 2 : 2\nA - C: 0 : 0\n", []string{`B +\S+ +\S+ +8 `, `Warning: \S+zero.txt: lines of 0 : 0, whose engines are taken not to have met: 1\n`}},
		{"brackets.txt", "[A] - B: 3 : 1\n", []string{`\[A\] +\S+ +\S+ +4 `}},
	} {
		file := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		out := mustRun(t, "rate", file)
		for _, want := range tt.want {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, out)
			}
		}
	}
	for _, tt := range []struct{ name, text, want string }{
		{"none.pgn", "\n", "no games"},
		{"none.txt", "\n", "no scores"},
		{"tag.pgn", slim + "[White Foo]\n", "tag.pgn: line 16: the value of tag White is not in quotes"},
		{"third.txt", "A - B: 15 : 7 : 2\nA - C: 10 : 10 : 4\n", `third.txt: line 1: "A - B: 15 : 7 : 2": 3 numbers`},
		{"dash.txt", "A - B: 15 : 7\nA - B - C: 10 : 10\n", `dash.txt: line 2: "A - B - C: 10 : 10": more than one " - "`},
	} {
		file := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := mustFail(t, "rate", file); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %q", tt.name, got, tt.want)
		}
	}
}

// TestExportRates exports the games of a log and rates them: the tags alone
// say the same.
func TestExportRates(t *testing.T) {
	dir := writeFolder(t, "x", "bwbbwdwwbd", engineConfig(`A "1" \`, 10), engineConfig("B;{[ä", 10))
	text := mustRun(t, "export", dir, "--format", "pgn")
	file := filepath.Join(t.TempDir(), "x.pgn")
	slim := filepath.Join(t.TempDir(), "slim.pgn")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(slim, []byte(strings.Join(regexp.MustCompile(`(?m)^\[.*$`).FindAllString(text, -1), "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, "rate", file)
	if !regexp.MustCompile(`A "1" \\ +\S+ +\S+ +10 `).MatchString(want) {
		t.Errorf("the games are\n%s\nrated as\n%s", text, want)
	}
	if got := mustRun(t, "rate", slim); got != want {
		t.Errorf("tags alone:\n%s, want\n%s", got, want)
	}
}

// TestFirstMove rates games that Black always wins, from files in which Black
// moves first and from those of chess and of version 1, in which White does.
func TestFirstMove(t *testing.T) {
	dir := writeFolder(t, "x", "bbbbbbbbwb", engineConfig("A", 10), engineConfig("B", 10))
	own := mustRun(t, "export", dir, "--format", "pgn")
	old := strings.NewReplacer("[Black ", "[White ", "[White ", "[Black ", "0-1", "1-0", "1-0", "0-1").Replace(own)
	chess := regexp.MustCompile(`(?m)^\[Termination.*\n`).ReplaceAllString(old, "")
	for name, text := range map[string]string{"own": own, "old": old, "chess": chess} {
		file := filepath.Join(t.TempDir(), "x.pgn")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out := mustRun(t, "rate", file); !regexp.MustCompile(`First move: \+?[1-9]`).MatchString(out) {
			t.Errorf("%s: no advantage of the first move in\n%s\nof\n%.300s", name, out, text)
		}
	}
}
