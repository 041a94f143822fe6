package engine

import (
	"math/bits"
	"sync/atomic"

	"kumiko/engine/board"
	"kumiko/engine/memory"
)

// A bound is how a stored score relates to the true one.
type bound uint8

const (
	upperBound bound = iota // the true score is at most this
	lowerBound              // at least
	exactBound
)

// A ttEntry is an entry of the transposition table.
type ttEntry struct {
	move  board.Move
	score int16 // mates counted from this position, not from the root
	eval  int16 // static evaluation, or noEval
	depth int16 // in units of onePly/depthGrain
	bound bound
	age   uint8 // of the search that last stored or probed it
}

// depthGrain is the resolution of depths in the table: 1/depthGrain ply.
const depthGrain = 8

// maxStoredDepth is the greatest depth of an entry, 128 plies.
const maxStoredDepth = 1<<10 - 1

// pack puts an entry into one word:
//
//	move 11 | depth 11 | score 16 | eval 16 | bound 2 | age 8
//
// All ones in the move mean NoMove.
func (e ttEntry) pack() uint64 {
	return uint64(e.move)<<53 | uint64(e.depth)&0x7ff<<42 | uint64(uint16(e.score))<<26 |
		uint64(uint16(e.eval))<<10 | uint64(e.bound)<<8 | uint64(e.age)
}

func unpack(data uint64) ttEntry {
	return ttEntry{move: board.Move(int64(data) >> 53), depth: storedDepth(data), score: int16(data >> 26),
		eval: int16(data >> 10), bound: bound(data >> 8 & 3), age: uint8(data)}
}

func storedDepth(data uint64) int16 { return int16(int64(data<<11) >> 53) }

// A slot holds one entry in 16 bytes. Threads write it without a lock, so its
// words may come from two stores. Storing the key combined with the data makes
// such a slot mismatch, always for two stores of one position and almost always
// for those of two (Hyatt and Mann, "A lock-less transposition table
// implementation for parallel search", 2002).
type slot struct {
	check uint64 // key ^ data
	data  uint64
}

// bucketSize slots share a cache line of 64 bytes.
const bucketSize = 4

// A table is a transposition table: the hash selects a bucket, in which a new
// entry replaces the shallowest and oldest one.
type table struct {
	buckets [][bucketSize]slot
	memory  *memory.Array[[bucketSize]slot] // of buckets
	age     uint8                           // of the current search
	game    uint16                          // the current game, not 0; entries of others are void
	// shared is set while several threads search. A single thread avoids atomic
	// stores, which wait for all earlier stores.
	shared bool
}

// newTable returns a table of at most size bytes, but at least one bucket. Its pages
// occupy no memory until they are written.
func newTable(size int64) *table {
	m := memory.Make[[bucketSize]slot](int(max(size/64, 1)))
	return &table{buckets: m.Elems, memory: m, game: 1}
}

// free gives the memory of a table back that is not used any more.
func (t *table) free() {
	t.buckets = nil
	t.memory.Free()
}

// clear invalidates all entries, without touching the table unless the number of
// the game wraps around.
func (t *table) clear() {
	t.age = 0
	if t.game++; t.game == 0 {
		clear(t.buckets)
		t.game = 1
	}
}

// key returns the key of an entry of the current game: the hash, with its low
// bits, which helped select the bucket, replaced by the game.
func (t *table) key(hash uint64) uint64 { return hash&^0xffff | uint64(t.game) }

// current reports whether a key belongs to the current game.
func (t *table) current(key uint64) bool { return uint16(key) == t.game }

func (t *table) bucket(hash uint64) *[bucketSize]slot {
	// The low half of the hash, scaled to the number of buckets.
	i, _ := bits.Mul64(hash<<32, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// load returns the key and the data of a slot.
func (s *slot) load() (key, data uint64) {
	data = atomic.LoadUint64(&s.data)
	return atomic.LoadUint64(&s.check) ^ data, data
}

// write fills a slot.
func (t *table) write(s *slot, key, data uint64) {
	if t.shared {
		atomic.StoreUint64(&s.check, key^data)
		atomic.StoreUint64(&s.data, data)
		return
	}
	s.check, s.data = key^data, data
}

// probe returns the entry of a position, with mate scores adjusted to count from
// the root, ply moves before the position.
func (t *table) probe(hash uint64, ply int) (e ttEntry, score Score, ok bool) {
	want := t.key(hash)
	bucket := t.bucket(hash)
	for i := range bucket {
		key, data := bucket[i].load()
		if key != want {
			continue
		}
		e = unpack(data)
		if e.age != t.age {
			e.age = t.age
			t.write(&bucket[i], key, e.pack())
		}
		score = Score(e.score)
		switch {
		case score >= MateBound:
			score -= Score(ply)
		case score <= -MateBound:
			score += Score(ply)
		}
		return e, score, true
	}
	return ttEntry{}, 0, false
}

// store stores a position. depth is in the search's unit.
func (t *table) store(hash uint64, ply int, m board.Move, score, eval Score, bd bound, depth int) {
	key := t.key(hash)
	bucket := t.bucket(hash)
	victim, known := 0, false
	var old ttEntry // of the same position
	worst := 1 << 30
	for i := range bucket {
		k, data := bucket[i].load()
		if k == key {
			victim, known, old = i, true, unpack(data)
			break
		}
		worth := -1 << 20
		if t.current(k) {
			worth = int(storedDepth(data)) - 2*depthGrain*int(t.age-uint8(data))
		}
		if worth < worst {
			victim, worst = i, worth
		}
	}
	d := int16(max(-maxStoredDepth, min(depth*depthGrain/onePly, maxStoredDepth)))
	if known && bd != exactBound && d+2*depthGrain < old.depth && old.age == t.age {
		return
	}
	if known && m == board.NoMove {
		m = old.move
	}
	switch {
	case score >= MateBound:
		score += Score(ply)
	case score <= -MateBound:
		score -= Score(ply)
	}
	e := ttEntry{move: m, score: int16(score), eval: int16(max(eval, -32768)), depth: d, bound: bd, age: t.age}
	t.write(&bucket[victim], key, e.pack())
}
