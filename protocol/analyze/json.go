package analyze

import (
	"encoding/json"
	"io"
	"math"

	"kumiko/engine"
	"kumiko/engine/board"
)

// The lines of a report in JSON, in this order: a header, the positions that were
// searched, each with the verdict on the move before it, and for a game the players.
// Points are as --rows says; scores and rates are those of the side to move, in a
// verdict those of the player who moved.
type (
	jsonHeader struct {
		Kind     string   `json:"kind"` // header
		Rule     string   `json:"rule"`
		Width    int      `json:"width"`
		Height   int      `json:"height"`
		Black    string   `json:"black,omitempty"`
		White    string   `json:"white,omitempty"`
		Result   string   `json:"result,omitempty"`
		Setup    string   `json:"setup,omitempty"` // the board before the moves, as a picture
		Moves    []string `json:"moves"`
		Game     bool     `json:"game"`
		Complete bool     `json:"complete"` // false if it was interrupted
	}
	jsonPosition struct {
		Kind     string       `json:"kind"`   // position
		Ply      int          `json:"ply"`    // moves before it
		Side     string       `json:"side"`   // to move
		Ending   string       `json:"ending"` // empty, won, full or stuck
		Five     []string     `json:"five,omitempty"`
		Depth    int          `json:"depth,omitempty"`
		SelDepth int          `json:"seldepth,omitempty"`
		Nodes    int64        `json:"nodes,omitempty"`
		Lines    []jsonLine   `json:"lines,omitempty"`
		Fours    []string     `json:"fours,omitempty"` // a win by fours
		Verdict  *jsonVerdict `json:"verdict,omitempty"`
	}
	jsonLine struct {
		Score   engine.Score `json:"score"`
		Mate    int          `json:"mate,omitempty"` // plies to the five, negative for a loss
		WinRate float64      `json:"win_rate"`
		Moves   []string     `json:"moves"`
	}
	jsonVerdict struct {
		Move    string       `json:"move"`
		Color   string       `json:"color"`
		Score   engine.Score `json:"score"`
		WinRate float64      `json:"win_rate"`
		Best    float64      `json:"best"` // win rate of the best move
		Lost    float64      `json:"lost"`
		Mark    string       `json:"mark"` // empty, doubtful, mistake or blunder
		Missed  []string     `json:"missed,omitempty"`
		Allowed []string     `json:"allowed,omitempty"`
		Reply   []string     `json:"reply,omitempty"`
	}
	jsonPlayer struct {
		Kind     string  `json:"kind"` // player
		Color    string  `json:"color"`
		Moves    int     `json:"moves"`
		Doubtful int     `json:"doubtful"`
		Mistakes int     `json:"mistakes"`
		Blunders int     `json:"blunders"`
		Lost     float64 `json:"lost"` // on average
		Missed   int     `json:"missed"`
		Allowed  int     `json:"allowed"`
	}
)

func (e ending) String() string { return [...]string{"", "won", "full", "stuck"}[e] }

// writeJSON writes a report as lines of JSON.
func writeJSON(w io.Writer, r *report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	rec := r.record
	header := jsonHeader{Kind: "header", Rule: rec.start.Rule().String(), Width: rec.start.Width(), Height: rec.start.Height(),
		Black: rec.names[board.Black], White: rec.names[board.White], Result: rec.result,
		Moves: rec.namesOf(rec.moves), Game: rec.game, Complete: r.complete()}
	if rec.start.Stones() > 0 || rec.start.Side() == board.White {
		header.Setup = rec.start.String()
	}
	if err := e.Encode(header); err != nil {
		return err
	}
	for i, p := range r.positions {
		var v *verdict
		if i > 0 {
			v = &r.verdicts[i-1]
		}
		if err := e.Encode(jsonOf(rec, p, v)); err != nil {
			return err
		}
	}
	if !rec.game {
		return nil
	}
	for _, c := range []board.Color{board.Black, board.White} {
		t := tallyOf(r.verdicts, c)
		if err := e.Encode(jsonPlayer{"player", c.String(), t.moves, t.marks[doubtful], t.marks[mistake], t.marks[blunder], round(t.lost), t.missed, t.allowed}); err != nil {
			return err
		}
	}
	return nil
}

// jsonOf returns a position in JSON, with the verdict on the move before it.
func jsonOf(r *record, p *position, v *verdict) jsonPosition {
	j := jsonPosition{Kind: "position", Ply: p.ply, Side: p.board.Side().String(), Ending: p.ending.String(), Five: r.namesOf(p.five),
		Depth: p.depth, SelDepth: p.selDepth, Nodes: p.nodes, Fours: r.namesOf(p.fours)}
	for _, l := range p.lines {
		n, _ := l.score.Mate()
		j.Lines = append(j.Lines, jsonLine{l.score, n, round(l.score.WinRate()), r.namesOf(l.moves)})
	}
	if v != nil {
		j.Verdict = &jsonVerdict{r.name(v.move), v.color.String(), v.score, round(v.rate), round(v.best.score.WinRate()), round(v.lost), v.mark.String(),
			r.namesOf(v.missed), r.namesOf(v.allowed), r.namesOf(v.reply.moves)}
	}
	return j
}

// namesOf returns the names of points.
func (r *record) namesOf(moves []board.Move) []string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = r.name(m)
	}
	return names
}

// round drops the digits of a rate that mean nothing.
func round(rate float64) float64 { return math.Round(rate*1e4) / 1e4 }
