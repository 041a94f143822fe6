package game

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/tournament/adjudicate"
)

// toldScores returns the script of an engine that fills a row and tells these scores.
func toldScores(row int, scores string) []string {
	var script []string
	for i, score := range strings.Fields(scores) {
		move := fmt.Sprintf("%d,%d", 2*i, row) // never two in a row
		if score != "-" {
			move = "line:MESSAGE depth 3 ev " + score + "&" + move
		}
		script = append(script, move)
	}
	return script
}

// TestAdjudication ends games by the scores that engines tell with their moves.
func TestAdjudication(t *testing.T) {
	draw := Settings{Draw: adjudicate.Draw{Moves: 4, Score: 10, Stones: 6, Both: true}}
	resign := Settings{Resign: adjudicate.Resign{Moves: 3, Score: 500}}
	for _, tt := range []struct {
		name         string
		s            Settings
		black, white string // scores
		want, text   string
		plies        int
	}{
		{"even", draw, "0 5 -10 10 3", "1 2 3 4 5", "1/2-1/2 score-draw", "Draw by adjudication", 6},
		{"once uneven", draw, "0 5 90 0 0 0", "1 2 3 4 5", "1/2-1/2 score-draw", "Draw by adjudication", 9},
		{"one tells nothing", draw, "0 0 0 0 0 0 0", "- - - - - - -", "1/2-1/2 max-plies", "Draw by adjudication", 12},
		{"win rates", draw, "50% 50.5% 49.5% 50%", "50% 50% 50% 50%", "1/2-1/2 score-draw", "Draw by adjudication", 6},
		{"black loses", resign, "10 -500 -600 -700 0 0", "0 0 0 0 0 0", "0-1 score-loss", "White win by adjudication", 7},
		{"white loses", resign, "0 0 0 0 0 0", "-500 -499 -501 -M9 -M7 0", "1-0 score-loss", "Black win by adjudication", 10},
		{"moves without a score", resign, "0 0 0 0 0 0", "-900 - -900 - -900 0", "1-0 score-loss", "Black win by adjudication", 10},
		{"never long enough", resign, "-900 -900 0 -900 -900 0", "0 0 0 0 0 0", "1/2-1/2 max-plies", "Draw by adjudication", 12},
		{"off", Settings{}, "-900 -900 -900 -900 -900 0", "0 0 0 0 0 0", "1/2-1/2 max-plies", "Draw by adjudication", 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.s.MaxPlies = 12
			m := newMatch(t, tt.s, "", engine(t, "A", toldScores(1, tt.black)...), engine(t, "B", toldScores(3, tt.white)...))
			e := m.play()
			want(t, e, tt.want, "")
			if e.Text != tt.text || len(e.Times) != tt.plies {
				t.Errorf("%q after %d plies, want %q after %d", e.Text, len(e.Times), tt.text, tt.plies)
			}
		})
	}
}
