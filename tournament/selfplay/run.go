package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kumiko/nn/replay"
	"kumiko/tournament/work"
)

// reportInterval is the time between two progress lines.
const reportInterval = 5 * time.Second

// run plays the games missing from the record and appends them in order.
func (o *options) run(ctx context.Context, stdout io.Writer) error {
	var t tally
	r, err := openRecord(o.out, o.settings, t.add)
	if err != nil {
		return err
	}
	if r.cut > 0 {
		fmt.Fprintf(stdout, "%s: ignoring %d bytes of an unfinished game after game %d\n", o.out, r.cut, r.games)
	}
	return errors.Join(o.play(ctx, r, &t, stdout), r.close())
}

// play plays the games from the end of r on.
func (o *options) play(ctx context.Context, r *record, t *tally, stdout io.Writer) error {
	if r.games >= o.games {
		more := ""
		if r.games > o.games {
			more = fmt.Sprintf(", more than --games %d", o.games)
		}
		_, err := fmt.Fprintf(stdout, "%s already has %d games%s: %v\n", o.out, r.games, more, t)
		return err
	}
	progress, shown := work.NewProgress(r.games, o.games), time.Now()
	report := func() {
		fmt.Fprintf(stdout, "%s: %v\n", progress.Line(r.games), t)
		shown = time.Now()
	}
	err := work.InOrder(ctx, r.games, o.games, o.concurrency, func(int) work.Func[*replay.Game] {
		return newPlayer(o).play
	}, func(n int, g *replay.Game) error {
		if err := r.add(g); err != nil {
			return err
		}
		t.add(g)
		if time.Since(shown) >= reportInterval || r.games == o.games {
			report()
		}
		return nil
	})
	if errors.Is(err, context.Canceled) {
		report()
		err = &work.Interrupted{Done: r.games, Total: o.games}
	}
	return err
}

// A tally counts games.
type tally struct {
	games   int
	plies   int
	results [3]int // black won, drawn, white won
}

func (t *tally) add(g *replay.Game) {
	t.games++
	t.plies += len(g.Plies)
	t.results[1-g.Result]++
}

func (t *tally) String() string {
	if t.games == 0 {
		return "no game yet"
	}
	return fmt.Sprintf("black won %d, drew %d, lost %d; %.1f plies a game with side lines",
		t.results[0], t.results[1], t.results[2], float64(t.plies)/float64(t.games))
}
