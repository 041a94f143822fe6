package board

import (
	"maps"
	"strings"
	"testing"

	"kumiko/engine/board/boardtest"
)

// Every forbidden point of 6,000 positions, on which two independent
// implementations agree.
func TestForbiddenCases(t *testing.T) {
	type record struct {
		ID           int
		Size         int
		Black, White [][2]int
		Forbidden    [][3]any `json:"fouls"` // x, y and kind, like [7, 7, "33"]
	}
	kinds := map[any]Forbidden{"33": DoubleThree, "44": DoubleFour, "6": Overline}
	for _, r := range boardtest.ReadCases[record](t, "forbidden.jsonl.gz") {
		b, err := New(r.Size, r.Size, Renju)
		if err != nil {
			t.Fatal(err)
		}
		var stones []Stone
		for _, p := range r.Black {
			stones = append(stones, Stone{Pt(p[0], p[1]), BlackStone})
		}
		for _, p := range r.White {
			stones = append(stones, Stone{Pt(p[0], p[1]), WhiteStone})
		}
		if err := b.Setup(stones, Black); err != nil {
			t.Fatal(err)
		}
		want := map[Move]Forbidden{}
		for _, f := range r.Forbidden {
			want[Pt(int(f[0].(float64)), int(f[1].(float64)))] = kinds[f[2]]
		}
		if got := forbidden(b); !maps.Equal(got, want) {
			t.Errorf("position %d: forbidden %v, want %v\n%v", r.ID, got, want, b)
		}
	}
}

// Points from the tests of other programs, and every forbidden point of the
// same boards.
func TestPointCases(t *testing.T) {
	type record struct {
		position
		Confidence string
		Points     []struct{ P, Expect, Kind, Side string }
		All        map[string]string `json:"forbidden_all"`
	}
	for _, r := range boardtest.ReadCases[record](t, "points.jsonl") {
		b := r.board(t)
		want := map[Move]Forbidden{}
		for p, kind := range r.All {
			want[mustMove(t, p)] = forbiddenOf(t, kind)
		}
		if got := forbidden(b); !maps.Equal(got, want) {
			t.Errorf("%s: forbidden %v, want %v\n%v", r.ID, got, want, b)
		}
		if r.Confidence == "disputed" {
			continue // the point's source reads the rules in its own way
		}
		for _, p := range r.Points {
			m := mustMove(t, p.P)
			var ok bool
			switch p.Expect {
			case "forbidden":
				ok = b.Forbidden(m) == forbiddenOf(t, p.Kind) && !b.Wins(m, Black)
			case "legal":
				ok = b.Forbidden(m) == NotForbidden && b.Legal(m)
			case "win":
				ok = b.Forbidden(m) == NotForbidden && b.Legal(m) && b.Wins(m, Black)
			case "legal_for_white":
				if err := b.Setup(stonesOf(b), White); err != nil {
					t.Fatal(err)
				}
				ok = b.Legal(m)
			}
			if !ok {
				t.Errorf("%s: %s is not %s: forbidden %v, black wins %v\n%v",
					r.ID, p.P, p.Expect, b.Forbidden(m), b.Wins(m, Black), b)
			}
		}
	}
}

// stonesOf lists the stones on b.
func stonesOf(b *Board) []Stone {
	var stones []Stone
	for y := range b.Height() {
		for x := range b.Width() {
			if m := Pt(x, y); b.At(m) != Empty {
				stones = append(stones, Stone{m, b.At(m)})
			}
		}
	}
	return stones
}

// Win checks of every rule, and positions in which one side has a five to
// make or to stop.
func TestRuleCases(t *testing.T) {
	type record struct {
		position
		Kind string
		// In win checks: points with what follows. Elsewhere: strings, the
		// moves played or the best moves.
		Moves           []any
		AnswerMustBe    []string `json:"answer_must_be"`
		AnswerMustNotBe []string `json:"answer_must_not_be"`
	}
	checked := map[string]int{}
	for _, r := range boardtest.ReadCases[record](t, "rules.jsonl") {
		b := r.board(t)
		switch r.Kind {
		case "win_check":
			for _, move := range r.Moves {
				move := move.(map[string]any)
				m, side := mustMove(t, move["p"].(string)), sideOf(move["side"].(string))
				want := move["expect"] == side.String()+"_wins"
				if got := b.Wins(m, side); got != want {
					t.Errorf("%s: %v wins at %v: %v, want %v\n%v", r.ID, side, m, got, want, b)
				}
				checked[r.Kind]++
			}
		case "optimal_moves", "acceptance":
			// The board knows the answer if it is a five, or the only one.
			answers := r.AnswerMustBe
			if r.Kind == "optimal_moves" {
				for _, m := range r.Moves {
					answers = append(answers, m.(string))
				}
			}
			want := map[Move]bool{}
			for _, m := range answers {
				want[mustMove(t, m)] = true
			}
			wins, losses := winningMoves(b, b.Side()), winningMoves(b, b.Side().Opponent())
			switch {
			case len(wins) > 0:
				if !maps.Equal(wins, want) {
					t.Errorf("%s: winning moves %v, want %v\n%v", r.ID, wins, want, b)
				}
				checked["own five"]++
			case len(losses) > 0:
				if len(losses) != 1 || !maps.Equal(losses, want) {
					t.Errorf("%s: moves that stop a five %v, want %v\n%v", r.ID, losses, want, b)
				}
				checked["other's five"]++
			}
			for m := range want {
				if !b.Legal(m) {
					t.Errorf("%s: %v is not legal\n%v", r.ID, m, b)
				}
			}
			for _, m := range r.AnswerMustNotBe {
				if b.Legal(mustMove(t, m)) {
					t.Errorf("%s: %v is legal\n%v", r.ID, m, b)
				}
				checked["illegal"]++
			}
		default:
			t.Errorf("%s: unknown kind %q", r.ID, r.Kind)
		}
	}
	t.Logf("checked %v", checked)
	for _, kind := range []string{"win_check", "own five", "other's five", "illegal"} {
		if checked[kind] == 0 {
			t.Errorf("no record is a check of the kind %q", kind)
		}
	}
}

// The wins and the forbidden points in the positions of public bug reports.
func TestReportCases(t *testing.T) {
	type record struct {
		position
		Computed struct {
			OwnFives      []string `json:"own_fives"`
			OpponentFives []string `json:"opponent_fives"`
			Forbidden     []string // like e9:double_three
			FiveOnBoard   bool     `json:"five_on_board"`
		}
		AnswerMustBe    []string `json:"answer_must_be"`
		AnswerMustNotBe []string `json:"answer_must_not_be"`
	}
	points := func(list []string) map[Move]bool {
		set := map[Move]bool{}
		for _, s := range list {
			set[mustMove(t, s)] = true
		}
		return set
	}
	positions := 0
	for _, r := range boardtest.ReadCases[record](t, "reports.jsonl") {
		if r.Size == 0 || len(r.Black)+len(r.White) == 0 {
			continue // not about a position
		}
		b := r.board(t)
		if r.Computed.FiveOnBoard {
			if !anyFive(b) {
				t.Errorf("%s: the five on the board is not seen\n%v", r.ID, b)
			}
		} else if anyFive(b) {
			t.Errorf("%s: a five is seen where there is none\n%v", r.ID, b)
		}
		if got, want := winningMoves(b, b.Side()), points(r.Computed.OwnFives); !maps.Equal(got, want) {
			t.Errorf("%s: winning moves %v, want %v\n%v", r.ID, got, want, b)
		}
		if got, want := winningMoves(b, b.Side().Opponent()), points(r.Computed.OpponentFives); !maps.Equal(got, want) {
			t.Errorf("%s: opponent's winning moves %v, want %v\n%v", r.ID, got, want, b)
		}
		want := map[Move]Forbidden{}
		for _, s := range r.Computed.Forbidden {
			p, kind, _ := strings.Cut(s, ":")
			want[mustMove(t, p)] = forbiddenOf(t, kind)
		}
		if got := forbidden(b); !maps.Equal(got, want) {
			t.Errorf("%s: forbidden %v, want %v\n%v", r.ID, got, want, b)
		}
		for m := range points(r.AnswerMustBe) {
			if !b.Legal(m) {
				t.Errorf("%s: %v is not legal\n%v", r.ID, m, b)
			}
		}
		for m := range points(r.AnswerMustNotBe) {
			if b.Legal(m) {
				t.Errorf("%s: %v is legal\n%v", r.ID, m, b)
			}
		}
		positions++
	}
	t.Logf("%d positions", positions)
}

// anyFive reports whether a winning run lies on the board.
func anyFive(b *Board) bool {
	for _, s := range stonesOf(b) {
		if s.Cell != DeadStone && b.FiveAt(s.Move) != nil {
			return true
		}
	}
	return false
}

// Games of renju programs: every forbidden point after every move, and who
// has won when.
func TestGameCases(t *testing.T) {
	type record struct {
		position
		Result    string
		Moves     []string
		Forbidden map[int]map[string]string `json:"forbidden_by_ply"`
	}
	for _, r := range boardtest.ReadCases[record](t, "games.jsonl") {
		b := r.board(t)
		for ply := 0; ; ply++ {
			if b.Side() == Black && ply < len(r.Moves) {
				want := map[Move]Forbidden{}
				for p, kind := range r.Forbidden[ply] {
					want[mustMove(t, p)] = forbiddenOf(t, kind)
				}
				if got := forbidden(b); !maps.Equal(got, want) {
					t.Errorf("%s: after %d moves forbidden %v, want %v\n%v", r.ID, ply, got, want, b)
				}
			}
			if ply == len(r.Moves) {
				break
			}
			m := mustMove(t, r.Moves[ply])
			if !b.Legal(m) {
				t.Fatalf("%s: move %d, %v, is not legal: %v\n%v", r.ID, ply+1, m, b.Forbidden(m), b)
			}
			want := ply == len(r.Moves)-1 && r.Result != "1/2-1/2"
			if got := b.Wins(m, b.Side()); got != want {
				t.Errorf("%s: move %d, %v, wins: %v, want %v\n%v", r.ID, ply+1, m, got, want, b)
			}
			b.Place(m)
			if got := b.Five() != nil; got != want {
				t.Errorf("%s: after move %d, %v, a five: %v, want %v\n%v", r.ID, ply+1, m, got, want, b)
			}
		}
		if b.Five() == nil {
			continue
		}
		if winner := b.Side().Opponent(); (r.Result == "1-0") != (winner == Black) {
			t.Errorf("%s: won by %v, but the result is %s", r.ID, winner, r.Result)
		}
	}
}
