package engine

import (
	"math/bits"

	"kumiko/engine/board"
)

// A bound says how a stored score relates to the true one.
type bound uint8

const (
	upperBound bound = iota // the true score is at most this
	lowerBound              // at least
	exactBound
)

// A ttEntry is what the transposition table holds of a position, in 16 bytes.
type ttEntry struct {
	key   uint32 // high half of the hash; the low half chose the bucket
	move  board.Move
	score int16 // mates counted from this position, not from the root
	eval  int16 // static evaluation, noScore if none was made
	depth int16 // in units of onePly/depthGrain
	bound bound
	age   uint8  // of the search that wrote it
	game  uint16 // in which it was written; entries of other games are void
}

// depthGrain is the precision, in parts of a ply, of depths in the table.
const depthGrain = 8

// bucketSize entries share a cache line of 64 bytes.
const bucketSize = 4

// A table is a transposition table: fixed buckets of entries, chosen by the
// hash, of which the shallowest and oldest is replaced.
type table struct {
	buckets [][bucketSize]ttEntry
	age     uint8  // of the current search
	game    uint16 // the current game, not 0
}

// newTable returns a table of at most size bytes. Its pages are zero and cost
// nothing until they are written.
func newTable(size int64) *table {
	return &table{buckets: make([][bucketSize]ttEntry, max(size/64, 1)), game: 1}
}

// clear makes all entries void. It takes no time: a table of hundreds of
// megabytes is not touched for it.
func (t *table) clear() {
	t.age = 0
	if t.game++; t.game == 0 {
		clear(t.buckets)
		t.game = 1
	}
}

// valid reports whether an entry belongs to the current game.
func (t *table) valid(e *ttEntry) bool { return e.game == t.game }

func (t *table) bucket(hash uint64) *[bucketSize]ttEntry {
	// The low half of the hash, scaled to the number of buckets.
	i, _ := bits.Mul64(hash<<32, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns the entry of a position. The score is adjusted so that mates
// count from the root, ply moves before the position.
func (t *table) probe(hash uint64, ply int) (e ttEntry, score Score, ok bool) {
	key := uint32(hash >> 32)
	for i := range t.bucket(hash) {
		e := &t.bucket(hash)[i]
		if e.key == key && t.valid(e) {
			e.age = t.age
			score := Score(e.score)
			switch {
			case score >= MateBound:
				score -= Score(ply)
			case score <= -MateBound:
				score += Score(ply)
			}
			return *e, score, true
		}
	}
	return ttEntry{}, 0, false
}

// store remembers a position. depth is in the search's unit.
func (t *table) store(hash uint64, ply int, m board.Move, score, eval Score, bd bound, depth int) {
	key := uint32(hash >> 32)
	bucket := t.bucket(hash)
	victim := &bucket[0]
	worst := 1 << 30
	for i := range bucket {
		e := &bucket[i]
		if e.key == key && t.valid(e) {
			victim = e
			break
		}
		worth := int(e.depth) - 2*depthGrain*int(t.age-e.age)
		if !t.valid(e) {
			worth = -1 << 20
		}
		if worth < worst {
			victim, worst = e, worth
		}
	}
	d := int16(depth * depthGrain / onePly)
	same := victim.key == key && t.valid(victim)
	if same && bd != exactBound && d+2*depthGrain < victim.depth && victim.age == t.age {
		return
	}
	if same && m == board.NoMove {
		m = victim.move
	}
	switch {
	case score >= MateBound:
		score += Score(ply)
	case score <= -MateBound:
		score -= Score(ply)
	}
	*victim = ttEntry{key: key, move: m, score: int16(score), eval: int16(max(eval, -32768)),
		depth: d, bound: bd, age: t.age, game: t.game}
}
