package train

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
)

// A position is what the network learns from.
type position struct {
	stones int     // index of its stones in the set
	side   uint8   // to move
	prior  float32 // the patterns' value for the side to move, in logits
	target float32 // winning probability of the side to move
	move   board.Move
	last   board.Move // before it, or NoMove
	sym    uint8      // symmetry in which it is shown, modulo those of its board
}

// maxSymmetries is the number of symmetries of a square.
const maxSymmetries = 8

// A set is positions on boards of one size or several.
type set struct {
	games     int
	positions []position
	stones    []uint8 // of all positions: size, counts, points of black, white and forbidden ones, policies
}

// data are the positions of records, split by game.
type data struct {
	rule                 board.Rule
	started              bool
	training, validation set
	hash                 hash.Hash // of all records; their own checksums leave no trace in another CRC
	tablesSum            uint32
}

// A collector converts games to positions.
type collector struct {
	data
	share    float64 // of the games used for validation
	lambda   float64 // weight of scores against results
	rng      *rand.Rand
	tables   func(board.Rule) *pattern.Tables
	policies bool // whether to keep them
	threats  [pattern.NumThreats]int16
	weights  *board.Weights
}

// file reads a record. It skips an unfinished game at its end and returns it as torn.
func (c *collector) file(name string) (torn *replay.TornError, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if c.hash == nil {
		c.hash = sha256.New()
	}
	var b *board.Board
	return replay.ReadAll(io.TeeReader(f, c.hash), func(s replay.Settings) (err error) {
		b, err = c.begin(s)
		return err
	}, func(g *replay.Game) {
		to := &c.training
		if c.rng.Float64() < c.share {
			to = &c.validation
		}
		c.game(to, b, g)
	})
}

// begin returns a board for the games of a record.
func (c *collector) begin(s replay.Settings) (*board.Board, error) {
	switch {
	case !c.started:
		c.started, c.rule = true, s.Rule
		t := c.tables(s.Rule)
		if t == nil {
			t = pattern.Hand(s.Rule)
		}
		c.weights, c.threats = t.Weights(), t.Threats
		c.tablesSum = crc32.ChecksumIEEE(t.Bytes())
	case s.Rule != c.rule:
		return nil, fmt.Errorf("games of %v among games of %v", s.Rule, c.rule)
	}
	b, err := board.New(int(s.Width), int(s.Height), s.Rule)
	if err == nil {
		b.SetWeights(c.weights)
	}
	return b, err
}

// game adds the positions of a game.
func (c *collector) game(to *set, b *board.Board, g *replay.Game) {
	to.games++
	g.Walk(b, func(ply replay.Ply, played bool) {
		if !replay.TeachesValue(b, ply) {
			return
		}
		side := b.Side()
		p := position{
			stones: len(to.stones),
			side:   uint8(side),
			prior:  float32(b.Value(side)-b.Value(side.Opponent())+int(c.threats[pattern.Threats(b)])) / pattern.Logit,
			target: float32(c.target(ply, played, g.Result, side)),
			move:   board.NoMove,
			last:   b.Last(),
		}
		if replay.TeachesOrder(b, ply) {
			p.move = ply.Move
		}
		to.positions = append(to.positions, p)
		to.add(b)
		if c.policies && p.move != board.NoMove {
			to.addPolicy(p.stones, ply.Policy)
		}
	})
}

// target returns the winning probability that the search's score and, in the game
// itself, the result give the side to move.
func (c *collector) target(ply replay.Ply, played bool, result int, side board.Color) float64 {
	p := 1 / (1 + math.Exp(-float64(ply.Score)/pattern.Logit))
	if !played || ply.Flags&replay.Proven != 0 {
		return p
	}
	if side == board.White {
		result = -result
	}
	return c.lambda*p + (1-c.lambda)*float64(result+1)/2
}

// add adds the stones of a position and the points that are forbidden to black.
func (s *set) add(b *board.Board) {
	at := len(s.stones)
	var buf [board.MaxSize * board.MaxSize]board.Move
	forbidden := b.AllForbidden(buf[:0])
	s.stones = append(s.stones, uint8(b.Width()), uint8(b.Height()), 0, 0, 0, uint8(min(len(forbidden), 255)))
	for i, c := range []board.Cell{board.BlackStone, board.WhiteStone} {
		n := 0
		for y := range b.Height() {
			for x := range b.Width() {
				if b.At(board.Pt(x, y)) == c {
					s.stones = append(s.stones, uint8(x), uint8(y))
					n++
				}
			}
		}
		s.stones[at+2+i] = uint8(min(n, 255))
		s.stones[at+4] |= uint8(n>>8) << i
	}
	for _, m := range forbidden[:s.stones[at+5]] {
		s.stones = append(s.stones, uint8(m.X()), uint8(m.Y()))
	}
}

// hasPolicy is set in byte 4 of the stones of a position that a policy follows.
const hasPolicy = 1 << 2

// addPolicy adds a policy to the position that begins at some byte, unless all of its
// shares are zero.
func (s *set) addPolicy(at int, policy []replay.Weight) {
	start := len(s.stones)
	n := uint16(0)
	s.stones = append(s.stones, 0, 0)
	for _, w := range policy {
		if w.Share > 0 {
			n++
			s.stones = binary.LittleEndian.AppendUint16(s.stones, uint16(w.Move))
			s.stones = binary.LittleEndian.AppendUint16(s.stones, w.Share)
		}
	}
	if n == 0 {
		s.stones = s.stones[:start]
		return
	}
	binary.LittleEndian.PutUint16(s.stones[start:], n)
	s.stones[at+4] |= hasPolicy
}

// A grid is the size, the stones and the marked points of a position.
type grid struct {
	width, height int
	stones        [2][]uint8 // coordinates, by side
	marked        []uint8    // coordinates
	policy        []uint8    // moves and their shares, each uint16
}

// eachPolicy calls f with every move of the policy and its share.
func (g *grid) eachPolicy(f func(m board.Move, share uint16)) {
	for p := g.policy; len(p) > 0; p = p[4:] {
		f(board.Move(binary.LittleEndian.Uint16(p)), binary.LittleEndian.Uint16(p[2:]))
	}
}

// eachMark calls f with the number of every marked point.
func (g *grid) eachMark(f func(point int)) {
	for k := 0; k < len(g.marked); k += 2 {
		f(int(g.marked[k+1])*g.width + int(g.marked[k]))
	}
}

func (s *set) grid(p *position) grid {
	d := s.stones[p.stones:]
	g := grid{width: int(d[0]), height: int(d[1])}
	n := [2]int{int(d[2]) | int(d[4]&1)<<8, int(d[3]) | int(d[4]>>1&1)<<8}
	marked := int(d[5])
	policy := d[4]&hasPolicy != 0
	d = d[6:]
	g.stones[0], g.stones[1] = d[:2*n[0]], d[2*n[0]:2*(n[0]+n[1])]
	d = d[2*(n[0]+n[1]):]
	g.marked, d = d[:2*marked], d[2*marked:]
	if policy {
		g.policy = d[2:][:4*int(binary.LittleEndian.Uint16(d))]
	}
	return g
}
