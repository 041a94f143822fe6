package selfplay

import (
	"context"
	"fmt"
	"io"
	"time"

	"kumiko/nn/replay"
	"kumiko/tournament/work"
)

// reportEvery is the number of games between two lines of progress.
const reportEvery = 100

// run plays the games from number done on and appends them to w in order.
func (o *options) run(ctx context.Context, w io.Writer, done int, stdout io.Writer) error {
	t := tally{start: time.Now()}
	return work.InOrder(ctx, done, o.games, o.concurrency, func(int) work.Func[*replay.Game] {
		return newPlayer(o).play
	}, func(n int, g *replay.Game) error {
		data, err := replay.AppendGame(nil, g)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		t.add(g)
		if done := n + 1; done%reportEvery == 0 || done == o.games {
			fmt.Fprintf(stdout, "%d games: %v\n", done, &t)
		}
		return nil
	})
}

// tally counts what was played.
type tally struct {
	start   time.Time
	games   int
	plies   int
	results [3]int // white won, draw, black won
}

func (t *tally) add(g *replay.Game) {
	t.games++
	t.plies += len(g.Plies)
	t.results[g.Result+1]++
}

func (t *tally) String() string {
	seconds := time.Since(t.start).Seconds()
	return fmt.Sprintf("black %d, white %d, draw %d; %.1f plies a game with asides, %.2f games a second",
		t.results[2], t.results[0], t.results[1], float64(t.plies)/float64(t.games), float64(t.games)/seconds)
}
