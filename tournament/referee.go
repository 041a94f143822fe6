package tournament

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board"
)

const (
	// startLimit is how long an engine may take to get ready.
	startLimit = 10 * time.Second

	// tolerance is what a move may take longer than its limit: as much as at
	// Gomocup. It is for the machine's delays, not for the engine to use.
	tolerance = time.Second

	// maxMemory is the limit told to the engines, in bytes: Gomocup's. It is
	// not enforced.
	maxMemory = 350 << 20
)

// settings say what is played.
type settings struct {
	rule    board.Rule
	size    int
	turn    time.Duration // limit for a move
	opening []board.Move  // on the board before the engines begin
}

// An end is how a game ended.
type end uint8

const (
	drawn   end = iota // no point is left
	five               // the winner made five in a row
	foul               // the loser, black in renju, made a foul
	illegal            // the loser said something that is no legal move
	late               // the loser took too long
	crashed            // the loser's process is gone
)

// A result is the referee's verdict.
type result struct {
	end    end
	winner board.Color // if it is no draw
	text   string      // the same for people
}

// A fault is what an engine did that loses the game at once.
type fault struct {
	end  end
	text string // "played h8, which is occupied"
}

// A ply is a move that was made.
type ply struct {
	move board.Move
	time time.Duration
	said string // by the engine, about the move
}

// A referee conducts one game.
type referee struct {
	settings
	board *board.Board
}

// newReferee sets up the board. The settings may be wrong.
func newReferee(s settings) (*referee, error) {
	b, err := board.New(s.size, s.size, s.rule)
	if err != nil {
		return nil, err
	}
	for _, m := range s.opening {
		if !b.On(m) || !b.Legal(m) || b.Wins(m, b.Side()) {
			return nil, fmt.Errorf("%v cannot be part of an opening here", m)
		}
		b.Place(m)
	}
	return &referee{settings: s, board: b}, nil
}

// play conducts the game between two engines, by color, that have been started
// and not been spoken to. It calls show after every move. The error is
// that of ctx: whatever an engine does makes a result.
func (r *referee) play(ctx context.Context, players [2]*player, show func(ply)) (result, error) {
	for c, p := range players {
		if f := r.greet(p); f != nil {
			return r.verdict(ctx, board.Color(c), f)
		}
	}
	for !r.board.Full() {
		side := r.board.Side()
		m, took, f := r.move(players[side])
		if f != nil {
			return r.verdict(ctx, side, f)
		}
		wins := r.board.Wins(m, side)
		r.board.Place(m)
		show(ply{m, took, players[side].said()})
		if wins {
			return result{five, side, fmt.Sprintf("%v wins: %s", side, points(r.board.Five()))}, nil
		}
	}
	return result{end: drawn, text: "draw: the board is full"}, nil
}

// verdict returns the result of a game in which side's engine failed.
func (r *referee) verdict(ctx context.Context, side board.Color, f *fault) (result, error) {
	if ctx.Err() != nil {
		return result{}, context.Cause(ctx) // it was us who ended the engine
	}
	winner := side.Opponent()
	return result{f.end, winner, fmt.Sprintf("%v wins: %v's engine %s", winner, side, f.text)}, nil
}

// greet tells an engine what will be played.
func (r *referee) greet(p *player) *fault {
	reply, _, f := p.ask(startLimit, fmt.Sprintf("START %d", r.size))
	if f != nil {
		return f
	}
	if !strings.EqualFold(reply, "OK") {
		return &fault{illegal, fmt.Sprintf("answered START with %s", quote(reply))}
	}
	return nil
}

// move lets an engine move and returns a move that it may make.
func (r *referee) move(p *player) (m board.Move, took time.Duration, f *fault) {
	lines := append(r.news(p), r.position(p)...)
	reply, took, f := p.ask(r.turn+tolerance, lines...)
	if f != nil {
		return board.NoMove, took, f
	}
	p.placed = true
	m, ok := parsePoint(reply)
	switch {
	case !ok:
		return m, took, &fault{illegal, fmt.Sprintf("answered %s, which is no move", quote(reply))}
	case !r.board.On(m):
		return m, took, &fault{illegal, fmt.Sprintf("played %s, which is off the board", reply)}
	case !r.board.Empty(m):
		return m, took, &fault{illegal, fmt.Sprintf("played %v, which is occupied", m)}
	case !r.board.Legal(m):
		return m, took, &fault{foul, fmt.Sprintf("played %v, a foul (%v)", m, r.board.Foul(m))}
	}
	return m, took, nil
}

// news returns what an engine must know before its first move.
func (r *referee) news(p *player) []string {
	if p.placed {
		return nil
	}
	return []string{
		fmt.Sprintf("INFO timeout_turn %d", r.turn.Milliseconds()),
		"INFO timeout_match 0",
		"INFO time_left 2147483647",
		fmt.Sprintf("INFO max_memory %d", maxMemory),
		"INFO game_type 1",
		fmt.Sprintf("INFO rule %d", ruleCode(r.rule)),
	}
}

// position returns the command that asks for a move: the whole board at first
// and then what the opponent did.
func (r *referee) position(p *player) []string {
	b := r.board
	switch {
	case b.Stones() == 0:
		return []string{"BEGIN"}
	case p.placed:
		return []string{fmt.Sprintf("TURN %d,%d", b.Last().X(), b.Last().Y())}
	}
	lines := []string{"BOARD"}
	for _, m := range b.History() {
		field := 2
		if b.At(m) == b.Side().Stone() {
			field = 1
		}
		lines = append(lines, fmt.Sprintf("%d,%d,%d", m.X(), m.Y(), field))
	}
	return append(lines, "DONE")
}

var pointRE = regexp.MustCompile(`^(\d{1,2}),(\d{1,2})$`)

// parsePoint reads a move as an engine has to write it. It may lie off every
// board.
func parsePoint(s string) (board.Move, bool) {
	xy := pointRE.FindStringSubmatch(s)
	if xy == nil {
		return board.NoMove, false
	}
	x, _ := strconv.Atoi(xy[1])
	y, _ := strconv.Atoi(xy[2])
	if x >= board.MaxSize || y >= board.MaxSize {
		return board.NoMove, true
	}
	return board.Pt(x, y), true
}

// ruleCode returns the value of INFO rule that stands for r.
func ruleCode(r board.Rule) int {
	for code := 0; ; code++ {
		if rule, continuous := board.RuleOfCode(code); rule == r && !continuous {
			return code
		}
	}
}

// points writes points one after the other.
func points(list []board.Move) string {
	var s []string
	for _, m := range list {
		s = append(s, m.String())
	}
	return strings.Join(s, " ")
}
