package pattern

import "kumiko/engine/board"

// The hand-made numbers. The value of a code is the sum of the values of its four
// lines and of its shape.
var (
	valueOfLine = [16]int{
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
	valueOfShape = [board.NumShapes]int{
		board.ShapeTwoTwo:           4,
		board.ShapeBlockedThreePlus: 6,
		board.ShapeThreePlus:        10,
		board.ShapeThreeThree:       40,
		board.ShapeFourPlus:         12,
		board.ShapeFourThree:        70,
		board.ShapeOpenFour:         30,
	}
	worthOfLine = [16]int{
		board.LineBlockedOne:   2,
		board.LineOne:          6,
		board.LineBlockedTwo:   9,
		board.LineTwo:          24,
		board.LineTwoPlus:      28,
		board.LineTwoMax:       32,
		board.LineBlockedThree: 32,
		board.LineThree:        70,
		board.LineThreePlus:    80,
		board.LineFour:         70,
		board.LineOpenFour:     500,
		board.LineFive:         4000,
	}
	worthOfShape = [board.NumShapes]int{
		board.ShapeTwoTwo:           30,
		board.ShapeBlockedThreePlus: 30,
		board.ShapeThreePlus:        40,
		board.ShapeThreeThree:       250,
		board.ShapeFourPlus:         40,
		board.ShapeFourThree:        400,
		board.ShapeOpenFour:         400,
	}
)

// tempo is the hand-made value of having the move.
const tempo = 20

// valueOfThreat is the hand-made value of each bit of a threat mask, in order.
var valueOfThreat = [...]int{
	20,   // MineFour
	90,   // MineFourThree
	120,  // MineThreeThree
	40,   // MineThree
	-120, // TheirOpenFour
	-70,  // TheirFourThree
	-10,  // TheirFour
	-40,  // TheirThreeThree
	-10,  // TheirThree
}

// Hand returns the hand-made tables.
func Hand(r board.Rule) *Tables {
	b, err := board.New(board.MinSize, board.MinSize, r)
	if err != nil {
		panic(err) // every rule has a board
	}
	t := &Tables{Rule: r}
	for c := range 2 {
		for i := range 1 << 16 {
			code := board.Code(i)
			k := Index(code)
			shape := b.ShapeOf(code, board.Color(c))
			value, worth := valueOfShape[shape], worthOfShape[shape]
			for d := range 4 {
				value += valueOfLine[code.Line(d)]
				worth += worthOfLine[code.Line(d)]
			}
			t.Value[c][k] = int16(value)
			t.Attack[c][k] = int16(worth)
			t.Defend[c][k] = int16(worth * 3 / 4)
		}
	}
	for mask := range t.Threats {
		v := tempo
		for i, w := range valueOfThreat {
			if mask>>i&1 != 0 {
				v += w
			}
		}
		t.Threats[mask] = int16(v)
	}
	return t
}
