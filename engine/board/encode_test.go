package board

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// slowCode reads the code of a line from the cells, by the definition.
func slowCode(b *Board, m Move, dir, reach int) uint32 {
	digit := map[Cell]int{Empty: 0, BlackStone: 1, WhiteStone: 2}
	half := func(sign int) int {
		number, power := 0, 1
		p := m
		for range reach {
			if p = b.neighbor(p, dir, sign); p == NoMove || b.At(p) == DeadStone {
				break
			}
			number += digit[b.At(p)] * power
			power *= 3
		}
		return (power-1)/2 + number
	}
	lo, hi := half(-1), half(1)
	if lo > hi {
		lo, hi = hi, lo
	}
	h := 0
	for n, power := 0, 1; n <= reach; n, power = n+1, 3*power {
		h += power
	}
	return uint32(digit[b.At(m)]*h*(h+1)/2 + hi*(hi+1)/2 + lo)
}

// scattered returns a board of a random size with random stones, some dead.
func scattered(t testing.TB, rng *rand.Rand) *Board {
	t.Helper()
	b, err := New(MinSize+rng.IntN(MaxSize-MinSize+1), MinSize+rng.IntN(MaxSize-MinSize+1), Rule(rng.IntN(int(NumRules))))
	if err != nil {
		t.Fatal(err)
	}
	var stones []Stone
	share := rng.Float64()
	for y := range b.Height() {
		for x := range b.Width() {
			if rng.Float64() < share {
				c := Cell(1 + rng.IntN(2))
				if rng.IntN(20) == 0 {
					c = DeadStone
				}
				stones = append(stones, Stone{Pt(x, y), c})
			}
		}
	}
	if err := b.Setup(stones, Color(rng.IntN(2))); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEncoder compares all codes of random boards with those read from the cells.
func TestEncoder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for reach := 1; reach <= MaxReach; reach++ {
		e := NewEncoder(reach)
		for range 20 {
			b := scattered(t, rng)
			var want []LineCode
			for y := range b.Height() {
				for x := range b.Width() {
					for d := range numDirs {
						if m := Pt(x, y); b.At(m) != DeadStone {
							want = append(want, LineCode{m, uint8(d), slowCode(b, m, d, reach)})
						}
					}
				}
			}
			got := e.All(nil, b.Lines(), b.Width(), b.Height())
			if !slices.Equal(got, want) {
				t.Fatalf("reach %d: codes of\n%v differ from those read from its cells", reach, b)
			}
			for _, c := range got {
				if c.Code >= uint32(e.Codes()) {
					t.Fatalf("reach %d: code %d of %d", reach, c.Code, e.Codes())
				}
			}
		}
	}
}

// TestEncoderUpdate plays and takes back random moves: updated codes are those of the
// position, and the changes lead from the codes before to them.
func TestEncoderUpdate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for reach := 1; reach <= MaxReach; reach++ {
		e := NewEncoder(reach)
		for range 10 {
			b := scattered(t, rng)
			var codes, traced Codes
			fill := func(to *Codes) {
				for _, c := range e.All(nil, b.Lines(), b.Width(), b.Height()) {
					to[c.At][c.Dir] = c.Code
				}
			}
			fill(&codes)
			traced = codes
			var changes []CodeChange
			for range 40 {
				var m Move
				if b.Ply() > 0 && (b.Full() || rng.IntN(3) == 0) {
					m = b.Last()
					b.Undo()
				} else {
					empty := points(b)
					if len(empty) == 0 {
						break
					}
					m = empty[rng.IntN(len(empty))]
					b.Place(m)
				}
				changes = e.Update(changes[:0], &codes, b.Lines(), m)
				for _, c := range changes {
					if at := &traced[c.Point][c.Dir]; c.Old == c.New || *at != c.Old {
						t.Fatalf("%v: change %v of the code %d", m, c, *at)
					} else {
						*at = c.New
					}
				}
				want := codes
				fill(&want)
				if codes != want {
					t.Fatalf("reach %d: the codes after %v are wrong\n%v", reach, m, b)
				}
			}
		}
	}
}

// points returns the empty points.
func points(b *Board) (list []Move) {
	for y := range b.Height() {
		for x := range b.Width() {
			if m := Pt(x, y); b.Empty(m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// TestEncoderMirror numbers mirrored lines alike, and lines that differ otherwise
// differently.
func TestEncoderMirror(t *testing.T) {
	const reach = 4
	e := NewEncoder(reach)
	b, err := New(9, 5, Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint32]string{}
	center := Pt(4, 2)
	var code func(x int, stones []Stone)
	code = func(x int, stones []Stone) {
		if x < 9 {
			code(x+1, stones)
			for _, c := range []Cell{BlackStone, WhiteStone} {
				code(x+1, append(stones[:len(stones):len(stones)], Stone{Pt(x, 2), c}))
			}
			return
		}
		if err := b.Setup(stones, Black); err != nil {
			t.Fatal(err)
		}
		line := []byte(".........")
		for _, s := range stones {
			line[s.Move.X()] = "?xo"[s.Cell]
		}
		mirror := slices.Clone(line)
		slices.Reverse(mirror)
		text := min(string(line), string(mirror))
		for _, c := range e.All(nil, b.Lines(), b.Width(), b.Height()) {
			if c.At != center || c.Dir != 0 {
				continue
			}
			if other, ok := seen[c.Code]; ok && other != text {
				t.Fatalf("%s and %s have code %d", other, text, c.Code)
			}
			seen[c.Code] = text
		}
	}
	code(0, nil)
	if want := (19683 + 3*81) / 2; len(seen) != want { // 3·81 are their own mirror images
		t.Errorf("%d codes of lines within the board, want %d", len(seen), want)
	}
}
