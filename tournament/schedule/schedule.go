// Package schedule lays out a tournament: which engines play which opening in
// which game. A schedule is a pure function of its settings, so that a
// tournament can be resumed, repeated and judged in the order of the schedule,
// whatever the order in which its games end.
package schedule

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// A Format says who meets whom.
type Format uint8

const (
	RoundRobin Format = iota // everybody meets everybody
	Gauntlet                 // the first engines, the seeds, meet all others
)

// Transforms say under which of the eight symmetries of the board openings
// are played.
type Transforms uint8

const (
	None   Transforms = iota // as the book has them
	Cycle                    // each time a book is used up, under the next symmetry
	Random                   // each under a symmetry of its own
)

// Settings determine a schedule.
type Settings struct {
	Engines  int
	Format   Format
	Seeds    int  // of a gauntlet
	Rounds   int  // openings for each pairing
	Single   bool // play each opening once, colors alternating by rounds; otherwise twice, colors exchanged
	Openings int  // in the book; 0 stands for an empty board
	Shuffle  bool // the book, anew each time that it is used up
	Start    int  // the opening of the first round, from 0, in the order of the book or as it is shuffled

	Transforms Transforms
	Symmetries int // of the board: see board.Symmetries
	Seed       uint64
}

// A Game is one of a schedule. Engines are indices.
type Game struct {
	Number  int // from 1; the games of a pair follow each other
	Pairing int // which two meet: an index in Schedule.Pairings
	Round   int // from 0: which of the pairing's openings
	Leg     int // 0 or 1: which game of the pair
	Black   int // who has the first stone, also that of the opening
	White   int
	Opening int // an index in the book; -1 is the empty board
	Sym     int // the symmetry under which it is played
}

// Pair is the number of the pair to which the game belongs, from 0.
func (s *Schedule) Pair(g Game) int { return (g.Number - 1) / s.legs() }

// MaxGames is how many games a schedule may have.
const MaxGames = 1 << 24

// A Schedule is a list of games: the first opening for all pairings, then the
// second, and so on. All pairings have the same openings.
type Schedule struct {
	Settings
	Pairings [][2]int // the engine named first is that with the lower index
	books    map[int][]int32
}

// New returns the schedule, or what is wrong with the settings.
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

// pairings returns how many pairings there are, before they are made.
func (s *Settings) pairings() int {
	n := min(s.Engines, 2*MaxGames) // or the product is too large
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

// Len is the number of games.
func (s *Schedule) Len() int { return s.Rounds * len(s.Pairings) * s.legs() }

// Pairs is the number of pairs; of games if they are single.
func (s *Schedule) Pairs() int { return s.Rounds * len(s.Pairings) }

// Game returns the game with a number from 1 to Len. It must not be called by
// several goroutines at once.
func (s *Schedule) Game(number int) Game {
	g := s.Key(number)
	g.Opening, g.Sym = s.opening(g.Round)
	return g
}

// Key returns the game with a number from 1 to Len, but for its opening.
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

// opening returns what is played in a round, by all pairings.
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

// Streams keep what the seed decides apart.
const (
	bookStream = iota + 1
	symmetryStream
)

// newSource returns random numbers for one purpose. Of the source only Uint64
// is used, whose values the Go project has promised to keep.
func newSource(seed, stream, index uint64) *rand.PCG {
	return rand.NewPCG(seed, stream<<32^index)
}

// below returns a random number from 0 to n-1, each equally likely: the method
// of Lemire, Fast Random Integer Generation in an Interval.
func below(src *rand.PCG, n int) int {
	for {
		high, low := bits.Mul64(src.Uint64(), uint64(n))
		if low >= -uint64(n)%uint64(n) {
			return int(high)
		}
	}
}

// book returns the order of the openings the cycle-th time through the book.
func (s *Schedule) book(cycle int) []int32 {
	if order, ok := s.books[cycle]; ok {
		return order
	}
	order := make([]int32, s.Openings)
	for i := range order {
		order[i] = int32(i)
	}
	src := newSource(s.Seed, bookStream, uint64(cycle))
	for i := len(order) - 1; i > 0; i-- { // Fisher and Yates
		j := below(src, i+1)
		order[i], order[j] = order[j], order[i]
	}
	s.books[cycle] = order
	return order
}
