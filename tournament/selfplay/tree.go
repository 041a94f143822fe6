package selfplay

import (
	"math/rand/v2"

	"kumiko/engine"
	"kumiko/engine/board"
)

// A sampler is an [engine.Evaluator] that keeps some of the positions that it
// is asked about, each equally likely, as the lines that lead to them from the
// root of the search. Games themselves hardly show what a search evaluates:
// most of its positions come from moves that nobody would play.
type sampler struct {
	engine.Evaluator
	rng   *rand.Rand
	lines [][]board.Move
	want  int // how many lines to keep
	seen  int // positions so far
}

// begin forgets the lines and keeps n of the positions that follow.
func (s *sampler) begin(n int, rng *rand.Rand) {
	s.lines, s.want, s.seen, s.rng = s.lines[:0], n, 0, rng
}

// end keeps no more and returns the lines, valid until the next begin.
func (s *sampler) end() [][]board.Move {
	s.want = 0
	return s.lines
}

// Evaluate implements [engine.Evaluator].
func (s *sampler) Evaluate(b *board.Board) engine.Score {
	if s.want > 0 && b.Ply() > 0 { // the search has its root at ply 0
		s.look(b.History())
	}
	return s.Evaluator.Evaluate(b)
}

// look keeps a line with the chance that each line seen so far has
// (Vitter 1985, algorithm R).
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
