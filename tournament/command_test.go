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

	"kumiko/protocol/cli/golden"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

// TestGolden runs commands that need no engines.
func TestGolden(t *testing.T) {
	book := filepath.Join(t.TempDir(), "book.txt")
	const lines = "0,0, 1,0, 1,3\n\n0,0, -1,0, 1,3\n9,9\n0,0, 0,0\n1,3, 1,0, 0,0\n0,0, 5,5, 1,0, 5,6, 2,0, 5,4, 3,0, 5,3, 4,0\n0,0, 1,0, 1,-3\n"
	if err := os.WriteFile(book, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, args string }{
		{"sprt-penta", "sprt calc --penta 172,2752,5656,2885,227 --elo1 3 --beta .1"},
		{"sprt-wdl", "sprt calc --wdl 57433,106593,57030 --elo1 2 --model logistic"},
		{"sprt-bayes", "sprt calc --wdl 21629,41111,21484 --elo0 .5 --elo1 2.5 --model bayesian"},
		{"sprt-split", "sprt calc --penta 2,0,1000,0,12"},
		{"sprt-plan", "sprt plan --elo1 20 --games-per-hour 600"},
		{"sprt-plan-logistic", "sprt plan --elo1 10 --model logistic"},
		{"rate-scores", "rate testdata/scores.txt --anchor YIXIN18=0"},
		{"rate-bayeselo", "rate testdata/scores.txt --model bayeselo"},
		{"rate-pgn", "rate testdata/three.pgn"},
		{"openings", "openings BOOK --dedupe-symmetry"},
		{"openings-offset", "openings BOOK --to offset --size 20 --plies 2"},
		{"error-command", "rune"},
		{"error-flag", "run --roundz 3"},
		{"error-engines", "run --engine cmd=true"},
		{"error-program", "run --engine cmd=./nothing --engine cmd=./nothing2"},
		{"error-stats", "run --engine cmd=true --engine name=b --each stats=( --each cmd=true"},
		{"error-folder", "status testdata"},
		{"error-missing", "replay testdata"},
		{"error-rounds", "run --rounds 4000000000 --engine cmd=true --engine name=b --each cmd=true"},
		{"error-slack", "check --slack -5s -- true"},
		{"error-empty", "openings testdata/empty.txt"},
		{"error-counts", "sprt calc --penta 1,2,3"},
		{"error-count-large", "sprt calc --penta 1,2,3000000000000,4,5"},
		{"error-count-huge", "sprt calc --wdl 1,2,99999999999999999999999"},
		{"sprt-most", "sprt calc --penta 100000000,100000000,100000000,100000000,100000000"},
		{"error-anchor", "rate testdata/scores.txt --anchor NOBODY=3"},
		{"error-compat", "compat -engine cmd=true -games 3 -repeat"},
		{"error-compat-option", "compat -resign 3"},
		{"error-compat-key", "compat -engine cmd=true foo=3 -engine cmd=true name=b"},
	} {
		var out bytes.Buffer
		args := strings.Fields(strings.ReplaceAll(tt.args, "BOOK", book))
		err := execute(context.Background(), args, &out)
		if err != nil {
			out.WriteString("error: " + err.Error() + "\n")
		}
		if wantError := strings.HasPrefix(tt.name, "error-"); wantError && err == nil {
			t.Errorf("%s: no error", tt.name)
		}
		golden.Compare(t, "testdata/"+tt.name+".golden", out.String())
	}
}

// TestRateAnchors rates with two anchors again and again: both are kept, errors
// are against them, and the bytes are the same.
func TestRateAnchors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "scores.txt")
	const text = "Alpha - Beta: 12 : 10\nAlpha - Gamma: 20 : 3\nBeta - Gamma: 15 : 7\nDelta - Gamma: 9 : 13\nDelta - Alpha: 2 : 19\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"logistic", "bayeselo"} {
		args := []string{"rate", file, "--games", "24", "--model", model, "--anchor", "Alpha=2000", "--anchor", "Gamma=1500"}
		want := mustRun(t, args...)
		for _, anchor := range []string{`Alpha +2000\.0 +0\.0 `, `Gamma +1500\.0 +0\.0 `, `Beta +1\d\d\d\.\d +[1-9]\d*\.\d `, `errors against the anchors`} {
			if !regexp.MustCompile(anchor).MatchString(want) {
				t.Errorf("%s: no %q in\n%s", model, anchor, want)
			}
		}
		for range 20 {
			if got := mustRun(t, args...); got != want {
				t.Fatalf("%s: got\n%s, before\n%s", model, got, want)
			}
		}
	}
	for _, tt := range [][2]string{
		{"Alpha", `invalid anchor "Alpha": want NAME=ELO`}, {"Zeta=3", `unknown engine "Zeta"`},
		{"Alpha=high", `"high" is not a rating`}, {"Alpha=NaN", `"NaN" is not a rating`}, {"Alpha=1e999", "is not a rating"},
		{"Beta=7", `"Beta" has one already`},
	} {
		for _, model := range []string{"logistic", "bayeselo"} {
			err := execute(context.Background(), []string{"rate", file, "--model", model, "--anchor", "Beta=3", "--anchor", tt[0]}, new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), tt[1]) {
				t.Errorf("%s %s: error %v, want %q", model, tt[0], err, tt[1])
			}
		}
	}
}

// TestCompat plays with c-gomoku-cli's arguments and finds its lines.
func TestCompat(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book.txt")
	if err := os.WriteFile(book, []byte("0,0, 1,0\n0,0, 1,1, 2,0\n0,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"compat", "-each", "tc=0/20", "option.show_detail=0",
		"-engine", "name=A 1", "cmd=" + fakeCommand("salt=1"), "-engine", "name=B", "cmd=" + fakeCommand("salt=2"), "thread=1",
		"-games", "2", "-rounds", "2", "-repeat", "-boardsize", "15", "-rule", "0", "-concurrency", "2", "-drawafter", "200",
		"-openings", "file=" + book, "order=random", "srand=7", "-sprt", "elo0=0", "elo1=5",
		"-pgn", filepath.Join(dir, "g.pgn"), "-sgf", filepath.Join(dir, "g.sgf"),
		"-msg", filepath.Join(dir, "g.txt"), "-sample", "format=bin", "freq=0.5", "file=" + filepath.Join(dir, "g.bin"), "-out", filepath.Join(dir, "log")}
	out := mustRun(t, args...)
	forms := []*regexp.Regexp{
		regexp.MustCompile(`^\[[12]\] Started game [1-4] of 4 \((A 1 vs B|B vs A 1)\)$`),
		regexp.MustCompile(`^\[[12]\] Finished game [1-4] \((A 1 vs B|B vs A 1)\): (1-0|0-1|1/2-1/2) \{.+\}$`),
		regexp.MustCompile(`^Score of A 1 vs B: \d - \d - \d  \[[01]\.\d{3}\] [1-4]$`),
		regexp.MustCompile(`^SPRT: LLR = -?\d+\.\d{3} \[-2\.944,2\.944\]$`),
		regexp.MustCompile(`^Tournament update:$`),
		regexp.MustCompile(`^A 1 vs B: \d - \d - \d  \[[01]\.\d{3}\] [24]$`),
		regexp.MustCompile(`^Matches/min: \d+\.\d{3}, Estimated time to complete: \d\d:\d\d:\d\d$`),
	}
	var counts [7]int
lines:
	for line := range strings.Lines(out) {
		for i, re := range forms {
			if re.MatchString(strings.TrimSuffix(line, "\n")) {
				counts[i]++
				continue lines
			}
		}
		t.Errorf("unexpected line %q", line)
	}
	if counts[6] > 1 || [6]int(counts[:6]) != [6]int{4, 4, 4, 4, 2, 2} {
		t.Errorf("lines %v in\n%s", counts, out)
	}
	if !regexp.MustCompile(`Tournament update:\nA 1 vs B: .* 4\n$`).MatchString(out) {
		t.Errorf("no summary at the end of\n%s", out)
	}
	for file, want := range map[string]string{
		"g.pgn": "[Black \"A 1\"]", "g.sgf": "PB[A 1]", "g.bin": "", "g.txt": ") A 1: depth ",
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
	log, err := journal.Read(filepath.Join(dir, "log"))
	if err != nil || log.Played != 4 || log.Config.Seed != 7 || log.Config.Engines[0].Info["show_detail"] != "0" {
		t.Errorf("%v, %+v", err, log)
	}
}

// TestCompatGauntlet plays a gauntlet with draws and resignations by score, and
// keeps only what the first engine lost.
func TestCompatGauntlet(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"compat", "-gauntlet", "-loseonly", "-transform", "-draw", "3", "1", "-resign", "2", "90", "-each", "tc=0/20", "-games", "4", "-repeat",
		"-pgn", file("g.pgn"), "-sample", "file=" + file("g.csv"), "-msg", file("g.txt"), "-out", file("log")}
	for i, name := range []string{"A", "B", "C"} {
		args = append(args, "-engine", "name="+name, "cmd="+fakeCommand(fmt.Sprint("salt=", 5*i)))
	}
	out := mustRun(t, args...)
	log, err := journal.Read(file("log"))
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for e := range log.All {
		if e.Points(0) == 0 {
			lost++
		}
		if e.Open > 0 {
			t.Errorf("game %d begins with an opening", e.Number)
		}
	}
	if lost == 0 || lost == log.Played {
		t.Fatalf("the first engine lost %d of %d games:\n%s", lost, log.Played, out)
	}
	if d, r := log.Config.Draw, log.Config.Resign; d == nil || *d != (config.Draw{Count: 3, Score: 1}) || r == nil || *r != (config.Resign{Count: 2, Score: 90}) {
		t.Errorf("adjudication %+v, %+v", d, r)
	}
	for name, sign := range map[string]string{"g.pgn": "[Event ", "g.txt": "Game ID: "} {
		text, err := os.ReadFile(file(name))
		if err != nil || strings.Count(string(text), sign) != lost {
			t.Errorf("%s has %d games, %v, want %d", name, strings.Count(string(text), sign), err, lost)
		}
	}
	for _, line := range []string{"A vs B: ", "A vs C: "} {
		if strings.Count(out, "\n"+line) < 2 {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
}

func TestCompatRefused(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-draw 3", "-draw: want a count and a score, got 1 values"},
		{"-resign a 3", `-resign: invalid number "a"`},
		{"-sample freq=2", `-sample: freq must be between 0 and 1, got "2"`},
		{"-sample format=xml", `-sample: unknown format "xml"`},
		{"-sample format=bin_lz4", "-sample: format bin_lz4 is not written: write bin and compress it with lz4"},
		{"-sample name=x", `-sample: unknown key "name=x"`},
		{"-sample format=bin -rule 9", "-sample: samples as bin hold square boards up to 22x22 and rules 0, 1 and 4, not 15x15 and 9"},
		{"-msg", "-msg: want one value, got 0"},
		{"-msg none/x", "cannot write none/x"},
		{"-loseonly 3", `-loseonly: unexpected "3"`},
		{"-foo", "-foo: unknown option"},
		{"-games x", `-games: invalid number of games "x"`},
	} {
		args := append([]string{"compat", "-engine", "cmd=true", "name=a", "-engine", "cmd=true", "name=b"}, strings.Fields(tt.args)...)
		err := execute(context.Background(), args, new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.args, err, tt.want)
		}
	}
}

// TestCompatFolder writes no records of another tournament: of the one in a folder that
// is refused.
func TestCompatFolder(t *testing.T) {
	dir := t.TempDir()
	folder, pgn := filepath.Join(dir, "t"), filepath.Join(dir, "games.pgn")
	mustRun(t, runArgs(t, folder, "--rounds=1")...)
	args := append(compatEngines(), "-games", "2", "-out", folder, "-pgn", pgn)
	err := execute(context.Background(), args, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(pgn); err == nil {
		t.Error("games of the other tournament were written")
	}
	args = append(compatEngines(), "-games", "2", "-out", folder+"2", "-pgn", pgn, "-sgf", pgn)
	if err := execute(context.Background(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "games.pgn is the name of two outputs") {
		t.Errorf("error %v", err)
	}
}

// TestReportOutputs refuses two reports in one file, or both on standard output.
func TestReportOutputs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "t")
	mustRun(t, runArgs(t, folder, "--rounds=1")...)
	for _, name := range []string{"-", folder + ".csv"} {
		err := execute(context.Background(), []string{"report", folder, "--json", name, "--csv", name}, new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), name+" is named for ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// compatEngines are the first arguments of compat, with two engines.
func compatEngines() []string {
	args := []string{"compat"}
	for _, name := range []string{"A", "B"} {
		args = append(args, "-engine", "name="+name, "tc=0/20", "cmd="+fakeCommand("salt="+name))
	}
	return args
}

// TestOtherCommands looks at a tournament in every way.
func TestOtherCommands(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "t")
	mustRun(t, runArgs(t, folder, "--rounds=2", "--transcripts=all")...)
	for _, tt := range []struct{ args, want string }{
		{"status FOLDER", "12 of 12 games: finished"},
		{"report FOLDER", "Likelihood that the engine of the row is better"},
		{"report FOLDER --json -", `"first_mover"`},
		{"report FOLDER --csv -", "five"},
		{"report FOLDER --anchor A=1500 --model bayeselo", "1500"},
		{"rate FOLDER", "First move:"},
		{"rate FOLDER testdata/three.pgn --prior 4", "Rank Name"},
		{"replay FOLDER 3", "move 9: "},
		{"replay FOLDER 12 --last", "Finished game 12 ("},
		{"replay FOLDER 12 --transcript", "TURN"},
		{"export FOLDER --format sgf", "GM[4]"},
		{"export FOLDER --format pgn", "[Black \"A\"]"},
		{"export FOLDER --format offset", "0,0"},
		{"openings --stats FOLDER", "Bias"},
		{"rate FOLDER --anchor A=1000 --anchor B=1000", "n/a"},
	} {
		out := mustRun(t, strings.Fields(strings.ReplaceAll(tt.args, "FOLDER", folder))...)
		if !strings.Contains(out, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.args, tt.want, out)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"rate FOLDER FOLDER", "is given twice"},
		{"resume FOLDER --accept-changed zz", `unknown engine or setting "zz"`},
		{"report FOLDER --games -1 --html " + filepath.Join(dir, "x.html"), "games must be at least 0, got -1"},
	} {
		err := execute(context.Background(), strings.Fields(strings.ReplaceAll(tt.args, "FOLDER", folder)), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.args, err, tt.want)
		}
	}
	mustRun(t, "export", folder, "--format", "psq", "--out", filepath.Join(dir, "psq"))
	if list, err := os.ReadDir(filepath.Join(dir, "psq")); err != nil || len(list) != 12 {
		t.Errorf("%d psq files, %v", len(list), err)
	}
	page := filepath.Join(dir, "x.html")
	mustRun(t, "report", folder, "--html", page)
	if text, err := os.ReadFile(page); err != nil || !bytes.Contains(text, []byte("</html>")) {
		t.Errorf("no page: %v", err)
	}
}
