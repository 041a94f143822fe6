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
	"kumiko/tournament/outfile"
	"kumiko/tournament/play"
	"kumiko/tournament/report"
)

const compatUsage = `Run a tournament with the arguments of c-gomoku-cli, and print its result lines:
  -each -engine    cmd= name= tc= depth= nodes= maxmemory= thread= tolerance= option.NAME=
  -rule 0|1|4|8|9  -boardsize N  -games N  -rounds N  -gauntlet  -repeat  -transform
  -openings        file= type=offset|pos order=random|sequential srand=N
  -sprt            elo0= elo1= alpha= beta=   counts pairs, so needs -repeat
  -draw COUNT SCORE  -resign COUNT SCORE  -drawafter N
  -concurrency N  -sendbyboard  -fatalerror  -log  -debug
  -pgn FILE  -sgf FILE  -msg FILE  -loseonly
  -sample          freq= format=csv|bin|binpack file=
In addition, -out FOLDER says where to keep the log for resume and report.`

// A compatRun is a run described by c-gomoku-cli's arguments.
type compatRun struct {
	flags         []string // the equivalent flags of run
	dir           string
	pgn, sgf, msg string
	sample        *sampling // nil for no sample

	games, rounds int
	repeat        bool
	gauntlet      bool
	loseOnly      bool
	transform     bool
	keys          map[string][]string // of openings and sprt
}

// sampling says which positions are written, where and how.
type sampling struct {
	file   string
	format report.SampleFormat
	freq   float64
}

// compatCommand is the command compat, which is run with the arguments of
// c-gomoku-cli.
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
	var files []string
	for _, x := range c.records() {
		files = append(files, x.file)
		if err := checkOutput(x.file, x.kind, c.dir); err != nil {
			return err
		}
	}
	if err := outfile.Distinct(files...); err != nil {
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
	if c.sample != nil {
		if err := c.sample.format.CheckSamples(&cfg); err != nil {
			return fmt.Errorf("-sample: %w", err)
		}
	}
	t, err := play.Begin(ctx, cfg, c.dir)
	if err != nil {
		return err // the folder may hold another tournament
	}
	o := &output{View: play.View{Out: stdout, Compat: c.games}}
	return errors.Join(o.play(ctx, t, c.dir), c.export())
}

// A record is a file to write at the end.
type record struct {
	file  string
	kind  outfile.Kind
	write func(io.Writer, *journal.Log) error
}

// records returns the requested files.
func (c *compatRun) records() (list []record) {
	for _, r := range []record{
		{c.pgn, report.PGNFile, report.WritePGN},
		{c.sgf, report.SGFFile, report.WriteSGF},
		{c.msg, report.MessagesFile, func(w io.Writer, log *journal.Log) error {
			return report.WriteMessages(w, log, func(e *journal.End) ([]byte, error) { return readTranscript(c.dir, e) })
		}},
	} {
		if r.file != "" {
			list = append(list, r)
		}
	}
	if s := c.sample; s != nil {
		list = append(list, record{s.file, s.format.Kind(), func(w io.Writer, log *journal.Log) error {
			return report.WriteSamples(w, log, s.format, s.freq, log.Config.Seed)
		}})
	}
	return list
}

// export writes the requested records.
func (c *compatRun) export() error {
	list := c.records()
	if len(list) == 0 {
		return nil
	}
	log, err := journal.Read(c.dir)
	if err != nil {
		return err
	}
	if c.loseOnly && c.gauntlet {
		log.Games = slices.Clone(log.Games)
		for i, e := range log.Games {
			if e != nil && e.Points(0) != 0 {
				log.Games[i] = nil
			}
		}
	}
	for _, r := range list {
		err = errors.Join(err, outfile.Write(r.file, func(w io.Writer) error { return r.write(w, log) }))
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

// option handles an option and its values.
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
	case "-msg":
		c.msg, err = single(values)
		c.flags = append(c.flags, "--transcripts=all") // the source of messages
	case "-sample":
		return c.setSample(values)
	case "-draw", "-resign":
		return c.adjudicate(name, values)
	case "-openings", "-sprt":
		c.keys[name] = values
	case "-repeat", "-gauntlet", "-loseonly", "-transform", "-log", "-debug", "-sendbyboard", "-fatalerror":
		if len(values) > 0 {
			return fmt.Errorf("unexpected %q", values[0])
		}
		c.toggle(name)
	default:
		return errors.New("unknown option")
	}
	return err
}

// toggle handles an option without values.
func (c *compatRun) toggle(name string) {
	switch name {
	case "-repeat":
		c.repeat = true
	case "-gauntlet":
		c.gauntlet = true
		c.flags = append(c.flags, "--format=gauntlet")
	case "-loseonly":
		c.loseOnly = true
	case "-transform":
		c.transform = true
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
			return fmt.Errorf("missing = in %q", v)
		}
		if name, ok := strings.CutPrefix(v, "option."); ok {
			v = "info." + name
		}
		values[i] = quoteWord(v)
	}
	c.flags = append(c.flags, "-"+name, strings.Join(values, " "))
	return nil
}

// finish translates whatever depends on several options.
func (c *compatRun) finish() error {
	rounds := c.games * c.rounds
	if !c.repeat {
		c.flags = append(c.flags, "--no-swap")
	} else if rounds%2 != 0 {
		return fmt.Errorf("with -repeat, the games of a pairing must be even, got %d", rounds)
	} else {
		rounds /= 2
	}
	c.flags = append(c.flags, fmt.Sprintf("--rounds=%d", rounds))
	c.openings()
	if values, ok := c.keys["-sprt"]; ok {
		if !c.repeat {
			return errors.New("-sprt: the test counts pairs, which need -repeat")
		}
		for i, v := range values {
			values[i] = quoteWord(v)
		}
		c.flags = append(c.flags, "--sprt", strings.Join(append(values, "model=logistic"), " "))
	}
	return nil
}

// openings translates the source of openings. Without a book c-gomoku-cli plays
// on an empty board, which has only one symmetry.
func (c *compatRun) openings() {
	values, ok := c.keys["-openings"]
	if !ok {
		c.flags = append(c.flags, "--openings=file="+config.NoBook)
		return
	}
	if c.transform {
		c.flags = append(c.flags, "--openings=transform=cycle")
	}
	typed := false
	for _, v := range values {
		if seed, ok := strings.CutPrefix(v, "srand="); ok {
			c.flags = append(c.flags, "--seed="+seed)
			continue
		}
		typed = typed || strings.HasPrefix(v, "type=")
		c.flags = append(c.flags, "--openings", quoteWord(v))
	}
	if !typed {
		c.flags = append(c.flags, "--openings=type=offset")
	}
}

// adjudicate translates the two numbers of -draw and -resign. A count of 0
// turns them off.
func (c *compatRun) adjudicate(name string, values []string) error {
	if len(values) != 2 {
		return fmt.Errorf("want a count and a score, got %d values", len(values))
	}
	for _, v := range values {
		if n, err := strconv.Atoi(v); err != nil || n < 0 {
			return fmt.Errorf("invalid number %q", v)
		}
	}
	if n, _ := strconv.Atoi(values[0]); n > 0 {
		c.flags = append(c.flags, "-"+name, fmt.Sprintf("number=0 count=%s score=%s", values[0], values[1]))
	}
	return nil
}

// setSample parses the keys of -sample.
func (c *compatRun) setSample(values []string) (err error) {
	s := &sampling{format: report.SampleCSV, freq: 1}
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		switch key {
		case "freq":
			if s.freq, err = strconv.ParseFloat(value, 64); err != nil || !(s.freq >= 0 && s.freq <= 1) {
				return fmt.Errorf("freq must be between 0 and 1, got %q", value)
			}
		case "file":
			s.file = value
		case "format":
			s.format = report.SampleFormat(value)
			if strings.HasSuffix(value, "_lz4") {
				return fmt.Errorf("format %s is not written: write %s and compress it with lz4", value, strings.TrimSuffix(value, "_lz4"))
			}
			if err := s.format.Check(); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown key %q, want freq, format or file", v)
		}
	}
	if s.file == "" {
		s.file = "sample." + string(s.format)
	}
	c.sample = s
	return nil
}

// single returns the only value.
func single(values []string) (string, error) {
	if len(values) != 1 {
		return "", fmt.Errorf("want one value, got %d", len(values))
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
		return 0, fmt.Errorf("invalid number of games %q", s)
	}
	return n, nil
}

// quoteWord quotes s as one word in a group of keys.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }
