package board

// A Line is the pattern that a stone of one player on an empty point makes in one
// direction with the stones already there. It is read from a window of four
// points to either side in freestyle and of five otherwise, which covers every
// five through the point.
//
// Below, a "way" is an empty point of the window where one more stone of the
// same player gives the pattern named.
type Line uint8

// The line patterns, weakest first, LineDoubleFour apart.
const (
	LineDead         Line = iota // no five through this point can arise
	LineOverline                 // renju, black: six or more, forbidden
	LineBlockedOne               // a way to a blocked two
	LineOne                      // a way to a two
	LineBlockedTwo               // a way to a blocked three
	LineTwo                      // one or two ways to an open three
	LineTwoPlus                  // three ways
	LineTwoMax                   // four ways or more
	LineBlockedThree             // a way to a four, none to an open four
	LineThree                    // open three: one way to an open four
	LineThreePlus                // open three with two ways to an open four
	LineFour                     // one reply stops the five
	LineOpenFour                 // no single reply stops the five
	LineFive                     // wins
	LineDoubleFour               // renju, black: two fours in one line, forbidden

	numLines = 16 // a Line takes four bits of a code
)

// A Shape is what a stone of one player on an empty point makes in all four
// directions together.
type Shape uint8

// The shapes, weakest first. "Two" stands for an open two of any kind.
const (
	ShapeNone             Shape = iota
	ShapeForbidden              // renju, black: the lines look forbidden; [Board.Forbidden] decides
	ShapeTwo                    // a two
	ShapeBlockedThree           // a blocked three
	ShapeTwoTwo                 // two twos or more
	ShapeBlockedThreePlus       // a blocked three with another or with a two
	ShapeThree                  // an open three
	ShapeThreePlus              // an open three with a blocked three or a two
	ShapeThreeThree             // two open threes or more
	ShapeFour                   // a four
	ShapeFourPlus               // a four with a blocked three or a two
	ShapeFourThree              // a four with an open three
	ShapeOpenFour               // an open four, or fours in two directions
	ShapeFive                   // a win

	// NumShapes is the number of shapes.
	NumShapes = iota
)

// A Code packs the four line patterns of one player at one empty point, four
// bits each, direction 0 lowest.
type Code uint16

// Line returns the pattern in direction dir.
func (c Code) Line(dir int) Line { return Line(c >> (4 * dir) & 15) }

// with returns c with the pattern in direction dir replaced.
func (c Code) with(dir int, l Line) Code {
	return c&^(15<<(4*dir)) | Code(l)<<(4*dir)
}

// lineCounts counts lines by pattern, in four bits each.
type lineCounts uint64

// countOf counts one line.
func countOf(l Line) lineCounts { return 1 << (4 * l) }

// of returns how many lines have a pattern.
func (n lineCounts) of(l Line) int { return int(n >> (4 * l) & 15) }

// shapeOf combines four lines. forbidden is set for black in renju, where an overline
// or more than one four or three may be forbidden.
func shapeOf(n lineCounts, forbidden bool) Shape {
	var (
		fours  = n.of(LineFour) + n.of(LineOpenFour)
		threes = n.of(LineThree) + n.of(LineThreePlus)
		twos   = n.of(LineTwo) + n.of(LineTwoPlus) + n.of(LineTwoMax)
	)
	switch {
	case n.of(LineFive) > 0:
		return ShapeFive
	case forbidden && (n.of(LineOverline) > 0 || n.of(LineDoubleFour) > 0 || fours > 1 || threes > 1):
		return ShapeForbidden
	case n.of(LineOpenFour) > 0 || fours > 1:
		return ShapeOpenFour
	case fours > 0 && threes > 0:
		return ShapeFourThree
	case fours > 0 && n.of(LineBlockedThree)+twos > 0:
		return ShapeFourPlus
	case fours > 0:
		return ShapeFour
	case threes > 1:
		return ShapeThreeThree
	case threes > 0 && n.of(LineBlockedThree)+twos > 0:
		return ShapeThreePlus
	case threes > 0:
		return ShapeThree
	case n.of(LineBlockedThree) > 1 || n.of(LineBlockedThree) > 0 && twos > 0:
		return ShapeBlockedThreePlus
	case twos > 1:
		return ShapeTwoTwo
	case n.of(LineBlockedThree) > 0:
		return ShapeBlockedThree
	case twos > 0:
		return ShapeTwo
	}
	return ShapeNone
}
