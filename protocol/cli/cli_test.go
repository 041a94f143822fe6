package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// An exitError has an exit code.
type exitError struct{ error }

func (exitError) ExitCode() int { return 12 }

// tree returns commands of every kind.
func tree() *cobra.Command {
	leaf := func(use string, args cobra.PositionalArgs, run func(c *cobra.Command, args []string) error) *cobra.Command {
		c := &cobra.Command{Use: use, Short: "Do it", Args: args, RunE: run}
		c.Flags().IntP("nodes", "n", 0, "`nodes`")
		c.Flags().Bool("fast", false, "be fast")
		c.Flags().Float64("r", 0, "`rate`")
		c.Flags().StringArray("engine", nil, "`engine`")
		return c
	}
	show := func(c *cobra.Command, args []string) error {
		n, _ := c.Flags().GetInt("nodes")
		fast, _ := c.Flags().GetBool("fast")
		r, _ := c.Flags().GetFloat64("r")
		engines, _ := c.Flags().GetStringArray("engine")
		c.Println(n, fast, r, strings.Join(engines, "|"), strings.Join(args, "|"))
		return nil
	}
	root := &cobra.Command{Use: "prog", Short: "Do anything", Version: "prog 1.0"}
	group := &cobra.Command{Use: "group", Short: "Hold commands"}
	raw := leaf("raw", nil, show)
	raw.DisableFlagParsing = true
	group.AddCommand(leaf("run [FILE] [flags]", cobra.MaximumNArgs(1), show), leaf("pair A B", cobra.ExactArgs(2), show),
		leaf("other [flags] -- COMMAND…", cobra.MinimumNArgs(1), show), raw)
	both := leaf("both [FILE]", cobra.MaximumNArgs(1), show)
	both.AddCommand(leaf("make", cobra.NoArgs, show))
	root.AddCommand(group, both, leaf("bench", cobra.NoArgs, show), Completion(),
		leaf("fail", nil, func(*cobra.Command, []string) error { return errors.New("it failed") }),
		leaf("coded", nil, func(*cobra.Command, []string) error { return exitError{errors.New("undecided")} }))
	return root
}

func TestMainCodesAndErrors(t *testing.T) {
	for _, tt := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"bench", 0, ""},
		{"fail", 1, "prog fail: it failed"},
		{"coded", 12, "prog coded: undecided"},
		{"bench more", 1, `prog bench: unexpected argument "more"`},
		{"group run a b c", 1, `prog group run: unexpected argument "b"`},
		{"group pair a", 1, `prog group pair: missing argument, want "prog group pair A B"`},
		{"group other", 1, `prog group other: missing argument, want "prog group other [flags] -- COMMAND…"`},
		{"bench --node 3", 1, "prog bench: unknown flag --node, did you mean --nodes?"},
		{"bench --noeds=3", 1, "prog bench: unknown flag --noeds, did you mean --nodes?"},
		{"bench -fats", 1, "prog bench: unknown flag -fats, did you mean --fast?"},
		{"bench --zzz", 1, "prog bench: unknown flag --zzz"},
		{"bench --\x1b[31m", 1, `prog bench: unknown flag --\x1b[31m`},
		{"b\x9bnch", 1, `prog: unknown command "b\x9bnch" (prog --help lists the commands)`},
		{"bench -x", 1, "prog bench: unknown flag -x"},
		{"bench --nodes", 1, "prog bench: --nodes needs a value"},
		{"bench --nodes ten", 1, `prog bench: invalid value "ten" of --nodes: invalid syntax`},
		{"bench --nodes 99999999999999999999", 1, `prog bench: invalid value "99999999999999999999" of --nodes: value out of range`},
		{"bnech", 1, `prog: unknown command "bnech", did you mean bench? (prog --help lists the commands)`},
		{"gr", 1, `prog: unknown command "gr", did you mean group? (prog --help lists the commands)`},
		{"run", 1, `prog: unknown command "run", did you mean group run? (prog --help lists the commands)`},
		{"zebra", 1, `prog: unknown command "zebra" (prog --help lists the commands)`},
		{"zebra --nodes 3", 1, `prog: unknown command "zebra" (prog --help lists the commands)`},
		{"group rum --nodes 3", 1, `prog group: unknown command "rum", did you mean run? (prog group --help lists the commands)`},
		{"group help rum", 1, `prog group: unknown command "rum", did you mean run? (prog group --help lists the commands)`},
		{"help groop", 1, `prog help: unknown command "groop", did you mean group? (prog --help lists the commands)`},
		{"help group rum", 1, `prog help: unknown command "rum", did you mean run? (prog group --help lists the commands)`},
		{"--halp", 1, "prog: unknown flag --halp, did you mean --help?"},
		{"both help mak", 1, `prog both: unknown command "mak", did you mean make? (prog both --help lists the commands)`},
		{"both a b", 1, `prog both: unexpected argument "b"`},
		{"group --fast", 1, "prog group: unknown flag --fast"},
		{"completion", 1, `prog completion: missing argument, want "prog completion bash|zsh|fish|powershell"`},
		{"completion tcsh", 1, `prog completion: unknown shell "tcsh", want bash, zsh, fish or powershell`},
	} {
		var out, errs strings.Builder
		code := Main(tree(), strings.Fields(tt.args), &out, &errs)
		if code != tt.code || strings.TrimSuffix(errs.String(), "\n") != tt.stderr || strings.Count(errs.String(), "\n") > 1 {
			t.Errorf("%s: code %d, errors %q, want %d, %q", tt.args, code, errs.String(), tt.code, tt.stderr)
		}
	}
}

func TestHelpAtEveryLevel(t *testing.T) {
	const root, group, leaf = "Do anything\n", "Hold commands\n", "Do it\n"
	for args, want := range map[string]string{
		"": root, "help": root, "-h": root, "--help": root, "-help": root,
		"group": group, "group help": group, "group -h": group, "group -help": group, "group --help": group, "help group": group,
		"help group run": leaf, "group help run": leaf, "group -h run": leaf, "group run -h": leaf, "group run --help": leaf,
		"group run -help": leaf, "group run file -nodes 3 -help": leaf, "bench -h": leaf, "help bench": leaf, "group run a b c -h": leaf,
		"both help": leaf, "both help make": leaf, "both make -h": leaf, "both -help": leaf, "help both make": leaf,
		"--version": "prog 1.0\n", "-version": "prog 1.0\n",
	} {
		out, err := run(t, tree(), args)
		if err != nil || !strings.HasPrefix(out, want) {
			t.Errorf("%q: error %v, output %q, want %q", args, err, out, want)
		}
	}
}

// TestDashes gives long flags one dash or two.
func TestDashes(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"bench -nodes 500", "500 false 0"},
		{"bench -nodes=500 -fast", "500 true 0"},
		{"bench --nodes 500 -fast=false", "500 false 0"},
		{"bench -n 7 -r 0.5", "7 false 0.5"},
		{"bench -n7", "7 false 0"},
		{"bench -n=7", "7 false 0"},
		{"bench -n -3", "-3 false 0"},
		{"bench -nodes -3", "-3 false 0"},
		{"bench -engine -fast -nodes 3", "3 false 0 -fast"},
		{"bench --engine -fast -n 3", "3 false 0 -fast"},
		{"bench -n 3 --engine=-fast", "3 false 0 -fast"},
		{"group run -fast file -nodes 3", "3 true 0  file"},
		{"group run -fast -- -nodes", "0 true 0  -nodes"},
		{"group run -", "0 false 0  -"},
		{"group other -nodes 3 -- prog -nodes 4", "3 false 0  prog|-nodes|4"},
		{"group other -nodes 3 prog -nodes 4", "3 false 0  prog|-nodes|4"},
		{"group other prog -nodes 4", "0 false 0  prog|-nodes|4"},
		{"group raw -nodes 3 -fast", "0 false 0  -nodes|3|-fast"},
	} {
		out, err := run(t, tree(), tt.args)
		if got := strings.TrimSpace(out); err != nil || got != tt.want {
			t.Errorf("%s: error %v, output %q, want %q", tt.args, err, got, tt.want)
		}
	}
	args := []string{"bench", "-nodes", "1"}
	if normalize(tree(), args); args[1] != "-nodes" {
		t.Error("the caller's arguments have changed")
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, err := run(t, tree(), "completion "+shell); err != nil || !strings.Contains(out, "prog") {
			t.Errorf("%s: error %v, output of %d bytes", shell, err, len(out))
		}
	}
	for args, want := range map[string]string{
		"__complete be":            "bench\tDo it\n",
		"__complete group r":       "run\tDo it\nraw\tDo it\n",
		"__complete bench --no":    "--nodes\tnodes\n",
		"__complete completion z":  "zsh\n",
		"__complete group run --f": "--fast\tbe fast\n",
	} {
		out, err := run(t, tree(), args)
		if got, _, _ := strings.Cut(out, ":"); err != nil || got != want {
			t.Errorf("%s: error %v, output %q, want %q", args, err, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"run", "resume", "report", "replay", "rate", "sprt", "selfcheck", "status"}
	for word, want := range map[string]string{
		"run": "run", "rum": "run", "rune": "run", "re": "resume report replay", "relay": "replay", "reprot": "report",
		"RATE": "rate", "stat": "status", "": "", "x": "", "wholly-different": "", "rx": "",
	} {
		if got := strings.Join(nearest(word, names), " "); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// slowDistance is distance by its definition.
func slowDistance(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	i, j := len(a)-1, len(b)-1
	d := min(slowDistance(a[:i], b), slowDistance(a, b[:j])) + 1
	if a[i] == b[j] {
		d = min(d, slowDistance(a[:i], b[:j]))
	} else {
		d = min(d, slowDistance(a[:i], b[:j])+1)
	}
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		d = min(d, slowDistance(a[:i-1], b[:j-1])+1)
	}
	return d
}

func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		w := make([]byte, rng.IntN(7))
		for i := range w {
			w[i] = "abc"[rng.IntN(3)]
		}
		return string(w)
	}
	for range 2000 {
		a, b := word(), word()
		if got, want := distance(a, b), slowDistance(a, b); got != want {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
		}
	}
}

// FuzzNormalize checks that nothing but dashes is added to arguments.
func FuzzNormalize(f *testing.F) {
	f.Add("bench -nodes 3 -fast")
	f.Add("group other -nodes 3 -- prog -nodes 4")
	f.Add("group run -- -- -n")
	f.Fuzz(func(t *testing.T, line string) {
		root := tree()
		prepare(root)
		args := strings.Split(line, " ")
		got := normalize(root, args)
		if len(got) != len(args) {
			t.Fatalf("%q became %q", args, got)
		}
		for i := range got {
			if got[i] != args[i] && got[i] != "-"+args[i] {
				t.Errorf("%q became %q", args[i], got[i])
			}
		}
		if again := normalize(root, got); !slices.Equal(again, got) {
			t.Errorf("%q became %q and then %q", args, got, again)
		}
	})
}

// TestErrorText keeps names in one line, whatever they hold, and the lines of several
// errors apart.
func TestErrorText(t *testing.T) {
	name := errors.New("open a\tb\nc: no")
	two := errors.Join(name, errors.New("second"))
	for _, tt := range []struct {
		err  error
		want string
	}{
		{name, `open a\tb\nc: no`},
		{fmt.Errorf("x\ny: %w", name), `x\ny: open a\tb\nc: no`},
		{two, "open a\\tb\\nc: no\nsecond"},
		{fmt.Errorf("faults:\n%w", two), "faults:\nopen a\\tb\\nc: no\nsecond"},
		{fmt.Errorf("%w; %w", name, name), `open a\tb\nc: no; open a\tb\nc: no`},
		{&fs.PathError{Op: "open", Path: "a\nb", Err: errors.New("no")}, `open a\nb: no`},
		{errors.New("\x1b[31mred"), `\x1b[31mred`},
	} {
		if got := errorText(tt.err); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.err, got, tt.want)
		}
	}
}
