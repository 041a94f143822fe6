package tune

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/protocol/cli"
	"kumiko/protocol/cli/golden"
)

// tune runs the subcommand.
func tune(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := cli.Execute(t.Context(), Command(func() engine.Options { return engine.Options{} }), args, &out)
	return out.String(), err
}

// speed is what a run says that depends on the machine.
var speed = regexp.MustCompile(`[0-9.]+(/s| s each)(, about [0-9a-z]+ to go)?`)

// TestRun has golden files of what runs of every method print and log, and of
// what show says of their logs.
func TestRun(t *testing.T) {
	for method, s := range testSettings() {
		name := filepath.Join(t.TempDir(), "log")
		var out bytes.Buffer
		if err := playLog(t.Context(), name, s, 2, &out); err != nil {
			t.Fatal(err)
		}
		show, err := tune(t, "show", name)
		if err != nil {
			t.Error(err)
		}
		golden.Compare(t, "testdata/"+method+".golden", "$ tune "+method+"\n"+speed.ReplaceAllString(out.String(), "…")+
			"$ cat LOG\n"+string(golden.Read(t, name))+"$ tune show LOG\n"+show)
	}
}

// TestReal tunes with real games, few and fast ones: at once, and in two parts
// with other workers.
func TestReal(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ args, part string }{
		{"spsa --games 8 --batch 2", "spsa --games 8 --batch 2"},
		{"genetic --population 4 --elites 1 --pairs 1 --tournament 2 --generations 3", "genetic --population 4 --elites 1 --pairs 1 --tournament 2 --generations 1"},
	} {
		method, _, _ := strings.Cut(tt.args, " ")
		common := " --params LMRFactor,FutilityMargin=20:120,LeafNodes --nodes 100 --rule renju --seed 4 --out "
		whole, parts := filepath.Join(dir, method), filepath.Join(dir, method+"-parts")
		out, err := tune(t, strings.Fields(tt.args+common+whole+" --concurrency 1")...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tune(t, strings.Fields(tt.part+common+parts+" --concurrency 2")...); err != nil {
			t.Fatal(err)
		}
		data := golden.Read(t, parts)
		if err := os.WriteFile(parts, data[:len(data)-10], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := tune(t, strings.Fields(tt.args+common+parts+" --concurrency 2")...); err != nil {
			t.Fatal(err)
		}
		if got, want := golden.Read(t, parts), golden.Read(t, whole); !bytes.Equal(got, want) {
			t.Errorf("%s: in parts the log is\n%s\nwant\n%s", method, got, want)
		}
		show, err := tune(t, "show", whole)
		if table := out[strings.Index(out, "\nname "):]; err != nil || !strings.HasSuffix(show, table) {
			t.Errorf("%s: show says\n%s\nwant\n%s\nerror %v", method, show, table, err)
		}
	}
	confirm := filepath.Join(dir, "match")
	match := "match --games 36 --nodes 50 --rule renju --out " + confirm
	if _, err := tune(t, strings.Fields(match+" --average --from "+filepath.Join(dir, "genetic"))...); err == nil || !strings.Contains(err.Error(), "has no averages") {
		t.Errorf("error %v, want one about averages", err)
	}
	out, err := tune(t, strings.Fields(match+" --average --from "+filepath.Join(dir, "spsa"))...)
	if err != nil || !strings.Contains(out, "36 of 36 games") || !strings.Contains(out, "of 18 pairs [") {
		t.Errorf("the match says\n%s\nerror %v", out, err)
	}
}

// TestEvaluators plays the network of a file against the tables, with other nodes, and
// goes on with more games. Games between equal sides are not played.
func TestEvaluators(t *testing.T) {
	dir := t.TempDir()
	file, log := filepath.Join(dir, "net"), filepath.Join(dir, "log")
	n := nn.New(nn.Shape{Reach: 4, Hidden: 8, Channels: 8, Dense: 8, Sides: 1}, "renju", rand.New(rand.NewPCG(1, 2)))
	n.Sets[0].B3[0] = 2 // always winning
	var data bytes.Buffer
	if err := n.Write(&data); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	match := "match --nodes 50 --rule renju --out " + log + " --net " + file + " --against tables --against-nodes 20 --games "
	for _, games := range []string{"2", "6"} {
		out, err := tune(t, strings.Fields(match+games)...)
		if err != nil || !strings.Contains(out, games+" of "+games+" games") || !strings.Contains(out, " against tables with 20 nodes\nElo: ") {
			t.Errorf("error %v, output\n%s", err, out)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{strings.Replace(match, "--against-nodes 20", "--against-nodes 30", 1) + "6", "--against-nodes 20, not with --against-nodes 30"},
		{strings.Replace(match, "--net "+file, "--net tables", 1) + "6", "made with --net of hash "},
		{strings.Replace(match, "--rule renju", "--rule standard", 1) + "6", "a network for renju, want one for standard"},
		{strings.Replace(match, "--net "+file, "--net "+dir+"/no", 1) + "6", "no such file"},
		{strings.Replace(match, "--against-nodes 20", "--against-nodes -1", 1) + "6", "against-nodes must be at least 0, got -1"},
	} {
		if _, err := tune(t, strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %s", tt.args, err, tt.want)
		}
	}
}

// TestSearches plays one search against the other.
func TestSearches(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	match := "match --nodes 50 --search puct --out " + log + " --games "
	for _, games := range []string{"2", "4"} {
		out, err := tune(t, strings.Fields(match+games)...)
		if err != nil || !strings.Contains(out, games+" of "+games+" games") || !strings.Contains(out, "the evaluator in use by puct against the evaluator in use\nElo: ") {
			t.Errorf("error %v, output\n%s", err, out)
		}
	}
	net := nn.NewResidual(nn.ResidualShape{Planes: board.NumPlanes, Blocks: 1, Channels: 8, Head: 8}, "freestyle", rand.New(rand.NewPCG(1, 2)))
	var data bytes.Buffer
	if err := net.Write(&data); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "residual")
	if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := tune(t, "match", "--nodes", "20", "--search", "puct", "--net", file, "--games", "2", "--out", log+"2")
	if err != nil || !strings.Contains(out, " by puct against the evaluator in use\nElo: ") || !strings.Contains(out, "network of hash ") {
		t.Errorf("error %v, output\n%s", err, out)
	}
	for _, tt := range []struct{ args, want string }{
		{"match --rule renju --nodes 20 --net " + file + " --out " + log + "3", "a network for freestyle, want one for renju"},
		{match + "6 --against-nodes 60 --against-search puct", "made with --against-nodes 0 --against-search alphabeta, not with --against-nodes 60 --against-search puct"},
		{strings.Replace(match, "puct", "minimax", 1) + "6", `unknown search "minimax", want alphabeta or puct`},
	} {
		if _, err := tune(t, strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %s", tt.args, err, tt.want)
		}
	}
}

// TestTables checks that the log knows the tables that the engine plays with.
func TestTables(t *testing.T) {
	var o engine.Options
	name := filepath.Join(t.TempDir(), "log")
	args := strings.Fields("spsa --games 2 --nodes 20 --params LeafNodes --out " + name)
	options := func() engine.Options { return o }
	if err := cli.Execute(t.Context(), Command(options), args, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	o.Patterns[board.Freestyle] = pattern.Hand(board.Freestyle)
	err := cli.Execute(t.Context(), Command(options), args, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "made with its pattern tables made by hand, not with its pattern tables of hash ") {
		t.Errorf("error %v, want one about patterns", err)
	}
}

func TestCommandErrors(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	book := filepath.Join(dir, "book.pos")
	broken := filepath.Join(dir, "broken")
	for name, text := range map[string]string{book: "h8h8\n", broken: "{}\n", filepath.Join(dir, "empty"): ""} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"climb", `unknown command "climb"`},
		{"spsa", "missing --out, the log to write"},
		{"spsa --out LOG more", `unexpected argument "more"`},
		{"spsa --out LOG --concurrency 0", "concurrency must be 1 to 1024, got 0"},
		{"spsa --out LOG --temperature 1", "unknown flag"},
		{"spsa --out LOG --rule go", `unknown rule "go"`},
		{"spsa --out LOG --size 4", "board size 4x4"},
		{"spsa --out LOG --nodes 0", "nodes must be 1 to 2147483647, got 0"},
		{"spsa --out LOG --games 0", "games must be 1 to 2147483648, got 0"},
		{"spsa --out LOG --batch 0", "batch must be 1 to 1000, got 0"},
		{"spsa --out LOG --r 0", "r must be above 0 and at most 1, got 0"},
		{"spsa --out LOG --r NaN", "r must be above 0 and at most 1, got NaN"},
		{"spsa --out LOG --alpha -1", "alpha must be 0 to 2, got -1"},
		{"spsa --out LOG --gamma 3", "gamma must be 0 to 2, got 3"},
		{"spsa --out LOG --A 2", "A must be 0 to 1, got 2"},
		{"spsa --out LOG --params Razor", `unknown parameter "Razor"`},
		{"spsa --out LOG --openings DIR/none", "no such file"},
		{"spsa --out LOG --openings DIR/book.pos", "book.pos:1: "},
		{"spsa --out DIR/none/log", "no such file"},
		{"spsa --out DIR/broken", "broken:1: not a log of tune"},
		{"genetic --out LOG --population 1", "population must be 2 to 1000, got 1"},
		{"genetic --out LOG --pairs 0", "pairs must be 1 to 1000, got 0"},
		{"genetic --out LOG --elites 0", "elites must be at least 1"},
		{"genetic --out LOG --immigrants -1", "immigrants at least 0"},
		{"genetic --out LOG --elites 200 --immigrants 56", "fewer than the population of 256, got 200 and 56"},
		{"genetic --out LOG --tournament 257", "tournament must be 1 to 256, the population, got 257"},
		{"genetic --out LOG --mutation 1.5", "mutation must be 0 to 1, got 1.5"},
		{"genetic --out LOG --sigma 0", "sigma must be above 0 and at most 20, got 0"},
		{"genetic --out LOG --generations 0", "generations must be 1 to 1000, got 0"},
		{"genetic --out LOG --params Razor", `unknown parameter "Razor"`},
		{"match --out LOG", "either --values or --from"},
		{"match --out LOG --values LMRFactor=1 --from LOG", "either --values or --from"},
		{"match --out LOG --values LMRFactor=80 --average", "--average needs --from"},
		{"match --out LOG --values LMRFactor=1", "LMRFactor 1 is not within"},
		{"match --out LOG --values LMRFactor=80 --games 0", "games must be 1 to 1073741824, got 0"},
		{"match --out LOG --values LMRFactor=80 --sprt --elo1 -1", "elo0 must be below elo1, got 0 and -1"},
		{"match --out LOG --values LMRFactor=80 --sprt --model bayesian", `model "bayesian"`},
		{"match --out LOG --from DIR/none", "no such file"},
		{"match --out LOG --from DIR/broken", "broken:1: "},
		{"show", "missing argument"},
		{"show a b", `unexpected argument "b"`},
		{"show DIR/empty", "the log is empty"},
		{"show DIR/broken", "not a log of tune"},
	} {
		args := strings.NewReplacer("LOG", log, "DIR", dir).Replace(tt.args)
		if _, err := tune(t, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("tune %s: error %v, want one that says %s", tt.args, err, tt.want)
		}
		if _, err := os.Stat(log); err == nil {
			t.Fatalf("tune %s: the log was written", tt.args)
		}
	}
}

// TestOldTable wants values refused that the engine no longer has.
func TestOldTable(t *testing.T) {
	dir := t.TempDir()
	s := testSettings()["spsa"]
	s.Params[0] = param{"Courage", 50, 30, 130, 5}
	name := filepath.Join(dir, "log")
	if err := playLog(context.Background(), name, s, 1, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	if out, err := tune(t, "show", name); err != nil || !strings.Contains(out, "\nCourage ") {
		t.Errorf("show says\n%s\nerror %v", out, err)
	}
	_, err := tune(t, "match", "--from", name, "--out", filepath.Join(dir, "match"))
	if err == nil || !strings.Contains(err.Error(), `no parameter "Courage"`) {
		t.Errorf("error %v, want one about Courage", err)
	}
}
