package engine

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
)

// put stores an entry.
func put(tt *table, hash uint64, ply int, m board.Move, score, eval Score, bd bound, depth int) {
	tt.store(hash, ply, m, score, eval, bd, depth)
}

// A stored entry is found again, with its score adjusted to another ply.
func TestTable(t *testing.T) {
	tt := newTable(1 << 16)
	const hash = 0x0123456789abcdef
	move := board.Pt(3, 4)
	if _, _, ok := tt.probe(hash, 0); ok {
		t.Fatal("an empty table knows a position")
	}
	for _, c := range []struct {
		score       Score
		stored, ply int // plies at which it is stored and probed
		want        Score
	}{
		{0, 0, 9, 0},
		{-123, 7, 2, -123},
		{maxEval, 7, 2, maxEval},
		{-maxEval, 7, 2, -maxEval},
		{mateIn(9), 0, 0, mateIn(9)},
		{mateIn(9), 4, 4, mateIn(9)},
		{mateIn(9), 4, 0, mateIn(5)}, // five plies from the position
		{mateIn(9), 4, 10, mateIn(15)},
		{matedIn(8), 4, 0, matedIn(4)},
		{matedIn(8), 4, 10, matedIn(14)},
		{mateIn(1), 0, 0, mateIn(1)},
	} {
		tt.clear()
		put(tt, hash, c.stored, move, c.score, 42, exactBound, 5*onePly)
		e, score, ok := tt.probe(hash, c.ply)
		if !ok || score != c.want {
			t.Errorf("%v stored at ply %d is %v at ply %d (found: %t), want %v", c.score, c.stored, score, c.ply, ok, c.want)
		}
		if e.move != move || Score(e.eval) != 42 || e.bound != exactBound || int(e.depth)*onePly/depthGrain != 5*onePly {
			t.Errorf("%+v", e)
		}
	}
	if _, _, ok := tt.probe(hash^1<<40, 0); ok {
		t.Error("another position is found")
	}
}

// Entries stored before a clear never reappear, however many clears follow.
func TestTableClear(t *testing.T) {
	tt := newTable(1 << 12)
	rng := rand.New(rand.NewPCG(1, 2))
	var hashes []uint64
	for range 20 {
		hash := rng.Uint64()
		hashes = append(hashes, hash)
		put(tt, hash, 0, board.Pt(1, 1), 5, 5, exactBound, 9*onePly)
	}
	for n := range 1<<16 + 10 {
		tt.clear()
		for _, hash := range hashes {
			if _, _, ok := tt.probe(hash, 0); ok {
				t.Fatalf("%x is found after %d clears", hash, n+1)
			}
		}
	}
}

// An entry without a move keeps the known one, a shallow bound does not replace a
// deep entry, and an exact score always does.
func TestTableReplacement(t *testing.T) {
	tt := newTable(1 << 16)
	const hash = 0xfedcba9876543210
	move := board.Pt(1, 2)
	put(tt, hash, 0, move, 10, 0, lowerBound, 8*onePly)
	put(tt, hash, 0, board.NoMove, 20, 0, upperBound, 7*onePly)
	if e, score, _ := tt.probe(hash, 0); e.move != move || score != 20 {
		t.Errorf("move %v, score %v after an entry without a move; want %v and 20", e.move, score, move)
	}
	put(tt, hash, 0, move, 30, 0, lowerBound, onePly)
	if _, score, _ := tt.probe(hash, 0); score != 20 {
		t.Errorf("score %v after a shallow bound, want 20", score)
	}
	put(tt, hash, 0, move, 40, 0, exactBound, onePly)
	if _, score, _ := tt.probe(hash, 0); score != 40 {
		t.Errorf("score %v after a shallow exact score, want 40", score)
	}
}

// A full bucket drops its shallowest entry, or one of an older search.
func TestTableVictim(t *testing.T) {
	tt := newTable(bucketSize * 16) // a single bucket
	if len(tt.buckets) != 1 {
		t.Fatalf("%d buckets", len(tt.buckets))
	}
	hash := func(i int) uint64 { return uint64(i+1) << 32 }
	for i := range bucketSize {
		put(tt, hash(i), 0, board.NoMove, 0, 0, lowerBound, (3+i)*onePly)
	}
	put(tt, hash(9), 0, board.NoMove, 0, 0, lowerBound, 20*onePly)
	for i := range bucketSize {
		if _, _, ok := tt.probe(hash(i), 0); ok != (i > 0) {
			t.Errorf("entry %d is there: %t", i, ok)
		}
	}
	if _, _, ok := tt.probe(hash(9), 0); !ok {
		t.Error("the new entry is not there")
	}
	// Later searches eventually replace a deep entry. Entries that were
	// probed recently stay.
	for range 100 {
		tt.age++
		for i := 1; i < bucketSize; i++ {
			tt.probe(hash(i), 0)
		}
	}
	put(tt, hash(10), 0, board.NoMove, 0, 0, lowerBound, onePly)
	if _, _, ok := tt.probe(hash(9), 0); ok {
		t.Error("an entry from an old search is still there")
	}
}

// Tables of all sizes serve all hashes.
func TestTableSizes(t *testing.T) {
	if size := reflect.TypeFor[slot]().Size(); size != 16 {
		t.Errorf("a slot takes %d bytes", size)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int64{-5, 0, 1, 63, 64, 65, 1000, 4096, 1 << 20} {
		tt := newTable(size)
		if got := int64(len(tt.buckets)) * 64; got > max(size, 64) {
			t.Errorf("%d bytes: takes %d", size, got)
		}
		for range 1000 {
			hash := rng.Uint64()
			put(tt, hash, 0, board.Pt(0, 0), 1, 1, exactBound, onePly)
			if _, score, ok := tt.probe(hash, 0); !ok || score != 1 {
				t.Fatalf("%d bytes: %x is not found", size, hash)
			}
		}
	}
}

// The positions of a small board, stones placed in any order, have hashes
// that spread over the table.
func TestTableSpread(t *testing.T) {
	tt := newTable(1 << 16)
	b := enginetest.NewBoard(t, 15, 15, board.Freestyle)
	used := map[*[bucketSize]slot]int{}
	n := 0
	for x := range 15 {
		for y := range 15 {
			b.Place(board.Pt(x, y))
			for i := range 225 {
				if m := board.Pt(i%15, i/15); b.Empty(m) {
					b.Place(m)
					used[tt.bucket(b.Hash())]++
					n++
					b.Undo()
				}
			}
		}
	}
	// Of as many random choices, 1-1/e^(n/buckets) are different on average.
	if len(used) < len(tt.buckets)*99/100 && n > 5*len(tt.buckets) {
		t.Errorf("%d positions use %d of %d buckets", n, len(used), len(tt.buckets))
	}
	for _, k := range used {
		if k > 20*n/len(tt.buckets) {
			t.Errorf("a bucket serves %d of %d positions", k, n)
		}
	}
}

// Packing round-trips at the ends of all ranges.
func TestPack(t *testing.T) {
	for _, move := range []board.Move{board.NoMove, board.Pt(0, 0), board.Pt(board.MaxSize-1, board.MaxSize-1)} {
		for _, score := range []int16{-32768, -1, 0, 1, 32767} {
			for _, depth := range []int16{-maxStoredDepth, -1, 0, 1, maxStoredDepth} {
				for _, bd := range []bound{upperBound, lowerBound, exactBound} {
					for _, age := range []uint8{0, 1, 255} {
						e := ttEntry{move: move, score: score, eval: ^score, depth: depth, bound: bd, age: age}
						if got := unpack(e.pack()); got != e {
							t.Errorf("%+v comes back as %+v", e, got)
						}
					}
				}
			}
		}
	}
}

// A slowTable is a plain implementation of a table of one bucket.
type slowTable struct {
	entries []slowEntry
	age     uint8
	game    int
}

type slowEntry struct {
	ttEntry
	hash uint64
	game int
}

func (t *slowTable) find(hash uint64) *slowEntry {
	for i := range t.entries {
		if e := &t.entries[i]; e.hash == hash && e.game == t.game {
			return e
		}
	}
	return nil
}

func (t *slowTable) probe(hash uint64, ply int) (Score, bool) {
	e := t.find(hash)
	if e == nil {
		return 0, false
	}
	e.age = t.age
	switch score := Score(e.score); {
	case score >= MateBound:
		return score - Score(ply), true
	case score <= -MateBound:
		return score + Score(ply), true
	default:
		return score, true
	}
}

// worth orders the entries: the least goes first.
func (t *slowTable) worth(e slowEntry) int {
	if e.game != t.game {
		return -1 << 20
	}
	return int(e.depth) - 2*depthGrain*int(t.age-e.age)
}

func (t *slowTable) store(hash uint64, ply int, m board.Move, score, eval Score, bd bound, depth int) {
	e := t.find(hash)
	depth = depth * depthGrain / onePly
	if e != nil {
		if bd != exactBound && depth+2*depthGrain < int(e.depth) && e.age == t.age {
			return
		}
		if m == board.NoMove {
			m = e.move
		}
	} else {
		e = &t.entries[0]
		for i := range t.entries {
			if t.worth(t.entries[i]) < t.worth(*e) {
				e = &t.entries[i]
			}
		}
	}
	if score >= MateBound {
		score += Score(ply)
	} else if score <= -MateBound {
		score -= Score(ply)
	}
	*e = slowEntry{ttEntry{m, int16(score), int16(eval), int16(depth), bd, t.age}, hash, t.game}
}

// A table, shared or not, keeps and forgets what the slow one does.
func TestTableTwin(t *testing.T) {
	for _, shared := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(3, 4))
		tt := newTable(bucketSize * 16)
		tt.shared = shared
		slow := &slowTable{entries: make([]slowEntry, bucketSize), game: 1}
		found := 0
		for range 100_000 {
			hash := rng.Uint64N(7) << 16
			ply := rng.IntN(20)
			switch rng.IntN(20) {
			case 0:
				tt.age++
				slow.age++
			case 1:
				if rng.IntN(20) == 0 {
					tt.clear()
					slow.age = 0
					slow.game++
				}
			case 2, 3, 4, 5, 6, 7, 8:
				m := board.NoMove
				if rng.IntN(2) == 0 {
					m = board.Move(rng.IntN(points))
				}
				score := Score(rng.IntN(2*int(mate)) - int(mate))
				eval := Score(rng.IntN(1<<16) - 1<<15)
				bd := bound(rng.IntN(3))
				depth := (rng.IntN(16) - 2) * onePly // often alike
				tt.store(hash, ply, m, score, eval, bd, depth)
				slow.store(hash, ply, m, score, eval, bd, depth)
			default:
				want, hit := slow.probe(hash, ply)
				e, score, ok := tt.probe(hash, ply)
				if ok != hit || score != want || hit && e != slow.find(hash).ttEntry {
					t.Fatalf("shared %t: %x: %+v, %v, %t; want %+v, %v, %t", shared, hash, e, score, ok, slow.find(hash), want, hit)
				}
				if hit {
					found++
				}
			}
		}
		if found < 1000 {
			t.Errorf("only %d of the positions asked for were there", found)
		}
	}
}

// A slot whose two words come from different stores, for one position or for two,
// never matches.
func TestTableTorn(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	fill := func(tt *table, hash uint64) slot {
		tt.store(hash, 0, board.Move(rng.IntN(points)), Score(rng.IntN(2000)-1000), Score(rng.IntN(2000)-1000),
			bound(rng.IntN(3)), rng.IntN(30*onePly))
		return tt.buckets[0][0]
	}
	for range 20_000 {
		a, b := rng.Uint64(), rng.Uint64()
		if rng.IntN(2) == 0 {
			b = a
		}
		tt, other := newTable(64), newTable(64)
		first, second := fill(tt, a), fill(other, b)
		for _, torn := range []slot{{first.check, second.data}, {second.check, first.data}} {
			if torn == first || torn == second {
				continue // the stores were equal
			}
			tt.buckets[0][0] = torn
			for _, hash := range []uint64{a, b} {
				if e, _, ok := tt.probe(hash, 0); ok {
					t.Fatalf("%x and %x: %x is read as %+v of %x", first, second, torn, e, hash)
				}
			}
		}
	}
}

// Threads that read and write the same few slots find only what was stored for a
// position.
func TestTableThreads(t *testing.T) {
	tt := newTable(64)
	tt.shared = true
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(i)))
			for range enginetest.Scaled(200_000) {
				n := rng.IntN(6)
				hash := uint64(n+1) << 40
				if rng.IntN(2) == 0 {
					v := rng.IntN(100)
					tt.store(hash, 0, board.Move(n), Score(100*n+v), Score(-100*n-v), exactBound, v*onePly)
				} else if e, score, ok := tt.probe(hash, 0); ok {
					v := int(score) - 100*n
					if v < 0 || v >= 100 || e.move != board.Move(n) || Score(e.eval) != -score || int(e.depth) != v*depthGrain {
						t.Errorf("%x: %+v", hash, e)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}
