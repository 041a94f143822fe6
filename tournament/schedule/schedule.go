// Package schedule lays out a tournament: which engines play which opening in
// which game. A schedule is a pure function of its settings, so a tournament
// can be resumed, repeated and evaluated in schedule order, whatever the order
// in which its games end.
package schedule

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// A Format says which engines meet.
type Format uint8

const (
	RoundRobin Format = iota // all engines meet each other
	Gauntlet                 // the first engines, the seeds, meet all others
)

// Transforms say under which of the board's eight symmetries openings are
// played.
type Transforms uint8

const (
	None   Transforms = iota // as the book has them
	Cycle                    // the next symmetry each time the book is used up
	Random                   // a random symmetry for each
)

// Settings determine a schedule.
type Settings struct {
	Engines  int
	Format   Format
	Seeds    int  // of a gauntlet
	Rounds   int  // openings per pairing
	Single   bool // play each opening once, colors alternating by rounds; otherwise twice, colors exchanged
	Openings int  // in the book; 0 means an empty board
	Shuffle  bool // shuffle the book, anew each time it is used up
	Start    int  // the opening of the first round, from 0, in book or shuffled order

	Transforms Transforms
	Symmetries int // of the board: see board.Symmetries
	Seed       uint64
}

// A Game is a game of a schedule. Engines are indices.
type Game struct {
	Number  int // from 1; the games of a pair are consecutive
	Pairing int // an index in Schedule.Pairings
	Round   int // from 0: which of the pairing's openings
	Leg     int // 0 or 1: which game of the pair
	Black   int // the engine with the first stone, including the opening's
	White   int
	Opening int // an index in the book; -1 means an empty board
	Sym     int // the symmetry under which it is played
}

// Pair returns the number of the game's pair, from 0.
func (s *Schedule) Pair(g Game) int { return (g.Number - 1) / s.legs() }

// MaxGames bounds the number of games of a schedule.
const MaxGames = 1 << 24

// A Schedule is a list of games: the first opening for all pairings, then the
// second, and so on. All pairings have the same openings.
type Schedule struct {
	Settings
	Pairings [][2]int // lower index first
	books    map[int][]int32
}

// New returns a schedule, or an error if the settings are invalid.
func New(s Settings) (*Schedule, error) {
	switch {
	case s.Engines < 2:
		return nil, fmt.Errorf("a tournament needs at least two engines, got %d", s.Engines)
	case s.Rounds < 1:
		return nil, fmt.Errorf("rounds must be at least 1, got %d", s.Rounds)
	case s.Rounds > MaxGames:
		return nil, fmt.Errorf("rounds must be at most %d, got %d", MaxGames, s.Rounds)
	case s.Format == Gauntlet && (s.Seeds < 1 || s.Seeds >= s.Engines):
		return nil, fmt.Errorf("seeds of a gauntlet of %d engines must be within 1 and %d, got %d", s.Engines, s.Engines-1, s.Seeds)
	case s.Openings > 0 && (s.Start < 0 || s.Start >= s.Openings):
		return nil, fmt.Errorf("start must be within 1 and the %d openings of the book, got %d", s.Openings, s.Start+1)
	case s.Transforms != None && s.Symmetries < 1:
		return nil, fmt.Errorf("a board has at least one symmetry, got %d", s.Symmetries)
	}
	if s.pairings() > MaxGames {
		return nil, fmt.Errorf("%d engines make more than %d pairings", s.Engines, MaxGames)
	}
	sch := &Schedule{Settings: s, books: make(map[int][]int32)}
	for i := range s.Engines {
		if s.Format == Gauntlet && i >= s.Seeds {
			break
		}
		for j := i + 1; j < s.Engines; j++ {
			if s.Format == Gauntlet && j < s.Seeds {
				continue // seeds do not meet
			}
			sch.Pairings = append(sch.Pairings, [2]int{i, j})
		}
	}
	if n := sch.Len(); n > MaxGames {
		return nil, fmt.Errorf("%d games are more than %d", n, MaxGames)
	}
	return sch, nil
}

// pairings returns the number of pairings without making them.
func (s *Settings) pairings() int {
	n := min(s.Engines, 2*MaxGames) // keeps the product from overflowing
	if s.Format == Gauntlet {
		return s.Seeds * (n - s.Seeds)
	}
	return n * (n - 1) / 2
}

func (s *Schedule) legs() int {
	if s.Single {
		return 1
	}
	return 2
}

// Len returns the number of games.
func (s *Schedule) Len() int { return s.Rounds * len(s.Pairings) * s.legs() }

// Pairs returns the number of pairs; of games if they are single.
func (s *Schedule) Pairs() int { return s.Rounds * len(s.Pairings) }

// Game returns the game with a number from 1 to Len. It is not safe for
// concurrent use.
func (s *Schedule) Game(number int) Game {
	g := s.Key(number)
	g.Opening, g.Sym = s.opening(g.Round)
	return g
}

// Key returns the game with a number from 1 to Len, without its opening.
func (s *Schedule) Key(number int) Game {
	pair, leg := (number-1)/s.legs(), (number-1)%s.legs()
	g := Game{
		Number:  number,
		Pairing: pair % len(s.Pairings),
		Round:   pair / len(s.Pairings),
		Leg:     leg,
	}
	p := s.Pairings[g.Pairing]
	if swap := leg == 1 || s.Single && g.Round%2 == 1; swap {
		p[0], p[1] = p[1], p[0]
	}
	g.Black, g.White = p[0], p[1]
	return g
}

// opening returns the opening that all pairings play in a round.
func (s *Schedule) opening(round int) (opening, sym int) {
	if s.Openings == 0 {
		return -1, 0
	}
	round += s.Start
	cycle, opening := round/s.Openings, round%s.Openings
	if s.Shuffle {
		opening = int(s.book(cycle)[opening])
	}
	switch s.Transforms {
	case Cycle:
		sym = cycle % s.Symmetries
	case Random:
		sym = below(newSource(s.Seed, symmetryStream, uint64(round)), s.Symmetries)
	}
	return opening, sym
}

// Streams separate the uses of the seed.
const (
	bookStream = iota + 1
	symmetryStream
)

// newSource returns a source of random numbers for one purpose. Only Uint64 is
// used, whose values the Go project has promised to keep.
func newSource(seed, stream, index uint64) *rand.PCG {
	return rand.NewPCG(seed, stream<<32^index)
}

// below returns a uniform random number from 0 to n-1 by the method of Lemire,
// Fast Random Integer Generation in an Interval.
func below(src *rand.PCG, n int) int {
	for {
		high, low := bits.Mul64(src.Uint64(), uint64(n))
		if low >= -uint64(n)%uint64(n) {
			return int(high)
		}
	}
}

// book returns the order of the openings in the cycle-th pass through the book.
func (s *Schedule) book(cycle int) []int32 {
	if order, ok := s.books[cycle]; ok {
		return order
	}
	order := make([]int32, s.Openings)
	for i := range order {
		order[i] = int32(i)
	}
	src := newSource(s.Seed, bookStream, uint64(cycle))
	for i := len(order) - 1; i > 0; i-- { // Fisher-Yates shuffle
		j := below(src, i+1)
		order[i], order[j] = order[j], order[i]
	}
	s.books[cycle] = order
	return order
}
