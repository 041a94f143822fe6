package watch

// Sizes of the screen, in columns and rows.
const (
	minWidth  = 60 // below this, only a message
	minHeight = 20
	minSide   = 28 // of the panel with the standings
	maxSide   = 48 // left over by the boards
	minPanel  = 31 // of a board with its players, for 15 points
	frame     = 3  // rows for the title, the progress and the keys
)

// A form is the number of rows besides the board itself.
type form int

// Forms.
const (
	full  form = 5 // a title, and two rows for each player
	dense form = 3 // a title, and one
	tiny  form = 2 // no title
)

// A layout holds positions and sizes on the screen.
type layout struct {
	body       int // rows between the progress and the keys
	side       int // columns of the panel with the standings
	rows, cols int // of boards
	panel      int // columns of a board with its players
	height     int // rows of it
	form       form
	pitch      int // columns from point to point: 2, or 1 where boards are too large
	boardRows  int // rows of the board shown; there may be more
	boardCols  int
}

// arrange lays out the screen for a number of games on boards of that size.
func arrange(width, height int, size [2]int, games int) layout {
	l := layout{body: height - frame, side: width, boardCols: size[0]}
	if games == 0 {
		return l
	}
	room := width - minSide - 1
	l.pitch = 2
	if l.pitch*size[0]+1 > room {
		l.pitch = 1
	}
	l.panel = min(max(l.pitch*size[0]+1, minPanel), room)
	l.boardCols = min(size[0], (l.panel-1)/l.pitch)

	side := min(max(width/4, minSide), maxSide)
	most := max((width-side)/(l.panel+1), 1)
	l.form, l.rows = chooseForm(l.body, size[1], most, games)
	l.boardRows = min(size[1], l.body-int(l.form))
	l.height = l.boardRows + int(l.form)
	l.cols = min(most, (games+l.rows-1)/l.rows)
	l.rows = min(l.rows, (games+l.cols-1)/l.cols)
	l.side = width - l.cols*(l.panel+1)
	return l
}

// chooseForm returns the fullest form in which all games are visible, or else
// the one with the most visible, and the number of rows of boards.
func chooseForm(body, boardHeight, cols, games int) (best form, rows int) {
	for _, f := range []form{full, dense, tiny} {
		n := body / (boardHeight + int(f))
		if n > rows {
			best, rows = f, n
		}
		if n*cols >= games {
			break
		}
	}
	if rows == 0 {
		return tiny, 1 // shows part of the board
	}
	return best, rows
}

// boards returns how many boards fit on the screen.
func (l layout) boards() int { return l.rows * l.cols }

// window returns the first of n out of total rows or columns to show, so that
// focus is among them, centered if possible.
func window(focus, n, total int) int {
	return max(min(focus-n/2, total-n), 0)
}
