package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/play"
	"kumiko/tournament/report"
)

const compatUsage = `Run a tournament with the arguments of c-gomoku-cli, and print its lines of results:
  -each -engine    cmd= name= tc= depth= nodes= maxmemory= thread= tolerance= option.NAME=
  -rule 0|1|4|8|9  -boardsize N  -games N  -rounds N  -gauntlet  -repeat  -transform
  -openings        file= type=offset|pos order=random|sequential srand=N
  -sprt            elo0= elo1= alpha= beta=   of pairs, so that it needs -repeat
  -concurrency N  -drawafter N  -sendbyboard  -fatalerror  -log  -debug
  -pgn FILE  -sgf FILE
One more is -out FOLDER, where the log goes, for resume and report.`

// A compatRun is what c-gomoku-cli's arguments ask for.
type compatRun struct {
	flags    []string // the same for run
	dir      string
	pgn, sgf string

	games, rounds int
	repeat        bool
	keys          map[string][]string // of openings and sprt
}

// compatCommand is the command compat: run in the guise of c-gomoku-cli, whose
// language its arguments are.
func compatCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "compat -engine KEY=VALUE… -engine KEY=VALUE… [OPTION…]",
		Short:              "Run with the arguments of c-gomoku-cli",
		Long:               compatUsage,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
				return c.Help()
			}
			return compat(c.Context(), args, c.OutOrStdout())
		},
	}
}

// compat plays a tournament.
func compat(ctx context.Context, args []string, stdout io.Writer) error {
	c, err := parseCompat(args)
	if err != nil {
		return err
	}
	if err := errors.Join(checkOutput(c.pgn), checkOutput(c.sgf)); err != nil {
		return err
	}
	var l config.Loader
	fs := pflag.NewFlagSet("compat", pflag.ContinueOnError)
	l.AddFlags(fs)
	if err := fs.Parse(c.flags); err != nil {
		return err
	}
	cfg, err := l.Config()
	if err != nil {
		return err
	}
	err = begin(ctx, cfg, c.dir, &output{View: play.View{Out: stdout, Compat: true}})
	return errors.Join(err, c.export())
}

// export writes the records that were asked for.
func (c *compatRun) export() error {
	if c.pgn == "" && c.sgf == "" {
		return nil
	}
	log, err := journal.Read(c.dir)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		file  string
		write func(io.Writer, *journal.Log) error
	}{{c.pgn, report.WritePGN}, {c.sgf, report.WriteSGF}} {
		if x.file != "" {
			err = errors.Join(err, report.WriteFile(x.file, func(w io.Writer) error { return x.write(w, log) }))
		}
	}
	return err
}

// parseCompat translates c-gomoku-cli's arguments.
func parseCompat(args []string) (*compatRun, error) {
	c := &compatRun{games: 1, rounds: 1, dir: newFolder(), keys: map[string][]string{}}
	c.flags = []string{"--each", "tolerance=3"}
	for len(args) > 0 {
		name := args[0]
		n := 1
		for n < len(args) && (!strings.HasPrefix(args[n], "-") || isNumber(args[n])) {
			n++
		}
		if err := c.option(name, args[1:n]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		args = args[n:]
	}
	return c, c.finish()
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// option takes an option and its values in.
func (c *compatRun) option(name string, values []string) (err error) {
	if same, ok := map[string]string{"-concurrency": "concurrency", "-drawafter": "max-plies", "-rule": "rule", "-boardsize": "size"}[name]; ok {
		value, err := single(values)
		c.flags = append(c.flags, "--"+same+"="+value)
		return err
	}
	switch name {
	case "-each", "-engine":
		return c.engine(name, values)
	case "-games":
		c.games, err = count(values)
	case "-rounds":
		c.rounds, err = count(values)
	case "-out":
		c.dir, err = single(values)
	case "-pgn":
		c.pgn, err = single(values)
	case "-sgf":
		c.sgf, err = single(values)
	case "-openings", "-sprt":
		c.keys[name] = values
	case "-repeat", "-gauntlet", "-transform", "-log", "-debug", "-sendbyboard", "-fatalerror":
		if len(values) > 0 {
			return fmt.Errorf("unexpected %q", values[0])
		}
		c.toggle(name)
	case "-msg", "-sample", "-loseonly", "-draw", "-resign":
		return errors.New("not supported")
	default:
		return errors.New("there is no such option")
	}
	return err
}

// toggle takes an option without values in.
func (c *compatRun) toggle(name string) {
	switch name {
	case "-repeat":
		c.repeat = true
	case "-gauntlet":
		c.flags = append(c.flags, "--format=gauntlet")
	case "-transform":
		c.flags = append(c.flags, "--openings=transform=cycle")
	case "-log", "-debug":
		c.flags = append(c.flags, "--transcripts=all")
	case "-sendbyboard":
		c.flags = append(c.flags, "--each=board=always")
	case "-fatalerror":
		c.flags = append(c.flags, "--on-failure=abort")
	}
}

// engine translates the keys of an engine.
func (c *compatRun) engine(name string, values []string) error {
	for i, v := range values {
		_, _, found := strings.Cut(v, "=")
		if !found {
			return fmt.Errorf("%q has no =", v)
		}
		if name, ok := strings.CutPrefix(v, "option."); ok {
			v = "info." + name
		}
		values[i] = quoteWord(v)
	}
	c.flags = append(c.flags, "-"+name, strings.Join(values, " "))
	return nil
}

// finish translates what depends on several options.
func (c *compatRun) finish() error {
	rounds := c.games * c.rounds
	if !c.repeat {
		c.flags = append(c.flags, "--no-swap")
	} else if rounds%2 != 0 {
		return fmt.Errorf("with -repeat, %d games a pairing are no pairs", rounds)
	} else {
		rounds /= 2
	}
	c.flags = append(c.flags, fmt.Sprintf("--rounds=%d", rounds))
	for _, v := range c.keys["-openings"] {
		if seed, ok := strings.CutPrefix(v, "srand="); ok {
			c.flags = append(c.flags, "--seed="+seed)
			continue
		}
		c.flags = append(c.flags, "--openings", quoteWord(v))
	}
	if _, ok := c.keys["-openings"]; ok && !slices.ContainsFunc(c.keys["-openings"], func(s string) bool { return strings.HasPrefix(s, "type=") }) {
		c.flags = append(c.flags, "--openings=type=offset")
	}
	if values, ok := c.keys["-sprt"]; ok {
		if !c.repeat {
			return errors.New("-sprt: the test is of pairs, which only -repeat makes")
		}
		for i, v := range values {
			values[i] = quoteWord(v)
		}
		c.flags = append(c.flags, "--sprt", strings.Join(append(values, "model=logistic"), " "))
	}
	return nil
}

// single returns the only value.
func single(values []string) (string, error) {
	if len(values) != 1 {
		return "", fmt.Errorf("it has %d values, not one", len(values))
	}
	return values[0], nil
}

func count(values []string) (int, error) {
	s, err := single(values)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number of games", s)
	}
	return n, nil
}

// quoteWord makes one word of s for a group of keys.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }
