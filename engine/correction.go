package engine

import (
	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// correction is a correction history: how far search scores have lately differed
// from the evaluation in positions with the same threats, and after the same
// move.
type correction struct {
	threats [2][pattern.NumThreats]int16 // by side to move and threat mask
	last    [2][points]int16             // by side to move and the move before
}

const (
	// correctionGrain is the resolution of correction in fractions of a score
	// unit, and maxCorrection the largest error that it learns from.
	correctionGrain = 64
	maxCorrection   = 400
	// correctionRate is about how many searches of equal depth are averaged.
	correctionRate = 256
)

func (k *correction) clear() { *k = correction{} }

// entries returns the two corrections of a position.
func (k *correction) entries(b *board.Board) (threats, last *int16) {
	c := b.Side() & 1
	m := b.Last()
	if m == board.NoMove {
		m = 0
	}
	return &k.threats[c][pattern.Threats(b)], &k.last[c][m%points]
}

// corrected returns an evaluation with the corrections added.
func (s *searcher) corrected(eval Score) Score {
	threats, last := s.corr.entries(s.b)
	v := int(*threats)*s.t.v[correctionThreats] + int(*last)*s.t.v[correctionLast]
	return max(-maxEval, min(maxEval, eval+Score(v/(100*correctionGrain))))
}

// correct learns that a search to some depth differs by diff from the
// evaluation of the position.
func (s *searcher) correct(diff Score, depth int) {
	weight := min(16, 1+depth/onePly)
	diff = max(-maxCorrection, min(maxCorrection, diff))
	threats, last := s.corr.entries(s.b)
	for _, e := range []*int16{threats, last} {
		*e = int16((int(*e)*(correctionRate-weight) + int(diff)*correctionGrain*weight) / correctionRate)
	}
}
