package tune

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kumiko/tournament/stats"
	"kumiko/tournament/work"
)

// maxPairs bounds the games of a run.
const maxPairs = 1 << 30

// A method asks for pairs of games and learns from their scores. It depends
// only on its settings and those scores.
type method interface {
	// next returns the pairs to play next; none at the end. most is the number
	// of pairs still to be played; a method whose steps have a fixed size may
	// return more.
	next(most int) []pairing
	// take takes the scores of these pairs.
	take(scores []int)
	// state returns what the log shows about all scores so far.
	state() any
	// done returns the number of pairs played.
	done() int
	// decided reports whether more pairs would change nothing, whatever number
	// was requested.
	decided() bool
	// result returns the best values so far.
	result() []int
	// writeLine writes the progress in a few words.
	writeLine(w io.Writer)
	// writeResult prints the best values so far, one per line.
	writeResult(w io.Writer) error
}

// extend extends a method that has had all its pairs.
func extend(m method, pairs int) error {
	s, ok := m.(*spsa)
	if !ok {
		return errors.New("only spsa has a number of pairs to extend")
	}
	return s.extend(pairs)
}

// run plays games for a method until that many pairs have been played, it wants
// no more, or ctx ends, and keeps the scores in j. In each case it prints the
// best values last.
func run(ctx context.Context, m method, pairs int, a arena, j *journal, stdout io.Writer) error {
	if s, ok := m.(*spsa); ok && pairs != s.Pairs && pairs >= s.done() {
		if err := j.resize(s, pairs); err != nil {
			return err
		}
	}
	if err := j.Mend(); err != nil {
		return err
	}
	if n := j.Cut(); n > 0 {
		fmt.Fprintf(stdout, "%s: cut off %d bytes of an unfinished line\n", j.Name(), n)
	}
	switch n := m.done(); {
	case m.decided():
		fmt.Fprintf(stdout, "%s is decided after %d games\n", j.Name(), 2*n)
	case n > pairs:
		fmt.Fprintf(stdout, "%s already has %d games, more than the %d requested\n", j.Name(), 2*n, 2*pairs)
	case n == pairs:
		fmt.Fprintf(stdout, "%s already has %d games\n", j.Name(), 2*n)
	}
	progress := work.NewProgress(2*m.done(), 2*pairs)
	for m.done() < pairs && !m.decided() {
		list := m.next(pairs - m.done())
		if len(list) == 0 {
			break
		}
		scores, err := a.play(ctx, list)
		if errors.Is(err, context.Canceled) {
			err = errors.Join(&work.Interrupted{Done: 2 * m.done(), Total: 2 * pairs}, m.writeResult(stdout))
		}
		if err != nil {
			return err
		}
		m.take(scores)
		if err := j.add(m, scores); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: ", progress.Line(2*m.done()))
		m.writeLine(stdout)
		fmt.Fprintln(stdout)
	}
	return m.writeResult(stdout)
}

// resize changes the number of pairs of an spsa log. This needs a run that has
// played all of its pairs, since they are its schedule.
func (j *journal) resize(s *spsa, pairs int) error {
	switch {
	case s.done() < s.Pairs:
		return fmt.Errorf("%s: made with --games %d, not with --games %d; it can be extended when these have been played (%d are left)",
			j.Name(), 2*s.Pairs, 2*pairs, 2*(s.Pairs-s.done()))
	case pairs < s.Pairs:
		return nil
	}
	return j.extend(s, pairs)
}

// tally counts pairs by half points, from 0 to 4.
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
