package tune

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kumiko/tournament/stats"
)

// maxPairs bounds the games of a run.
const maxPairs = 1 << 30

// A method asks for pairs of games and learns from their scores. What it does
// depends on its settings and those scores alone.
type method interface {
	// next returns the pairs that are to be played now; none at the end.
	next() []pairing
	// take takes the scores of these pairs.
	take(scores []int)
	// state is what the log shows to readers about the last scores.
	state() any
	// done is the number of pairs that have been played.
	done() int
	// result returns the best values so far.
	result() []int
	// writeLine says in a few words how it stands.
	writeLine(w io.Writer)
	// writeResult prints the best values so far, one a line.
	writeResult(w io.Writer) error
}

// run lets a method have its games, until that many pairs have been played, it
// wants no more, or ctx ends, and keeps the scores in j. In each case the best
// values are printed last.
func run(ctx context.Context, m method, pairs int, a arena, j *journal, stdout io.Writer) error {
	start, before := time.Now(), m.done()
	for m.done() < pairs {
		list := m.next()
		if len(list) == 0 {
			break
		}
		scores, err := a.play(ctx, list)
		if err != nil {
			if ctx.Err() != nil {
				err = errors.Join(err, m.writeResult(stdout))
			}
			return err
		}
		m.take(scores)
		if err := j.add(scores, m.state()); err != nil {
			return err
		}
		speed := float64(2*(m.done()-before)) / time.Since(start).Seconds()
		fmt.Fprintf(stdout, "%d of %d games, %.1f/s: ", 2*m.done(), 2*max(pairs, m.done()), speed)
		m.writeLine(stdout)
		fmt.Fprintln(stdout)
	}
	return m.writeResult(stdout)
}

// tally counts pairs by their half points, from 0 to 4.
type tally [5]int

func (t *tally) add(score int) { t[score]++ }

// counts returns the counts for package stats.
func (t *tally) counts() stats.Counts { return stats.Counts(t[:]) }

// String returns the counts as tournaments print them.
func (t *tally) String() string {
	return t.counts().String()
}

// writeValues prints values with their defaults, and more columns if column
// is not nil.
func writeValues(w io.Writer, params []param, values []int, header string, column func(i int) string) error {
	if _, err := fmt.Fprintf(w, "%-16s%8s%10s%8s%s\n", "name", "value", "default", "change", header); err != nil {
		return err
	}
	for i, p := range params {
		more := ""
		if column != nil {
			more = column(i)
		}
		if _, err := fmt.Fprintf(w, "%-16s%8d%10d%+8d%s\n", p.Name, values[i], p.Default, values[i]-p.Default, more); err != nil {
			return err
		}
	}
	return nil
}
