package watch

import "testing"

// TestArrange checks on all screens that everything has its place.
func TestArrange(t *testing.T) {
	sizes := [][2]int{{5, 5}, {15, 15}, {20, 20}, {20, 15}, {32, 32}, {32, 5}}
	for width := minWidth; width <= 260; width += 7 {
		for height := minHeight; height <= 90; height++ {
			for _, size := range sizes {
				for _, games := range []int{0, 1, 2, 4, 7, 16, 100} {
					l := arrange(width, height, size, games)
					checkLayout(t, l, width, height, size, games)
					if t.Failed() {
						t.Fatalf("arrange(%d, %d, %v, %d) = %+v", width, height, size, games, l)
					}
				}
			}
		}
	}
}

func checkLayout(t *testing.T, l layout, width, height int, size [2]int, games int) {
	if l.body != height-frame {
		t.Errorf("body has %d rows", l.body)
	}
	if games == 0 {
		if l.boards() != 0 || l.side != width {
			t.Error("the layout has room for boards without any games")
		}
		return
	}
	if l.side < minSide || l.side+l.cols*(l.panel+1) != width {
		t.Error("columns do not add up")
	}
	if l.rows < 1 || l.cols < 1 || l.rows*l.height > l.body {
		t.Error("rows do not add up")
	}
	if l.height != l.boardRows+int(l.form) || l.boardRows < 1 || l.boardRows > size[1] {
		t.Error("a panel does not hold its board")
	}
	if l.boardCols < 1 || l.boardCols > size[0] || l.pitch*l.boardCols+1 > l.panel {
		t.Error("a panel is too narrow")
	}
	if l.boardRows < size[1] && (l.form != tiny || l.rows > 1) {
		t.Error("part of a board is hidden though there is room")
	}
	if l.boardCols < size[0] && l.pitch > 1 {
		t.Error("columns are hidden though there is room")
	}
	if l.rows*l.cols-games >= l.rows || l.rows*l.cols-games >= l.cols {
		t.Error("a row or column of boards stays empty")
	}
	if l.boards() < min(games, mostBoards(l, width, size[1])) {
		t.Error("there is room for more boards")
	}
}

// mostBoards is how many boards can be shown at most.
func mostBoards(l layout, width, boardHeight int) int {
	cols := 0
	for (cols+1)*(l.panel+1) <= width-min(max(width/4, minSide), maxSide) {
		cols++
	}
	rows := 0
	for (rows+1)*(boardHeight+int(tiny)) <= l.body {
		rows++
	}
	return max(cols, 1) * max(rows, 1)
}

func TestForms(t *testing.T) {
	board := [2]int{15, 15}
	for _, tt := range []struct {
		width, height, games int
		form                 form
		rows, cols           int
	}{
		{80, 24, 1, full, 1, 1},
		{80, 24, 4, full, 1, 1}, // less text would not show more boards
		{80, 22, 1, dense, 1, 1},
		{60, 20, 1, tiny, 1, 1},
		{200, 60, 4, full, 2, 2},
		{200, 60, 8, full, 2, 4},
		{200, 60, 12, dense, 3, 4},
		{200, 55, 12, tiny, 3, 4},
		{250, 80, 16, full, 3, 6},
		{250, 80, 20, dense, 4, 5},
	} {
		l := arrange(tt.width, tt.height, board, tt.games)
		if l.form != tt.form || l.rows != tt.rows || l.cols != tt.cols {
			t.Errorf("%dx%d, %d games: form %d, %d x %d boards, want form %d, %d x %d", tt.width, tt.height, tt.games,
				l.form, l.rows, l.cols, tt.form, tt.rows, tt.cols)
		}
	}
}

func TestWindow(t *testing.T) {
	for total := 1; total < 12; total++ {
		for n := 1; n <= total; n++ {
			for focus := range total {
				first := window(focus, n, total)
				if first < 0 || first+n > total || focus < first || focus >= first+n {
					t.Errorf("window(%d, %d, %d) = %d", focus, n, total, first)
				}
			}
		}
	}
}
