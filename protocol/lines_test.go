package protocol

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
)

// codes are values of INFO rule and what the referee calls them.
var codes = map[int]board.Rule{0: board.Freestyle, 1: board.Standard, 4: board.Renju, 8: board.Caro6, 9: board.Caro5}

// A toldLine is what INFO lines say of one line of play.
type toldLine struct {
	index, count int
	eval         string
	moves        []boardtest.Point
}

// TestLines asks for several lines in random positions of all rules and sizes:
// as many come as there are legal moves, or as were asked for; each can be
// played and has a value; a win or loss falls with the last move of its line;
// and the move played is the first of the last set.
func TestLines(t *testing.T) {
	t.Parallel()
	positions := 60
	if long() {
		positions = 809
	}
	rng := rand.New(rand.NewPCG(11, 12))
	s := newSession(t, newEngine())
	s.send("INFO show_detail 2\n")
	short, decided := 0, 0
	for range positions {
		code := []int{0, 1, 4, 8, 9}[rng.IntN(5)]
		size := []int{5, 7, 9, 15, 20, 28}[rng.IntN(6)]
		n := []int{1, 3, 8}[rng.IntN(3)]
		g, text := randomPosition(rng, code, size)
		limit := []string{"max_node 200\nINFO timeout_turn 5000", "max_node 3000\nINFO timeout_turn 5000", "max_node 0\nINFO timeout_turn 0",
			"max_node 0\nINFO timeout_turn 30"}[rng.IntN(4)]
		s.send(fmt.Sprintf("INFO rule %d\nSTART %d\nINFO %s\n%s", code, size, limit, text))
		s.next(patience)
		request := fmt.Sprintf("YXNBEST %d\n", n)
		s.send(request)
		set, answer := lastSet(t, s)
		if t.Failed() {
			t.Fatalf("rule %d, size %d, %s%s", code, size, text, request)
		}
		side := byte(boardtest.Black)
		if strings.Count(text, "\n")%2 == 1 {
			side = boardtest.White // YXBOARD and DONE are two lines
		}
		legal := 0
		for _, p := range g.Points(boardtest.Empty) {
			if g.Legal(p, side) {
				legal++
			}
		}
		if want := min(n, legal); len(set) != want || want > 0 && set[0].count != want {
			t.Fatalf("%d lines, want %d: rule %d, size %d, %s%s%v", len(set), want, code, size, text, request, set)
		}
		if len(set) > 0 && set[0].moves[0] != answer {
			t.Fatalf("played %v, told %v: rule %d, size %d, %s%s", answer, set[0].moves, code, size, text, request)
		}
		if legal < n {
			short++
		}
		for i, l := range set {
			if strings.Contains(l.eval, "M") {
				decided++
			}
			if fault := checkLine(g, side, l); fault != "" || l.index != i {
				t.Fatalf("line %d, %+v: %s: rule %d, size %d, %s%s", i, l, fault, code, size, text, request)
			}
		}
	}
	t.Logf("%d positions, %d with fewer moves than lines asked for, %d lines decided", positions, short, decided)
	if short == 0 || decided == 0 {
		t.Error("the positions are too plain")
	}
}

// Black's only reply to a four of white's may be forbidden: then the line goes
// on elsewhere.
func TestLineOfForbiddenReply(t *testing.T) {
	text := "1,5,2 2,6,1 3,8,2 0,3,1 5,8,2 3,4,1 1,2,2 6,6,1 3,5,2 0,7,1 2,2,2 2,4,1 6,7,2 4,4,1 5,2,2 2,3,1 7,6,2 " +
		"1,7,1 2,1,2 2,8,1 1,0,2 5,7,1 4,3,2 5,3,1 4,6,2 4,0,1 3,6,2 5,0,1 7,1,2 8,7,1 7,2,2 1,4,1 5,1,2"
	g := boardtest.New(9, 9, board.Renju.String())
	for i, stone := range strings.Fields(text) {
		g.Set(pointOf(stone), []byte{boardtest.Black, boardtest.White}[i%2])
	}
	s := newSession(t, newEngine())
	s.send("INFO rule 4\nINFO show_detail 2\nINFO max_node 3000\nSTART 9\nYXBOARD " + text + " DONE\n")
	s.next(patience)
	s.send("YXNBEST 8\n")
	set, _ := lastSet(t, s)
	if len(set) != 8 {
		t.Errorf("%d lines", len(set))
	}
	for _, l := range set {
		if fault := checkLine(g, boardtest.White, l); fault != "" {
			t.Errorf("%+v: %s", l, fault)
		}
	}
}

// randomPosition returns a position after moves of random play near others,
// with no five, and the YXBOARD block of it.
func randomPosition(rng *rand.Rand, code, size int) (*boardtest.Referee, string) {
	g := boardtest.New(size, size, codes[code].String())
	moves := rng.IntN(min(40, size*size))
	if rng.IntN(6) == 0 {
		moves = size * size // as many as there are
	}
	var played []boardtest.Point
	for len(played) < moves {
		side := []byte{boardtest.Black, boardtest.White}[len(played)%2]
		var near []boardtest.Point
		for _, p := range g.Points(boardtest.Empty) {
			if g.Legal(p, side) && !g.Wins(p, side) && (len(played) == 0 || slices.ContainsFunc(played, func(q boardtest.Point) bool {
				return max(p.X-q.X, q.X-p.X, p.Y-q.Y, q.Y-p.Y) <= 2
			})) {
				near = append(near, p)
			}
		}
		if len(near) == 0 {
			break
		}
		p := near[rng.IntN(len(near))]
		g.Set(p, side)
		played = append(played, p)
	}
	if len(played) == size*size { // leave a point
		last := len(played) - 1
		g.Set(played[last], boardtest.Empty)
		played = played[:last]
	}
	var b strings.Builder
	b.WriteString("YXBOARD\n")
	for i, p := range played {
		fmt.Fprintf(&b, "%d,%d,%d\n", p.X, p.Y, 2-(len(played)-i+1)%2)
	}
	b.WriteString("DONE\n")
	return g, b.String()
}

// lastSet receives the lines told up to a move, and returns the last set.
func lastSet(t *testing.T, s *session) (set []toldLine, answer boardtest.Point) {
	t.Helper()
	var l toldLine
	for {
		r, ok := s.receive(patience)
		if !ok {
			t.Fatal("no answer")
		}
		if moveRE.MatchString(r.text) {
			return set, pointOf(r.text)
		}
		words := strings.Fields(r.text)
		switch {
		case words[0] != "INFO":
		case r.text == "INFO PV DONE":
			if l.index == 0 {
				set = nil
			}
			set = append(set, l)
			l = toldLine{}
		case words[1] == "PV":
			l.index, _ = strconv.Atoi(words[2])
		case words[1] == "NUMPV":
			l.count, _ = strconv.Atoi(words[2])
		case words[1] == "EVAL":
			l.eval = words[2]
		case words[1] == "BESTLINE":
			for _, w := range words[2:] {
				l.moves = append(l.moves, pointOf(w))
			}
		}
	}
}

func pointOf(text string) boardtest.Point {
	n := integers(text)
	return boardtest.Point{X: n[0], Y: n[1]}
}

// checkLine plays a line and says what is wrong with it.
func checkLine(g *boardtest.Referee, side byte, l toldLine) (fault string) {
	if l.eval == "" || len(l.moves) == 0 {
		return "no value or no move"
	}
	won := false
	var played []boardtest.Point
	for _, p := range l.moves {
		if won || !g.Legal(p, side) {
			fault = "cannot be played"
			break
		}
		won = g.Wins(p, side)
		g.Set(p, side)
		played = append(played, p)
		side = boardtest.Black + boardtest.White - side
	}
	for _, p := range played {
		g.Set(p, boardtest.Empty)
	}
	if plies, ok := strings.CutPrefix(l.eval[1:], "M"); ok && fault == "" {
		if n, _ := strconv.Atoi(plies); n != len(l.moves) || !won || (l.eval[0] == '+') != (n%2 == 1) {
			fault = "has another number of plies"
		}
	}
	return fault
}

// The last line told begins with the move played, whatever the engine told.
func TestLastLineIsPlayed(t *testing.T) {
	for name, r := range map[string]engine.Result{
		"another":      {Move: board.Pt(9, 9), Score: 5, PV: []board.Move{board.Pt(9, 9), board.Pt(1, 1)}},
		"none":         {Move: board.NoMove},
		"not playable": {Move: board.Pt(7, 7), PV: []board.Move{board.Pt(7, 7)}},
	} {
		e := &fakeEngine{search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
			if name == "another" {
				report(engine.Info{PV: []board.Move{board.Pt(3, 4)}, NumPV: 1})
			}
			<-ctx.Done()
			return r
		}}
		s := newSession(t, e)
		s.send("INFO show_detail 3\nSTART 15\n")
		s.next(patience)
		s.send("TURN 7,7\n")
		time.Sleep(10 * time.Millisecond)
		s.send("STOP\n")
		set, answer := lastSet(t, s)
		if len(set) != 1 || set[0].moves[0] != answer || set[0].eval == "" {
			t.Errorf("%s: played %v, told %+v", name, answer, set)
		}
	}
}

// However many lines a search tells at once, the last set is complete.
func TestManyLines(t *testing.T) {
	e := &fakeEngine{search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
		for depth := range 20 {
			for i := range req.MultiPV {
				report(engine.Info{Depth: depth, PVIndex: i, NumPV: req.MultiPV, PV: []board.Move{board.Pt(i%20, i/20)}})
			}
		}
		return engine.Result{Move: board.Pt(0, 0), PV: []board.Move{board.Pt(0, 0)}}
	}}
	s := newSession(t, e)
	s.send("INFO show_detail 2\nSTART 20\n")
	s.next(patience)
	s.send("YXNBEST 400\n")
	if set, _ := lastSet(t, s); len(set) != 400 || set[399].index != 399 {
		t.Errorf("%d lines", len(set))
	}
}
