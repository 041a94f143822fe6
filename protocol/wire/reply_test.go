package wire

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
)

func TestOrder(t *testing.T) {
	moves := []board.Move{board.Pt(0, 0), board.Pt(14, 3), board.Pt(5, 31)}
	for _, test := range []struct {
		order                 Order
		point, points, forbid string
	}{
		{ColumnRow, "14,3", "0,0 14,3 5,31", "FORBID 000014030531."},
		{RowColumn, "3,14", "0,0 3,14 31,5", "FORBID 000003143105."},
	} {
		if got := test.order.Point(moves[1]); got != test.point {
			t.Errorf("point %q, want %q", got, test.point)
		}
		if got := test.order.Points(moves); got != test.points {
			t.Errorf("points %q, want %q", got, test.points)
		}
		if got := test.order.Forbid(moves); got != test.forbid {
			t.Errorf("forbidden %q, want %q", got, test.forbid)
		}
		if got := test.order.Forbid(nil); got != "FORBID ." {
			t.Errorf("forbidden %q, want none", got)
		}
		for _, m := range moves { // what is written is read again
			c, err := Parse("TURN " + test.order.Point(m))
			if x, y := test.order.Swap(c.X, c.Y); err != nil || x != m.X() || y != m.Y() {
				t.Errorf("%v is read as %+v, %v", m, c, err)
			}
		}
	}
}

func TestReport(t *testing.T) {
	r := Report{Index: 1, Count: 3, Depth: 12, SelDepth: 18, Score: 34, Eval: "34", WinRate: 0.5424,
		Nodes: 123456, Time: 500 * time.Millisecond, Line: []board.Move{board.Pt(7, 8), board.Pt(8, 8)}}
	if got, want := r.Summary(), "MESSAGE depth 12-18 ev 34 n 123456 n/s 246912 tm 500 pv h9 i9"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	realtime := []string{"MESSAGE REALTIME BEST 8,7", "MESSAGE REALTIME VAL 34", "MESSAGE REALTIME PV h9 i9"}
	if got := r.Realtime(RowColumn); !slices.Equal(got, realtime) {
		t.Errorf("realtime %q, want %q", got, realtime)
	}
	detail := []string{"INFO PV 1", "INFO NUMPV 3", "INFO DEPTH 12", "INFO SELDEPTH 18", "INFO NODES 123456",
		"INFO TOTALNODES 123456", "INFO TOTALTIME 500", "INFO SPEED 246912", "INFO EVAL 34", "INFO WINRATE 0.5424",
		"INFO BESTLINE 7,8 8,8", "INFO PV DONE"}
	if got := r.Detail(ColumnRow); !slices.Equal(got, detail) {
		t.Errorf("detail %q, want %q", got, detail)
	}
	r.Line = slices.Repeat(r.Line, 200)
	if got := r.Summary(); len(got) > maxMessage || len(got) < maxMessage-4 {
		t.Errorf("summary of %d bytes", len(got))
	}
	if got := (Report{Depth: 5, SelDepth: 3, Eval: "0", Nodes: 7}).Summary(); got != "MESSAGE depth 5-5 ev 0 n 7 n/s 0 tm 0" {
		t.Errorf("summary %q without time and line", got)
	}
	for _, line := range slices.Concat(realtime, detail, Limits(2, 19), []string{RealtimeRefresh}) {
		if !IsNews(line) {
			t.Errorf("IsNews(%q) = false, want true", line)
		}
	}
	for _, line := range []string{OK, Swap, Error("x"), UnknownWord("x"), "7,7", AboutLine("a", "1", "b"), "FORBID ."} {
		if IsNews(line) || strings.ContainsAny(line, "\r\n") {
			t.Errorf("%q is news, or two lines", line)
		}
	}
}
