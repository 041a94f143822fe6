package board

// Planes is what a network of planes sees of a position, in training and in play: for
// every point, by rows, PlaneChannels numbers.
//
//	0  1 at the stones of the side to move
//	1  1 at those of the other side
//	2  1 at the last move
//	3  1 if black is to move, 1/2 if white is; negative at points forbidden to black
//
// The last one is nowhere zero, so it shows the edge of the board, too. The remaining
// numbers are zero: layers take channels by eight.
type Planes struct {
	Data          []float32 // [Height][Width][PlaneChannels]
	Width, Height int
	side          Color
}

const (
	// NumPlanes is the number of planes that tell something.
	NumPlanes = 4
	// PlaneChannels is the number of channels of a point.
	PlaneChannels = 8

	planeLast = 2
	planeSide = 3

	sideBlack, sideWhite = 1, 0.5
)

// Clear makes p the empty board, with a side to move. It keeps the memory of Data.
func (p *Planes) Clear(width, height int, side Color) {
	p.Width, p.Height, p.side = width, height, side
	n := width * height * PlaneChannels
	if cap(p.Data) < n {
		p.Data = make([]float32, n)
	}
	p.Data = p.Data[:n]
	clear(p.Data)
	v := float32(sideBlack)
	if side == White {
		v = sideWhite
	}
	for i := planeSide; i < n; i += PlaneChannels {
		p.Data[i] = v
	}
}

// point returns the numbers of m.
func (p *Planes) point(m Move) []float32 {
	return p.Data[(m.Y()*p.Width+m.X())*PlaneChannels:][:PlaneChannels]
}

// Stone puts a stone of c on m.
func (p *Planes) Stone(m Move, c Color) { p.point(m)[(c^p.side)&1] = 1 }

// Last makes m the last move, unless it is NoMove.
func (p *Planes) Last(m Move) {
	if m != NoMove {
		p.point(m)[planeLast] = 1
	}
}

// Forbid marks m as forbidden to black.
func (p *Planes) Forbid(m Move) {
	at := &p.point(m)[planeSide]
	*at = min(*at, -*at)
}

// Set makes p show a position.
func (p *Planes) Set(b *Board) {
	p.Clear(b.width, b.height, b.side)
	for y := range b.height {
		for x := range b.width {
			switch m := Pt(x, y); b.At(m) {
			case BlackStone:
				p.Stone(m, Black)
			case WhiteStone:
				p.Stone(m, White)
			}
		}
	}
	p.Last(b.Last())
	var buf [MaxSize * MaxSize]Move
	for _, m := range b.AllForbidden(buf[:0]) {
		p.Forbid(m)
	}
}
