package engine

import "kumiko/engine/board"

// An Evaluator gives the search a score without looking ahead.
type Evaluator interface {
	// Attach readies b for calls of Evaluate: the evaluator may ask the board
	// to keep sums for it.
	Attach(b *board.Board)
	// Evaluate returns the score for the side to move, strictly between
	// -MateBound and MateBound. Nobody has a five in one, nor the side to move
	// an open four.
	Evaluate(b *board.Board) Score
}

// patternEval values a position by what each player would make on every empty
// point, plus a term for the strongest threats of both. Numbers are chosen by
// hand.
type patternEval struct {
	weights *board.Weights
	// threats is indexed by threatMask.
	threats [numThreatMasks]int16
}

// The bits of a threat mask: what either player can make next. "Mine" is the
// side to move.
const (
	mineFour = 1 << iota
	mineFourThree
	mineThreeThree
	mineThree
	theirOpenFour
	theirFourThree
	theirFour
	theirThreeThree
	theirThree
	numThreatMasks
)

// threatMask sums up the threats on the board.
func threatMask(b *board.Board) int {
	c := b.Side()
	o := c.Opponent()
	mask := 0
	if b.Count(c, board.ShapeFour)+b.Count(c, board.ShapeFourPlus) > 0 {
		mask |= mineFour
	}
	if b.Count(c, board.ShapeFourThree) > 0 {
		mask |= mineFourThree
	}
	if b.Count(c, board.ShapeThreeThree) > 0 {
		mask |= mineThreeThree
	}
	if b.Count(c, board.ShapeThree)+b.Count(c, board.ShapeThreePlus) > 0 {
		mask |= mineThree
	}
	if b.Count(o, board.ShapeOpenFour) > 0 {
		mask |= theirOpenFour
	}
	if b.Count(o, board.ShapeFourThree) > 0 {
		mask |= theirFourThree
	}
	if b.Count(o, board.ShapeFour)+b.Count(o, board.ShapeFourPlus) > 0 {
		mask |= theirFour
	}
	if b.Count(o, board.ShapeThreeThree) > 0 {
		mask |= theirThreeThree
	}
	if b.Count(o, board.ShapeThree)+b.Count(o, board.ShapeThreePlus) > 0 {
		mask |= theirThree
	}
	return mask
}

// lineWorth is the hand-made value of one line pattern on one empty point.
var lineWorth = [16]int{
	board.LineBlockedOne:   0,
	board.LineOne:          2,
	board.LineBlockedTwo:   2,
	board.LineTwo:          6,
	board.LineTwoPlus:      8,
	board.LineTwoMax:       9,
	board.LineBlockedThree: 8,
	board.LineThree:        18,
	board.LineThreePlus:    22,
	board.LineFour:         16,
	board.LineOpenFour:     60,
	board.LineFive:         80,
}

// shapeWorth is added for what the lines of a point make together.
var shapeWorth = [board.NumShapes]int{
	board.ShapeTwoTwo:           4,
	board.ShapeBlockedThreePlus: 6,
	board.ShapeThreePlus:        10,
	board.ShapeThreeThree:       40,
	board.ShapeFourPlus:         12,
	board.ShapeFourThree:        70,
	board.ShapeOpenFour:         30,
}

// handWeights computes the table of the pattern evaluation for a rule.
func handWeights(b *board.Board) *board.Weights {
	w := &board.Weights{}
	for c := range 2 {
		for i := range w[c] {
			code := board.Code(i)
			worth := 0
			for d := range 4 {
				worth += lineWorth[code.Line(d)]
			}
			w[c][i] = int16(worth + shapeWorth[b.ShapeOf(code, board.Color(c))])
		}
	}
	return w
}

// threatWorth is the hand-made value of each bit of a threat mask, in order.
var threatWorth = [...]int{
	20,   // mineFour
	90,   // mineFourThree
	120,  // mineThreeThree
	40,   // mineThree
	-120, // theirOpenFour
	-70,  // theirFourThree
	-10,  // theirFour
	-40,  // theirThreeThree
	-10,  // theirThree
}

// tempoWorth is the value of having the move.
const tempoWorth = 20

var handThreats = func() (t [numThreatMasks]int16) {
	for mask := range t {
		v := tempoWorth
		for i, w := range threatWorth {
			if mask>>i&1 != 0 {
				v += w
			}
		}
		t[mask] = int16(v)
	}
	return t
}()

// Attach implements [Evaluator].
func (e *patternEval) Attach(b *board.Board) { b.SetWeights(e.weights) }

// Evaluate implements [Evaluator].
func (e *patternEval) Evaluate(b *board.Board) Score {
	c := b.Side()
	v := Score(b.Value(c)-b.Value(c.Opponent())) + Score(e.threats[threatMask(b)])
	return max(-maxEval, min(maxEval, v))
}
