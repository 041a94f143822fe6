package check

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// ask sends lines and waits for a legal move. If there is none, the outcome
// says why.
func (r *runner) ask(s *session, limit time.Duration, lines ...string) (move point, took time.Duration, o outcome, err error) {
	if err := s.say(lines); err != nil {
		o, err := s.try(err)
		return move, 0, o, err
	}
	step := step{wants: []want{{form: formMove}}, within: limit}
	known := len(s.moves)
	o = r.expect(s, &step, -1)
	if o.status == Pass && len(s.moves) > known {
		move = s.moves[known]
	}
	return move, time.Since(s.sent), o, s.ctx.Err()
}

// clock plays moves with a match clock running. It does not play a game, but
// sends positions with more and more stones and no five.
func (r *runner) clock(s *session, step *step) (outcome, error) {
	size := s.table.width
	var sides [2][]point
	for y := range size {
		for x := range size {
			p := point{x, y}
			side := fillField(p) - 1
			sides[side] = append(sides[side], p)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, side := range sides {
		random.Shuffle(len(side), func(i, j int) { side[i], side[j] = side[j], side[i] })
	}
	left := step.match
	for n := range step.moves {
		var moves []point
		for i := range n {
			moves = append(moves, sides[0][i], sides[1][i])
		}
		lines := append([]string{
			fmt.Sprintf("INFO timeout_match %d", step.match.Milliseconds()),
			fmt.Sprintf("INFO timeout_turn %d", step.turn.Milliseconds()),
			fmt.Sprintf("INFO time_left %d", left.Milliseconds()),
		}, blockOf(moves)...)
		_, took, o, err := r.ask(s, min(step.turn, left)+tolerance, lines...)
		if o.status != Pass || err != nil {
			o.detail = fmt.Sprintf("move %d, with %v left: %s", n+1, left, o.detail)
			return o, err
		}
		left -= took
	}
	if left < 0 {
		return outcome{status: Fail, detail: fmt.Sprintf("%d moves took %v", step.moves, step.match-left)}, nil
	}
	return outcome{status: Pass}, nil
}

// games plays the beginnings of many games in one process and watches its
// memory.
func (r *runner) games(s *session, step *step) (outcome, error) {
	const (
		warm  = 10       // games until one-time allocations are done
		noise = 32 << 20 // bytes
	)
	var early, last int64
	restart := fmt.Sprintf("START %d", s.table.width)
	limit := fmt.Sprintf("INFO max_memory %d", step.memory)
	for n := range step.count {
		if err := s.say([]string{restart}); err != nil {
			return s.try(err)
		}
		ready := stepOf(want{form: formReady})
		if o := r.expect(s, &ready, -1); o.status != Pass {
			return o, s.ctx.Err()
		}
		request := []string{limit, "INFO timeout_turn 20", "BEGIN"}
		for range step.moves {
			if _, _, o, err := r.ask(s, 0, request...); o.status != Pass || err != nil {
				o.detail = fmt.Sprintf("game %d: %s", n+1, o.detail)
				return o, err
			}
			request = []string{"TURN " + s.table.free().String()}
		}
		bytes, ok := s.process.Memory()
		if !ok {
			return outcome{status: Note, detail: "not checked: the memory of a process is not known here"}, nil
		}
		if last = bytes; n < warm {
			early = max(early, last)
		}
		if last > int64(step.memory) {
			return outcome{status: Fail, detail: fmt.Sprintf("after %d games it takes %d MiB", n+1, last>>20)}, nil
		}
	}
	if last > early+early/4+noise {
		return outcome{status: Note, detail: fmt.Sprintf("after %d games it takes %d MiB, after %d it took %d: a leak, or a table that fills",
			step.count, last>>20, warm, early>>20)}, nil
	}
	return outcome{}, nil
}

// selfplay plays a game between the engine and itself.
func (r *runner) selfplay(s *session, step *step) (outcome, error) {
	moves := append([]point(nil), step.from...)
	turn := fmt.Sprintf("INFO timeout_turn %d", step.turn.Milliseconds())
	for len(moves) < min(step.moves, s.table.width*s.table.height) {
		move, _, o, err := r.ask(s, step.turn+tolerance, append([]string{turn}, blockOf(moves)...)...)
		if o.status != Pass || err != nil {
			o.detail = fmt.Sprintf("move %d: %s", len(moves)+1, o.detail)
			return o, err
		}
		moves = append(moves, move)
		if hasFive(moves) {
			break
		}
	}
	return outcome{}, nil
}

// stepOf returns a step that expects an answer.
func stepOf(w want) step { return step{verb: expect, wants: []want{w}} }

// hasFive reports whether the last of moves made five or more in a row.
func hasFive(moves []point) bool {
	mine := map[point]bool{}
	last := len(moves) - 1
	for i := last; i >= 0; i -= 2 {
		mine[moves[i]] = true
	}
	for _, d := range []point{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		run := 1
		for _, sign := range []int{-1, 1} {
			for p := moves[last]; ; run++ {
				p.x += sign * d.x
				p.y += sign * d.y
				if !mine[p] {
					break
				}
			}
		}
		if run >= 5 {
			return true
		}
	}
	return false
}
