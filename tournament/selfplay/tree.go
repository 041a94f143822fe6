package selfplay

import (
	"math/rand/v2"

	"kumiko/engine"
	"kumiko/engine/board"
)

// A sampler is an [engine.Evaluator] that keeps some of the positions it
// evaluates, each equally likely, as lines from the root of the search. Games
// alone are not representative of what a search evaluates: most of its
// positions come from moves that nobody would play.
type sampler struct {
	engine.Evaluator
	rng   *rand.Rand
	lines [][]board.Move
	want  int // number of lines to keep
	seen  int // positions so far
}

// begin discards the lines and keeps n of the positions that follow.
func (s *sampler) begin(n int, rng *rand.Rand) {
	s.lines, s.want, s.seen, s.rng = s.lines[:0], n, 0, rng
}

// end stops sampling and returns the lines, valid until the next begin.
func (s *sampler) end() [][]board.Move {
	s.want = 0
	return s.lines
}

// Evaluate implements [engine.Evaluator].
func (s *sampler) Evaluate(b *board.Board) engine.Score {
	if s.want > 0 && b.Ply() > 0 { // the root of the search is at ply 0
		s.look(b.History())
	}
	return s.Evaluator.Evaluate(b)
}

// look keeps a line with the same probability as each line seen so far (Vitter
// 1985, algorithm R).
func (s *sampler) look(line []board.Move) {
	s.seen++
	i := s.seen - 1
	switch n := len(s.lines); {
	case n == s.want:
		if i = s.rng.IntN(s.seen); i >= n {
			return
		}
	case n < cap(s.lines):
		s.lines = s.lines[:n+1]
	default:
		s.lines = append(s.lines, nil)
	}
	s.lines[i] = append(s.lines[i][:0], line...)
}
