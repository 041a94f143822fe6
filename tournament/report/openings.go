package report

import (
	"cmp"
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

// An Opening holds the results of the games with an opening, of all engines and
// under all symmetries.
type Opening struct {
	Line  int          // in the book; 0 means none
	Moves []board.Move // as in the book; none for line 0
	Games stats.Counts // of black: lost, drawn, won
	Pairs int          // whole pairs
	Black int          // pairs in which black won both games
	White int          // pairs in which white won both games
}

// Split returns the share of pairs won twice by the same color: in them the
// opening decided the result, not the engines. It is NaN without pairs.
func (o *Opening) Split() float64 { return float64(o.Black+o.White) / float64(o.Pairs) }

// Score returns black's share of the points.
func (o *Opening) Score() float64 {
	mean, _ := o.Games.Score()
	return mean
}

// Bias returns black's advantage in Elo. It is infinite if one color won all
// games.
func (o *Opening) Bias() float64 { return stats.EloOf(o.Score()) }

// openings collects openings by their lines in the book.
type openings struct {
	config *config.Config
	byLine map[int]*Opening
}

func newOpenings(c *config.Config) *openings { return &openings{c, make(map[int]*Opening)} }

// add counts a game.
func (o *openings) add(e *journal.End) {
	p := o.byLine[e.Opening]
	if p == nil {
		p = &Opening{Line: e.Opening, Games: make(stats.Counts, 3)}
		if e.Opening > 0 {
			p.Moves = bookMoves(o.config, e)
		}
		o.byLine[e.Opening] = p
	}
	p.Games[e.Result.Points(board.Black)]++
}

// addPair counts a whole pair. Engines have exchanged colors, or in swap2 may
// have, so only the colors tell who won.
func (o *openings) addPair(first, second *journal.End) {
	p := o.byLine[first.Opening]
	p.Pairs++
	switch {
	case first.Result != second.Result:
	case first.Result == journal.BlackWins:
		p.Black++
	case first.Result == journal.WhiteWins:
		p.White++
	}
}

// bookMoves returns the stones of a game's opening as in the book, before the
// symmetry. It is nil if the game has none or the log is wrong.
func bookMoves(c *config.Config, e *journal.End) []board.Move {
	list, err := notation.ParsePosition(e.Moves, c.Width, c.Height, notation.FromTop)
	if err != nil || e.Open < 0 || e.Open > len(list) || e.Sym < 0 || e.Sym >= board.Symmetries(c.Width, c.Height) {
		return nil
	}
	list = list[:e.Open]
	for i, m := range list {
		list[i] = board.Symmetry(m, c.Width, c.Height, board.InverseSymmetry(e.Sym))
	}
	return list
}

// list returns the openings in book order.
func (o *openings) list() []Opening {
	list := make([]Opening, 0, len(o.byLine))
	for _, p := range o.byLine {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Opening) int { return cmp.Compare(a.Line, b.Line) })
	return list
}
