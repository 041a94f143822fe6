package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/opening"
	"kumiko/tournament/outfile"
)

// generateMemory is the memory of an engine that scores openings. Books depend
// on it, as it decides what the transposition table forgets.
const generateMemory = 32 << 20

// saveEvery is the interval at which a growing book is saved, and reportEvery
// that of progress lines.
const (
	saveEvery   = 10 * time.Second
	reportEvery = 5 * time.Second
)

// A generator makes a book of openings for the command generate.
type generator struct {
	recipe      opening.Recipe
	format      opening.Format
	count       int
	concurrency int
	out         string // "" means stdout
	engine      engine.Options
}

// generateCommand is the command openings generate.
func generateCommand(options func() engine.Options) *cobra.Command {
	var g generator
	c := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Make a book of balanced openings",
		Long: `Make a book of balanced openings: stones near each other and near the middle of the board, at random, that
two searches, the second with ten times the nodes, score within the balance for either side. No two are images
of each other under the symmetries of the board. The same flags make the same book, whatever the concurrency;
its first lines record them. An interrupted book is continued, and an existing one extended to the count.`,
		Args: cobra.NoArgs,
	}
	fs := c.Flags()
	rule := fs.String("rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	size := fs.String("size", "15", "`size` of the board, such as 15 or 20x15")
	stones := fs.String("stones", "3-8", "`stones` of an opening, such as 5 or 3-8")
	fs.IntVar(&g.count, "count", 500, "`openings` to make")
	fs.Int64Var(&g.recipe.Nodes, "nodes", 5000, "`nodes` of the first search; the second has ten times as many")
	fs.IntVar(&g.recipe.Balance, "balance", 50, "`bound` on the score, for either side; 200 is a winning chance of 73 %")
	fs.Uint64Var(&g.recipe.Seed, "seed", 1, "`seed` of the openings")
	fs.StringVar(&g.out, "out", "", "`file` of the book, in the format pos if named .pos, otherwise offset (default standard output, as pos)")
	fs.IntVar(&g.concurrency, "concurrency", runtime.NumCPU(), "`searches` at a time")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := g.set(*rule, *size, *stones); err != nil {
			return err
		}
		g.engine = options()
		// The tables judge openings: their search is the same everywhere and
		// in every version of the same bench, so books can be made again.
		g.engine.Evaluation = engine.ByTables
		err := g.run(c.Context(), c.OutOrStdout())
		if errors.Is(err, context.Canceled) && g.out != "" {
			return &exitError{errors.New("interrupted; continue with the same command"), exitInterrupted}
		}
		return err
	}
	return c
}

// set parses the remaining flags and checks them all.
func (g *generator) set(rule, size, stones string) (err error) {
	r := &g.recipe
	var cfg config.Config
	if err := errors.Join(cfg.Rule.UnmarshalText([]byte(rule)), cfg.SetSize(size)); err != nil {
		return err
	}
	r.Rule, r.Width, r.Height = cfg.Rule.Rule, cfg.Width, cfg.Height
	least, most, isRange := strings.Cut(stones, "-")
	if !isRange {
		most = least
	}
	var errMost error
	r.Least, err = strconv.Atoi(least)
	r.Most, errMost = strconv.Atoi(most)
	if err != nil || errMost != nil {
		return fmt.Errorf("invalid stones %q, want a number or a range such as 3-8", stones)
	}
	if err := r.Check(); err != nil {
		return err
	}
	switch {
	case g.count < 1:
		return fmt.Errorf("count must be at least 1, got %d", g.count)
	case g.concurrency < 1:
		return fmt.Errorf("concurrency must be at least 1, got %d", g.concurrency)
	}
	g.format = opening.Pos
	if g.out != "" {
		if g.format = opening.GuessFormat(g.out); g.format != opening.Offset && g.format != opening.Pos {
			return fmt.Errorf("%s: a book is written as offset or pos, not as %v", g.out, g.format)
		}
	}
	if g.out == "" {
		return nil
	}
	return checkWritable(g.out)
}

// run makes the book, or what is missing of it.
func (g *generator) run(ctx context.Context, stdout io.Writer) (err error) {
	if g.recipe.Bench, err = signature(ctx, g.engine); err != nil {
		return err
	}
	return g.grow(ctx, stdout)
}

// grow extends the book to the count.
func (g *generator) grow(ctx context.Context, stdout io.Writer) error {
	book, err := g.open()
	if err != nil {
		return err
	}
	had := len(book.Openings)
	if had >= g.count {
		fmt.Fprintf(stdout, "%s has %d openings already\n", g.out, had)
		return nil
	}
	start, saved := time.Now(), time.Now()
	said := start
	err = book.Grow(ctx, g.count, g.concurrency, g.newEvaluator, func() error {
		if g.out == "" {
			return nil
		}
		now := time.Now()
		if n := len(book.Openings); now.Sub(said) >= reportEvery && n < g.count {
			said = now
			line := fmt.Sprintf("%d of %d openings, %d tried", n, g.count, book.Tried)
			if n > had {
				each := now.Sub(start) / time.Duration(n-had)
				line += fmt.Sprintf(", %.1f a second, about %v to go", float64(time.Second)/float64(each), (each * time.Duration(g.count-n)).Round(time.Second))
			}
			fmt.Fprintln(stdout, line)
		}
		if now.Sub(saved) >= saveEvery {
			saved = now
			return g.save(book, stdout)
		}
		return nil
	})
	if g.out == "" && err != nil {
		return err // a partial book on standard output would pass for a whole one
	}
	if errSave := g.save(book, stdout); errSave != nil {
		return errSave
	}
	if err == nil && g.out != "" {
		fmt.Fprintf(stdout, "%d openings of %d tried in %s\n", len(book.Openings), book.Tried, g.out)
	}
	return err
}

// open returns the existing book, or a new one. A file that is not a book of
// this recipe is never replaced.
func (g *generator) open() (*opening.Book, error) {
	if g.out == "" {
		return opening.NewBook(g.recipe), nil
	}
	text, err := outfile.Read(g.out)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return opening.NewBook(g.recipe), nil
	case err != nil:
		return nil, err
	}
	book, err := opening.ReadBook(g.out, text, g.format, g.recipe)
	if errors.Is(err, opening.ErrOther) {
		return nil, fmt.Errorf("%w: refusing to overwrite it", err)
	}
	return book, err
}

// save writes the current book.
func (g *generator) save(book *opening.Book, stdout io.Writer) error {
	text := book.Append(nil, g.format)
	write := func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
	if g.out == "" {
		return write(stdout)
	}
	return outfile.Write(g.out, write)
}

// newEvaluator returns an evaluator with its own engine.
func (g *generator) newEvaluator() opening.Evaluator {
	o := g.engine
	o.Memory, o.Threads = generateMemory, 1
	e := engine.New(o)
	return func(ctx context.Context, b *board.Board, nodes int64) (score int, ok bool) {
		e.Reset()
		res := e.Search(ctx, engine.Request{
			Board:  b,
			Limits: engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: nodes},
		}, nil)
		_, proven := res.Score.Mate()
		return int(res.Score), res.Depth > 0 && !proven
	}
}

// signature returns the node count of the engine's bench, which changes with
// its search.
func signature(ctx context.Context, o engine.Options) (nodes int64, err error) {
	o.Threads = 1
	err = engine.Bench(ctx, o, engine.BenchDepth, func(_ engine.BenchPosition, r engine.Result) { nodes += r.Nodes })
	return nodes, err
}
