package wire

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// readBlock reads lines after "BOARD" on a board of 15x15, the first of them
// as what stands on the line of the command.
func readBlock(o Order, lines ...string) (entries []Entry, done bool, err error) {
	b := NewBlock("board", o, 15, 15)
	done = b.Open(lines[0])
	for _, line := range lines[1:] {
		done = done || b.Add(line)
	}
	entries, err = b.Entries()
	return entries, done, err
}

func TestBlock(t *testing.T) {
	three := []Entry{{7, 8, 1}, {9, 9, 2}, {3, 4, 3}}
	tests := []struct {
		lines string // "|" stands for the end of a line
		want  []Entry
		done  bool
	}{
		{"|7,8,1|9,9,2|3,4,3|DONE", three, true},
		{"7,8,1 9,9,2 3,4,3 DONE", three, true},
		{"7,8,1|9,9,2 3,4,3|done", three, true},
		{"|  7,8,1\t||   |9 , 9 , 2|3, 4, 3|  Done ", three, true},
		{"|7 8 1|9 9 2|+3 4\t3|DONE", three, true},
		{"|7,8,1,|9,9,2,,|3,4,3 ,|DONE", three, true},
		{"7, 8, 1 9 ,9 ,2 , 3,4,3,, done 5,5,5", three, true},
		{"7,8,1, 9,9,2 ,, 3,4,3 DONE", three, true},
		{"|\uFEFF7,8,1|9,9,2\x00|3,4,3|DONE", three, true},
		{"|7,8,1|9,9,2|3,4,3", three, false},
		{"|7,8|9 9|3,4,0|0,0,-1|1,1,9|DONE", []Entry{{7, 8, 0}, {9, 9, 0}, {3, 4, 0}, {0, 0, -1}, {1, 1, 9}}, true},
		{"7 8 1|DONE", []Entry{{7, 8, 1}}, true},
		{"|DONE", nil, true},
		{"DONE", nil, true},
		{"|", nil, false},
	}
	for _, test := range tests {
		entries, done, err := readBlock(ColumnRow, strings.Split(test.lines, "|")...)
		if err != nil || done != test.done || !reflect.DeepEqual(entries, test.want) {
			t.Errorf("%q: %v %v, %v, want %v %v", test.lines, entries, done, err, test.want, test.done)
		}
	}
}

// The first bad line is named, and the rest is read to the end all the same.
func TestBadBlock(t *testing.T) {
	long := strings.Repeat("7", 100)
	tests := []struct{ lines, want string }{
		{"|7,7,1|15,7,2|DONE", `line 2 of BOARD: "15,7,2" is off the board`},
		{"|7,15,1|DONE", `line 1 of BOARD: "7,15,1" is off the board`},
		{"|-1,3,1|99,99,1|DONE", `line 1 of BOARD: "-1,3,1" is off the board`},
		{"|7,7,1||8,8,2|  |7,7,2|x|DONE", `line 3 of BOARD: "7,7,2" repeats a point`},
		{"|7,7,1|x|DONE", `line 2 of BOARD: invalid stone "x"`},
		{"|7,7,1|7;8;1|DONE", `line 2 of BOARD: invalid stone "7;8;1"`},
		{"|h8|DONE", `line 1 of BOARD: invalid stone "h8"`},
		{"|7|DONE", `line 1 of BOARD: invalid stone "7"`},
		{"|7,|DONE", `line 1 of BOARD: invalid stone "7,"`},
		{"|7,,8,1|DONE", `line 1 of BOARD: invalid stone "7,,8,1"`},
		{"|,7,7,1|DONE", `line 1 of BOARD: invalid stone ",7,7,1"`},
		{"|,,,|DONE", `line 1 of BOARD: invalid stone ",,,"`},
		{"|7,7,1,2|DONE", `line 1 of BOARD: invalid stone "7,7,1,2"`},
		{"|7 7 1 2|DONE", `line 1 of BOARD: invalid stone "7 7 1 2"`},
		{"|7.0,7,1|DONE", `line 1 of BOARD: invalid stone "7.0,7,1"`},
		{"|7,7,1x|DONE", `line 1 of BOARD: invalid stone "7,7,1x"`},
		{"|(7,7,1)|DONE", `line 1 of BOARD: invalid stone "(7,7,1)"`},
		{"|7,7,1 x 8,8,1|DONE", `line 1 of BOARD: invalid stone "7,7,1 x 8,8,1"`},
		{"|7,7,1DONE|DONE", `line 1 of BOARD: invalid stone "7,7,1DONE"`},
		{"|99999999999999999999,1,1|DONE", `line 1 of BOARD: "99999999999999999999,1,1" is off the board`},
		{"7,7,1 8,8,2 20,8,2 DONE", `line 3 of BOARD: "20,8,2" is off the board`},
		{"7,7,1 x, 8,8,2 DONE", `line 2 of BOARD: invalid stone "x,"`},
		{"7,7,1 7 , 7 , 2 DONE", `line 2 of BOARD: "7 , 7 , 2" repeats a point`},
		{"|\xff\xfe\t7|DONE", `line 1 of BOARD: invalid stone "?? 7"`},
		{"|" + long + "|DONE", `line 1 of BOARD: invalid stone "` + long[:40] + `..."`},
	}
	for _, test := range tests {
		entries, done, err := readBlock(ColumnRow, strings.Split(test.lines, "|")...)
		if err == nil || err.Error() != test.want || !done || entries != nil {
			t.Errorf("%q: %v %v, %v, want %s", test.lines, entries, done, err, test.want)
		}
	}
}

func TestBlockOrder(t *testing.T) {
	entries, _, err := readBlock(RowColumn, "", "3,12,1", "12,3,2")
	if want := []Entry{{12, 3, 1}, {3, 12, 2}}; err != nil || !reflect.DeepEqual(entries, want) {
		t.Errorf("%v, %v, want %v", entries, err, want)
	}
	b := NewBlock("YXBOARD", RowColumn, 20, 10)
	b.Add("9,19,1")
	b.Add("10,3,1")
	if _, err := b.Entries(); err == nil || err.Error() != `line 2 of YXBOARD: "10,3,1" is off the board` {
		t.Errorf("error %v", err)
	}
}

// FuzzBlock looks for panics, for stones that no board has, and for stones
// that are read otherwise when they are written again.
func FuzzBlock(f *testing.F) {
	for _, text := range []string{
		"\n7,7,1\n8,8,2\nDONE", "7,7,1 8,8,2 DONE", "\n7 7 1\n8 , 8 , 2\n,\ndone", "\n-1,1\n1,1", "7,7,1 , 8,8,2,, x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		entries, done, err := readBlock(ColumnRow, lines...)
		if err != nil {
			if entries != nil || strings.IndexFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' }) >= 0 || len(err.Error()) > 100 {
				t.Errorf("%v with error %q", entries, err)
			}
			return
		}
		seen := map[[2]int]bool{}
		for _, e := range entries {
			p := [2]int{e.X, e.Y}
			if e.X < 0 || e.X > 14 || e.Y < 0 || e.Y > 14 || seen[p] {
				t.Errorf("%q has the stone %v", text, e)
			}
			seen[p] = true
		}
		if again, done2, err := readBlock(ColumnRow, append([]string{""}, written(entries, done)...)...); err != nil || done2 != done ||
			len(entries)+len(again) > 0 && !reflect.DeepEqual(again, entries) {
			t.Errorf("%q is %v, but written again %v, %v", text, entries, again, err)
		}
	})
}

// written returns the plainest lines for some stones.
func written(entries []Entry, done bool) (lines []string) {
	for _, e := range entries {
		lines = append(lines, strconv.Itoa(e.X)+","+strconv.Itoa(e.Y)+","+strconv.Itoa(e.Field))
	}
	if done {
		lines = append(lines, "DONE")
	}
	return lines
}
