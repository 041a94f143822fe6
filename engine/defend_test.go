package engine

import (
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
)

// A defendCase is a position in which the opponent threatens a VCF. Hold lists all
// moves that prevent it; if it is empty, the position is lost and any legal move
// will do.
type defendCase struct {
	enginetest.Position
	Hold []string
}

// The engine never allows a VCF that it can prevent.
func TestDefend(t *testing.T) {
	limits := nodes(20_000)
	if enginetest.Long() {
		limits = Limits{Turn: 500 * time.Millisecond, Left: NoLimit}
	}
	e := New(testOptions)
	held, lost := 0, 0
	for _, c := range enginetest.Sample(boardtest.ReadCases[defendCase](t, "defend.jsonl.gz")) {
		b := c.Board(t)
		e.Reset()
		res := e.Search(t.Context(), Request{Board: b, Limits: limits}, nil)
		switch {
		case !b.Legal(res.Move):
			t.Errorf("%s: %v is not legal:\n%v", c.ID, res.Move, b)
		case len(c.Hold) == 0:
			lost++
		case !slices.Contains(enginetest.Moves(t, c.Hold), res.Move):
			t.Errorf("%s: %v, score %v, want one of %v\n%v", c.ID, res.Move, res.Score, c.Hold, b)
		default:
			held++
		}
	}
	t.Logf("%d held, %d lost positions", held, lost)
}

// VCT problems, which the engine may or may not solve in a second. A win that it
// claims must hold against its own defence.
func TestThreatProblems(t *testing.T) {
	limits := nodes(30_000)
	if enginetest.Long() {
		limits = Limits{Turn: time.Second, Left: NoLimit}
	}
	e := New(testOptions)
	solved := 0
	cases := boardtest.ReadCases[struct {
		enginetest.Position
		Solution []string
	}](t, "../solve/testdata/vct.jsonl")
	for _, c := range cases {
		b := c.Board(t)
		e.Reset()
		res := e.Search(t.Context(), Request{Board: b, Limits: limits}, nil)
		if n, ok := res.Score.Mate(); ok && n > 0 {
			solved++
			took := playOut(t, b.Clone(), n, board.NoMove)
			t.Logf("%s: %v in %d plies, played in %d; published: %v in %d", c.ID, res.Move, n, took, c.Solution[0], len(c.Solution)+2)
		} else {
			t.Logf("%s: not solved, %v, score %v at depth %d; published: %v", c.ID, res.Move, res.Score, res.Depth, c.Solution[0])
		}
	}
	t.Logf("%d of %d solved", solved, len(cases))
}

// A report is a position from a public bug report of some engine, representative
// of a class of bugs.
type report struct {
	enginetest.Position
	Kind, Wrong, Right string
	MustBe             []string `json:"answer_must_be"`
	MustNotBe          []string `json:"answer_must_not_be"`
}

// The engine does not have these bugs of other engines.
func TestReports(t *testing.T) {
	limits := nodes(30_000)
	if enginetest.Long() {
		limits = Limits{Turn: 500 * time.Millisecond, Left: NoLimit}
	}
	e := New(testOptions)
	for _, c := range boardtest.ReadCases[report](t, "reports.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			b := c.Board(t)
			e.Reset()
			res := e.Search(t.Context(), Request{Board: b, Limits: limits}, nil)
			if !b.Legal(res.Move) {
				t.Errorf("%s: %v is not legal:\n%v", c.Kind, res.Move, b)
			}
			if c.MustBe != nil && !slices.Contains(enginetest.Moves(t, c.MustBe), res.Move) {
				t.Errorf("%s: %v, want one of %v. %s\n%v", c.Kind, res.Move, c.MustBe, c.Right, b)
			}
			if slices.Contains(enginetest.Moves(t, c.MustNotBe), res.Move) {
				t.Errorf("%s: %v, want none of %v. %s\n%v", c.Kind, res.Move, c.MustNotBe, c.Right, b)
			}
			switch c.ID {
			case "A02", "A18": // wins claimed falsely
				if n, ok := res.Score.Mate(); ok && n > 0 {
					playOut(t, b.Clone(), n, board.NoMove)
				}
			case "A07", "A08": // an overline taken for a five
				if n, _ := res.Score.Mate(); n == 1 {
					t.Errorf("%s: a win at %v. %s\n%v", c.Kind, res.Move, c.Right, b)
				}
			case "A22", "A48": // after the game: any answer is right
				if five := fiveOf(b); five == nil {
					t.Errorf("no five is seen:\n%v", b)
				}
			}
		})
	}
}

// fiveOf returns a winning run on the board, or nil.
func fiveOf(b *board.Board) []board.Move {
	for y := range b.Height() {
		for x := range b.Width() {
			if five := b.FiveAt(board.Pt(x, y)); five != nil {
				return five
			}
		}
	}
	return nil
}
