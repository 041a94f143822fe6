package selfplay

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"kumiko/nn/replay"
)

// reportEvery is the number of games between two lines of progress.
const reportEvery = 100

// played is a finished game.
type played struct {
	number int
	game   *replay.Game
	err    error
}

// run plays the games from number done on and appends them to w in order.
func (o *options) run(ctx context.Context, w io.Writer, done int, stdout io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	games := o.play(ctx, done)
	t := tally{start: time.Now()}
	waiting := map[int]*replay.Game{}
	for p := range games {
		if p.err != nil {
			return p.err
		}
		waiting[p.number] = p.game
		for g := waiting[done]; g != nil; g = waiting[done] {
			delete(waiting, done)
			data, err := replay.AppendGame(nil, g)
			if err != nil {
				return err
			}
			if _, err := w.Write(data); err != nil {
				return err
			}
			done++
			t.add(g)
			if done%reportEvery == 0 || done == o.games {
				fmt.Fprintf(stdout, "%d games: %v\n", done, &t)
			}
		}
	}
	return ctx.Err()
}

// play starts the workers. Their games arrive in about the order of their
// numbers; the channel is closed when all are there, or soon after ctx ended.
func (o *options) play(ctx context.Context, first int) <-chan played {
	numbers := make(chan int)
	games := make(chan played)
	var workers sync.WaitGroup
	for range o.concurrency {
		workers.Go(func() {
			p := newPlayer(o)
			for n := range numbers {
				g, err := p.play(ctx, n)
				select {
				case games <- played{n, g, err}:
				case <-ctx.Done():
				}
			}
		})
	}
	go func() {
		defer close(numbers)
		for n := first; n < o.games; n++ {
			select {
			case numbers <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(games)
	}()
	return games
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
