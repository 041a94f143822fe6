package fakeengine

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board/boardtest"
)

// move says a move that the mover chooses, in the form that is set. Movers are
//
//	first    the first empty point, row by row
//	random   an empty point at random, by seed, and now and then a bad one
//	hash     a point near the middle that the position and salt decide
//	well     a win, the block of a win or of a three, or any legal point
func (e *engine) move() {
	e.dawdle()
	var p point
	ok := true
	switch e.on["mover"] {
	case "first":
		p, ok = e.first(func(p point) bool { return e.field[p] == 0 })
	case "random":
		p = e.gamble()
	case "hash":
		p = e.byHash()
	case "well":
		p, ok = e.well()
	default:
		panic("fakeengine: unknown mover " + e.on["mover"])
	}
	switch {
	case !ok && e.has("dies of full board"):
		panic("full")
	case !ok:
		e.say("ERROR board full")
		return
	case e.has("plays on stones") && len(e.field) > 1:
		p = e.last
	case e.has("plays off board"):
		p = point{e.width, 0}
	case e.has("fails the last point") && len(e.field) > 200:
		e.say("ERROR nothing left")
		return
	}
	e.put(p, 1)
	e.do(strings.NewReplacer("X", strconv.Itoa(p.x), "Y", strconv.Itoa(p.y)).Replace(e.on["form"]))
}

// dawdle delays a move, where that is a fault.
func (e *engine) dawdle() {
	for _, slow := range []struct {
		fault string
		when  bool
		takes time.Duration
	}{
		{"thinks", e.turn > time.Second, e.turn},
		{"slow at zero", e.turn == 0, 2 * time.Second},
		{"slow without time", e.left < 0, 1600 * time.Millisecond},
		{"slower without time", e.left < 0, 900 * time.Millisecond},
	} {
		if slow.when && e.has(slow.fault) {
			time.Sleep(slow.takes)
		}
	}
}

// first returns the first good point, row by row.
func (e *engine) first(good func(point) bool) (p point, ok bool) {
	for y := range e.height {
		for x := range e.width {
			if p := (point{x, y}); good(p) {
				return p, true
			}
		}
	}
	return point{}, false
}

// empty returns the empty points.
func (e *engine) empty() (list []point) {
	e.first(func(p point) bool {
		if e.field[p] == 0 {
			list = append(list, p)
		}
		return false
	})
	return list
}

// gamble chooses at random, and rarely badly.
func (e *engine) gamble() point {
	list := e.empty()
	if e.random.Uint64()%400 == 0 {
		list = []point{{e.width, 0}, {0, e.height}, {-1, 2}, {3, -1}, {99, 99}, {0, 31}, {31, 0}}
		e.first(func(p point) bool { // in a fixed order
			if e.field[p] != 0 {
				list = append(list, p)
			}
			return false
		})
	}
	return list[e.random.Uint64()%uint64(len(list))]
}

// byHash chooses by the position alone and makes up a score.
func (e *engine) byHash() point {
	best, key := point{}, uint32(0)
	for _, p := range e.empty() {
		if far := func(d int) bool { return max(d, -d) > 3 }; (far(p.x-e.width/2) || far(p.y-e.height/2)) && len(e.field) < 40 {
			continue
		}
		if k := e.hash(p); k >= key {
			best, key = p, k
		}
	}
	e.say(fmt.Sprintf("MESSAGE depth %d-%d ev %d n %d", e.moves, e.moves+1, key%100, key%1000))
	return best
}

// hash values a point in the position.
func (e *engine) hash(p point) uint32 {
	sum := uint32(0)
	for q := range e.field {
		sum += uint32(1+q.x*37+q.y*1009) * 2654435761
	}
	h := fnv.New32a()
	h.Write([]byte(e.on["salt"]))
	h.Write([]byte{byte(p.x), byte(p.y), byte(sum), byte(sum >> 8), byte(sum >> 16)})
	return h.Sum32()
}

// well chooses a win, the block of a win, the block of a three, or any legal
// point.
func (e *engine) well() (p point, ok bool) {
	referee, own, opponent := e.referee()
	at := func(p point) boardtest.Point { return boardtest.Point{X: p.x, Y: p.y} }
	legal := func(p point) bool { return e.has("plays forbidden points") || referee.Legal(at(p), own) }
	tests := []func(point) bool{
		func(p point) bool { return referee.Wins(at(p), own) && !e.has("misses wins") },
		func(p point) bool { return referee.Wins(at(p), opponent) && legal(p) && !e.has("misses blocks") },
		func(p point) bool { return e.blocksThree(p) && legal(p) },
		legal,
	}
	if e.has("prefers forbidden points") {
		tests = slices.Insert(tests, 0, func(p point) bool { return referee.Forbidden(at(p)) != boardtest.None })
	}
	empty := e.empty()
	for _, good := range tests {
		if i := slices.IndexFunc(empty, good); i >= 0 {
			return empty[i], true
		}
	}
	return point{}, false
}

// referee returns a referee for the position, and the stones of both sides. The
// side to move has black if both have as many stones.
func (e *engine) referee() (r *boardtest.Referee, own, opponent byte) {
	rule := map[int]string{1: "standard", 4: "renju", 8: "caro6", 9: "caro5"}[e.rule]
	if rule == "" || e.has("knows freestyle only") {
		rule = "freestyle"
	}
	balance := 0
	for _, field := range e.field {
		balance += [4]int{1: 1, 2: -1}[field&3]
	}
	own, opponent = boardtest.White, boardtest.Black
	if balance >= 0 {
		own, opponent = boardtest.Black, boardtest.White
	}
	r = boardtest.New(e.width, e.height, rule)
	for p, field := range e.field {
		r.Set(boardtest.Point{X: p.x, Y: p.y}, [4]byte{boardtest.Dead, own, opponent, boardtest.Dead}[field&3])
	}
	return r, own, opponent
}

// blocksThree reports whether p is an end of an open three of the opponent.
func (e *engine) blocksThree(p point) bool {
	for _, d := range boardtest.Directions {
		for _, sign := range []int{-1, 1} {
			at := func(i int) point { return point{p.x + sign*i*d.X, p.y + sign*i*d.Y} }
			if e.field[at(1)] == 2 && e.field[at(2)] == 2 && e.field[at(3)] == 2 && e.field[at(4)] == 0 && e.onBoard(at(4)) {
				return true
			}
		}
	}
	return false
}
