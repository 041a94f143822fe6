package opening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kumiko/engine/board"
	"kumiko/tournament/work"
)

// Confirm is the ratio of the second search's nodes to the first's.
const Confirm = 10

// maxFailures is the number of consecutive rejected openings after which the
// recipe is given up.
const maxFailures = 5000

// A Recipe says how a book of balanced openings is made. Opening number n of
// the recipe consists of random stones determined by the seed and n alone; it
// enters the book if it is not symmetric to one there and two searches, of
// Nodes nodes and of [Confirm] times as many, score it at most Balance for
// either side. The same recipe and engine make the same book.
type Recipe struct {
	Rule          board.Rule
	Width, Height int
	Least, Most   int // stones per opening
	Nodes         int64
	Balance       int
	Seed          uint64
	Bench         int64 // signature of the engine, on which the scores depend
}

// String returns the command that makes such a book.
func (r *Recipe) String() string {
	stones := fmt.Sprint(r.Least)
	if r.Least != r.Most {
		stones += fmt.Sprintf("-%d", r.Most)
	}
	return fmt.Sprintf("tournament openings generate --rule %v --size %s --stones %s --nodes %d --balance %d --seed %d",
		r.Rule, board.FormatSize(r.Width, r.Height), stones, r.Nodes, r.Balance, r.Seed)
}

// Check reports invalid values.
func (r *Recipe) Check() error {
	if _, err := board.New(r.Width, r.Height, r.Rule); err != nil {
		return err
	}
	switch most := r.Width*r.Height - 1; {
	case r.Least < 1 || r.Most > most || r.Least > r.Most:
		return fmt.Errorf("stones must be within 1 and %d, got %d to %d", most, r.Least, r.Most)
	case r.Nodes < 1 || r.Nodes > maxNodes:
		return fmt.Errorf("nodes must be within 1 and %d, got %d", int64(maxNodes), r.Nodes)
	case r.Balance < 0:
		return fmt.Errorf("balance must be at least 0, got %d", r.Balance)
	}
	return nil
}

// maxNodes keeps the nodes of the second search from overflowing.
const maxNodes = 1 << 40

// An Evaluator searches a position for that many nodes and returns its score
// for the side to move. ok is false if one side has a proven win or the move is
// forced. The same position and nodes give the same score, whatever was
// searched before.
type Evaluator func(ctx context.Context, b *board.Board, nodes int64) (score int, ok bool)

// A Book is a book of balanced openings in the making.
type Book struct {
	Recipe
	Tried    int // openings of the recipe tried
	Openings []Opening

	seen map[string]bool // images of Openings
}

// NewBook returns an empty book.
func NewBook(r Recipe) *Book { return &Book{Recipe: r, seen: make(map[string]bool)} }

// Grow tries further openings with that many workers until the book has n. It
// calls report after each opening tried. It ends early on an error from report
// or ctx, or if the recipe finds nothing. A book can be grown in steps and by
// any number of workers: it is the same book.
func (k *Book) Grow(ctx context.Context, n, workers int, newEvaluator func() Evaluator, report func() error) error {
	if len(k.Openings) >= n {
		return nil
	}
	failures := 0 // in a row
	err := work.InOrder(ctx, k.Tried, math.MaxInt, workers, func(int) work.Func[[]board.Move] {
		evaluate := newEvaluator()
		b, err := board.New(k.Width, k.Height, k.Rule)
		return func(ctx context.Context, number int) ([]board.Move, error) {
			if err != nil {
				return nil, err
			}
			if !k.set(b, number) || !k.balanced(ctx, b, evaluate) {
				return nil, ctx.Err()
			}
			return slices.Clone(b.History()), ctx.Err()
		}
	}, func(number int, moves []board.Move) error {
		k.Tried = number + 1
		failures++
		if moves != nil && k.add(moves) {
			failures = 0
		}
		if err := report(); err != nil {
			return err
		}
		switch {
		case len(k.Openings) == n:
			return errGrown
		case failures == maxFailures:
			return fmt.Errorf("none of %d openings in a row is balanced and new: allow a greater balance or other numbers of stones", maxFailures)
		}
		return nil
	})
	if errors.Is(err, errGrown) {
		return nil
	}
	return err
}

// errGrown stops the workers once the book has all its openings.
var errGrown = errors.New("the book has all its openings")

// set puts an opening of the recipe on b, if it can be played.
func (k *Book) set(b *board.Board, number int) bool {
	rng := rand.New(rand.NewPCG(k.Seed, uint64(number)))
	return Scatter(b, rng, k.Least+rng.IntN(k.Most-k.Least+1))
}

// balanced reports whether both searches consider b balanced.
func (k *Book) balanced(ctx context.Context, b *board.Board, evaluate Evaluator) bool {
	for _, nodes := range []int64{k.Nodes, Confirm * k.Nodes} {
		if score, ok := evaluate(ctx, b, nodes); !ok || max(score, -score) > k.Balance {
			return false
		}
	}
	return true
}

// add appends an opening to the book unless a symmetric one is there.
func (k *Book) add(moves []board.Move) bool {
	o := Opening{Moves: moves}
	key := o.Canonical(k.Width, k.Height)
	if k.seen[key] {
		return false
	}
	k.seen[key] = true
	k.Openings = append(k.Openings, o)
	return true
}

// Append appends the text of the book, in the format [Offset] or [Pos]:
// comments with the recipe, and a line for each opening.
func (k *Book) Append(dst []byte, f Format) []byte {
	dst = fmt.Appendf(dst, "# %v\n# bench %d: %d openings of %d tried\n", &k.Recipe, k.Bench, len(k.Openings), k.Tried)
	for _, o := range k.Openings {
		dst = append(dst, o.Format(f, k.Width, k.Height)...)
		dst = append(dst, '\n')
	}
	return dst
}

// ErrOther means that a text is not a book of the requested recipe.
var ErrOther = errors.New("not a book of this recipe and engine")

// ReadBook reads a book of recipe r written by Append, to be grown.
func ReadBook(file string, text []byte, f Format, r Recipe) (*Book, error) {
	k := NewBook(r)
	var bench int64
	var n int
	recipe, rest, _ := bytes.Cut(text, []byte("\n"))
	counts, _, _ := bytes.Cut(rest, []byte("\n"))
	_, err := fmt.Sscanf(string(counts), "# bench %d: %d openings of %d tried", &bench, &n, &k.Tried)
	if string(recipe) != "# "+r.String() || err != nil || bench != r.Bench {
		return nil, fmt.Errorf("%s: %w: %v, bench %d", file, ErrOther, &r, r.Bench)
	}
	list, faults, err := Read(file, text, Options{Format: f, Width: r.Width, Height: r.Height, Rule: r.Rule})
	if n > 0 && (err != nil || len(faults) > 0) {
		return nil, errors.Join(append(faults, err)...)
	}
	for _, o := range list {
		k.add(o.Moves)
	}
	if k.Tried < 0 || len(list) != n || !bytes.Equal(k.Append(nil, f), text) {
		return nil, fmt.Errorf("%s: changed since it was made: it has %d openings, its header says %d", file, len(list), n)
	}
	return k, nil
}
