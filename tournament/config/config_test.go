package config

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// load reads settings as a command does.
func load(file string, args ...string) (Config, error) {
	var l Loader
	fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
	l.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		return Config{}, err
	}
	if file != "" {
		if err := l.ReadFile("t.toml", []byte(file)); err != nil {
			return Config{}, err
		}
	}
	return l.Config()
}

const two = `
[[engine]]
name = "A"
cmd = "./pbrain-a -x 'y z'"
[[engine]]
name = "B"
args = ["./b c", "--d"]
`

// TestFileAndFlags says the same by file and by flags.
func TestFileAndFlags(t *testing.T) {
	file, err := load(`
rule = 9
size = "20x15"
rounds = 7
seed = "18446744073709551615"
concurrency = 2
format = "gauntlet=1"
until-error = 2.5
max-failures = "20%"
suspend-opponent = true
resources = "gpu=2"
[each]
tc = "60/5+0.5"
memory = "64M"
[draw]
count = 6
[resign]
score = 900
[openings]
file = "book.txt"
order = "random"
plies = 3
transform = "cycle"
` + two + `
margin = "50ms"
uses = ["gpu"]
info = {show_detail = 1, folder = "/a b"}
env = {X = "1"}
`)
	if err != nil {
		t.Fatal(err)
	}
	flags, err := load("", "--rule=caro5", "--size=20x15", "--rounds=7", "--seed=18446744073709551615",
		"--concurrency=2", "--format=gauntlet", "--until-error=2.5", "--max-failures=20%", "--suspend-opponent",
		"--resources=gpu=2", "--draw=count=6", "--resign=score=900", "--each=tc=60/5+0.5", "--each", "memory=64MiB",
		"--openings", "file=book.txt order=random plies=3 transform=cycle type=offset",
		"--engine", `name=A cmd="./pbrain-a -x 'y z'"`,
		"--engine", `name=B cmd="'./b c' --d" margin=0.05 uses=gpu info.show_detail=1 "info.folder=/a b" env.X=1`)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(file, flags) {
		t.Errorf("file\n%+v\nflags\n%+v", file, flags)
	}
	e := file.Engines[1]
	if e.TC != (TC{60 * time.Second, 5 * time.Second, 500 * time.Millisecond}) || e.Memory != 64<<20 ||
		e.Margin != 50*time.Millisecond || e.Grace != time.Second || e.Args[0] != "./b c" || file.Rule.Code() != 9 {
		t.Errorf("engine %+v of %+v", e, file)
	}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	var back Config
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, file) {
		t.Errorf("%v: JSON %s\nbecomes %+v", err, data, back)
	}
}

func TestFlagsOverrideFile(t *testing.T) {
	c, err := load("rounds = 3\npreset = 'gomocup'\n[each]\nnodes = 5\n"+two, "--rounds=4", "--engine", "name=B nodes=9", "--engine", "cmd=/x/pbrain-c.exe", "--each=depth=2")
	if err != nil {
		t.Fatal(err)
	}
	if c.Rounds != 4 || len(c.Engines) != 3 || c.Engines[0].Nodes != 5 || c.Engines[1].Nodes != 9 || c.Engines[1].Depth != 2 || c.Engines[2].Name != "c" {
		t.Errorf("%+v", c)
	}
	if tc := c.Engines[0].TC.String(); tc != "180/30" {
		t.Errorf("preset gomocup is %s", tc)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		file, flags, want string
	}{
		{"", "", "two engines"},
		{"roundz = 3\n" + two, "", "t.toml:1: unknown key roundz"},
		{"rounds = 3\n\n[each]\ntc = '1'\nfoo = 2\n" + two, "", "t.toml:5: unknown key each.foo"},
		{"rounds = \n" + two, "", "t.toml:1:"},
		{"rounds = [1]\n" + two, "", "rounds: invalid value [1], want a string"},
		{"rounds = 'x'\n" + two, "", `t.toml: rounds: invalid number "x"`},
		{"rounds = 0\n" + two, "", "rounds must be at least 1, got 0"},
		{"rule = 'gomoku'\n" + two, "", "unknown rule"},
		{"size = 99\n" + two, "", "not within 5 to 32"},
		{"format = 'swiss'\n" + two, "", "swiss"},
		{two + "[[engine]]\nname = \"a\\u001b[31m\"\ncmd = 'x'\n", "", "invalid name: it must have 1 to 100 printable characters"},
		{two + "[[engine]]\nname = \"a\\u202eb\"\ncmd = 'x'\n", "", "invalid name"},
		{two + "[[engine]]\nname = '   '\ncmd = 'x'\n", "", "invalid name"},
		{two + "[[engine]]\nname = '" + strings.Repeat("x", 101) + "'\ncmd = 'x'\n", "", "invalid name"},
		{two + "[[engine]]\nname = 'C'\ncmd = 'x'\n[engine.info]\nfoo = \"1\\nEND\"\n", "", "invalid info.foo \"1\\nEND\": the engine would read more than one line"},
		{"preset = 'blitz'\n" + two, "", `unknown preset "blitz"`},
		{"[sprt]\nelo0 = 5\nelo1 = 5\n" + two, "", "sprt: elo0 must be below elo1, got 5 and 5"},
		{"[draw]\ncount = 0\n" + two, "", "draw: count must be at least 1"},
		{"[resign]\nscore = -5\n" + two, "", "resign: count and score must be at least 1, number at least 0, got 4, -5, 0"},
		{two, "--resign=numbers=3", `resign: unknown key "numbers", want one of count, number, score`},
		{"[sprt]\nalpha = 0.7\n" + two, "", "alpha must be between 0 and 0.5, got 0.7"},
		{"[openings]\ntype = 'pgn'\n" + two, "", `openings: type: unknown value "pgn", want one of offset, pos, psq`},
		{"swap2 = true\n[openings]\nfile = 'x'\n" + two, "", "swap2"},
		{"[each]\ntc = '1/x'\n" + two, "", `invalid time control "1/x"`},
		{"[each]\ntc = '0'\n" + two, "", "engine A: no limit"},
		{"[each]\ntc = '0+1'\n" + two, "", "increment"},
		{"[each]\nmemory = '3x'\n" + two, "", `invalid size "3x"`},
		{"[each]\nuses = 'gpu'\n" + two, "", "uses 1 of gpu, only 0 available"},
		{"[each]\nargs = ['x']\n" + two, "", "args are for a single engine"},
		{two + "cmd = 'x'\n", "", "cmd and args are mutually exclusive"},
		{two, "--engine=name=A --engine=foo=1", `engine 3: unknown key "foo"`},
		{two, "--each=foo=1", `unknown key "foo", want one of`},
		{two, "--each=name", `missing = in "name"`},
		{two, "--each=name=A", ""},
		{"", "--engine=name=A,cmd='x", "EOF"},
		{"", "--each=tc=1_#hm", "comment"},
		{two, "--engine=name=C_cmd=c --engine=name=C_cmd=d", `two engines are called "C"`},
		{two, "--concurrency=100000", "concurrency must be at most 512, got 100000"},
		{two, "--draw-squares-left=225", "less than the 225 points"},
		{two, "--openings=file=none order=random", "openings: file=none takes no other settings"},
		{two, "--openings=start=2 --swap2", "swap2 makes its own openings"},
		{two, "--each=memory=1K", "memory must be at least 1048576 bytes, got 1024"},
		{"", "--engine=cmd=x --engine=cmd=./x", `two engines are called "x"`},
	} {
		var args []string
		for f := range strings.SplitSeq(tt.flags, " --") {
			if f != "" {
				args = append(args, "--"+strings.ReplaceAll(strings.TrimPrefix(f, "--"), "_", " "))
			}
		}
		_, err := load(tt.file, args...)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%q %q: %v", tt.file, tt.flags, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q %q: error %v, want %q", tt.file, args, err, tt.want)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add([]byte(two))
	f.Add([]byte("rounds = 3\n[sprt]\nelo1 = 3.5\n[each]\nenv = {A = 'b'}\n" + two))
	f.Fuzz(func(t *testing.T, text []byte) {
		var l Loader
		if l.ReadFile("f", text) != nil {
			return
		}
		c, err := l.Config()
		if err != nil {
			return
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Config
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
	})
}

func FuzzTC(f *testing.F) {
	for _, s := range []string{"180/30", "0/0.5", "60+1", "1/2+3", "5", "1e3", "-1", "1m30s/5s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tc, err := ParseTC(s)
		if err != nil {
			return
		}
		if back, err := ParseTC(tc.String()); err != nil || back != tc {
			t.Fatalf("%q is %v, which is %v, %v", s, tc, back, err)
		}
	})
}

// TestDefaults sets every key to the default that its help shows: nothing
// changes.
func TestDefaults(t *testing.T) {
	c, e, o, test := Default(), defaultEngine(), Default().Openings, DefaultSPRT()
	checkDefaults(t, settings, &c)
	checkDefaults(t, engineKeys, &e)
	checkDefaults(t, openingKeys, &o)
	checkDefaults(t, sprtKeys, &test)
	draw, resign := DefaultDraw(), DefaultResign()
	checkDefaults(t, drawKeys, &draw)
	checkDefaults(t, resignKeys, &resign)
}

func checkDefaults[T any](t *testing.T, keys []key[T], dflt *T) {
	for _, k := range keys {
		got, text := *dflt, k.get(dflt)
		if text == "" {
			continue
		}
		err := k.set(&got, text)
		if e, ok := any(&got).(*Engine); ok {
			e.MemorySet = false
		}
		if err != nil || !reflect.DeepEqual(&got, dflt) {
			t.Errorf("%s: %q is not the default: %+v, %v", k.name, text, got, err)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int64
		back string
	}{{"0", 0, "0"}, {"1000", 1000, "1000"}, {"350M", 350 << 20, "350M"}, {"350MiB", 350 << 20, "350M"}, {"2048kb", 2 << 20, "2M"}, {"3g", 3 << 30, "3G"}} {
		if n, err := parseBytes(tt.text); err != nil || n != tt.n || formatBytes(n) != tt.back {
			t.Errorf("%s: %d, %v, back %s", tt.text, n, err, formatBytes(n))
		}
	}
}

// TestMemorySet tells limits that were set from the default.
func TestMemorySet(t *testing.T) {
	c, err := load("[each]\ntc = '0/1'\n" + two + "memory = '350M'\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true} {
		for limit, enforced := range map[MemoryLimit]bool{
			MemoryAuto: want, MemoryPoll: true, MemoryEnforce: true, MemoryAnnounce: false, MemoryOff: false,
		} {
			if e := &c.Engines[i]; e.Enforces(limit) != enforced || e.Memory != DefaultMemory {
				t.Errorf("engine %s, %s: enforced %v, want %v", e.Name, limit, e.Enforces(limit), enforced)
			}
		}
	}
}
