package protocol

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A referee follows a dialogue from outside and judges every line of the
// answering side. It shares no code with what it judges: it reads commands by
// rules of its own, which must accept whatever the tests send.
type referee struct {
	width, height int // 0 before the first START
	occupied      map[point]bool
	due           []duty // what is to come, in order
	block         *sentBlock
	gui           bool // INFO lines may come
	rows          bool // points are row,column in what is sent from now on
	moves         int  // coordinate lines seen
	requests      int  // commands seen that ask for one
}

type point struct{ x, y int }

// pt returns a point of two numbers.
func pt(a, b int, rows bool) point {
	if rows {
		return point{b, a}
	}
	return point{a, b}
}

// A duty is a command that is due to be answered, or a change of the board
// that becomes true after the answers to earlier commands.
type duty struct {
	command string // for messages
	// reply judges a line and changes the board.
	reply func(line string) error
	// silent, if not nil, changes the board and reports whether no line comes.
	silent func() bool
}

type sentBlock struct {
	word   string
	one    bool // only the next line belongs to it
	bad    bool // a line is not a stone, or repeats a point
	points []point
}

var (
	numberRE = regexp.MustCompile(`-?\d+`)
	argsRE   = regexp.MustCompile(`^[\s\v]*\S+[\s\v]+-?\d+((\s*[,xX]\s*|\s+)-?\d+)*\s*$`)
	moveRE   = regexp.MustCompile(`^\d{1,2},\d{1,2}$`)
	openerRE = regexp.MustCompile(`^\d{1,2},\d{1,2}( \d{1,2},\d{1,2}){0,2}$`)
	forbidRE = regexp.MustCompile(`^FORBID (\d{4})*\.$`)
	aboutRE  = regexp.MustCompile(`^name="[^",=]*"(, [a-z]+="[^",=]*")*$`)
	entryRE  = regexp.MustCompile(`^[-+]?\d+,[-+]?\d+(,[-+]?\d+)?,*$`)
	blanksRE = regexp.MustCompile(`^\s*\d+(\s+\d+){1,2}\s*$`)
	tripleRE = regexp.MustCompile(`([-+]?\d+)\s*,\s*([-+]?\d+)\s*,\s*([-+]?\d+)\s*,+(\s|$)`)
	commaRE  = regexp.MustCompile(`\s*,\s*`)
	guiRE    = regexp.MustCompile(`^INFO [A-Z]+( [-+.,0-9M]+| DONE)*$`)
)

// known are the words that end an open block when they come within it.
var known = map[string]bool{
	"START": true, "RECTSTART": true, "RESTART": true, "BEGIN": true, "TURN": true, "BOARD": true,
	"SWAP2BOARD": true, "TAKEBACK": true, "PLAY": true, "ABOUT": true, "END": true, "YXBOARD": true,
	"YXNBEST": true, "YXSHOWINFO": true, "YXSHOWFORBID": true, "YXHASHCLEAR": true,
}

// sent takes note of bytes that went to the engine: of whole lines.
func (r *referee) sent(text string) {
	for _, l := range strings.FieldsFunc(text, func(c rune) bool { return c == '\r' || c == '\n' }) {
		r.sentLine(strings.ReplaceAll(strings.ReplaceAll(l, "\x00", ""), "\uFEFF", ""))
	}
}

func (r *referee) sentLine(line string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	word := strings.ToUpper(words[0])
	if r.block != nil {
		switch {
		case known[word]:
			r.block = nil
		case word == "STOP" || word == "YXSTOP":
			return
		case word != "INFO":
			r.blockLine(line)
			return
		}
	}
	var n []int
	if known[word] && argsRE.MatchString(line) { // "7.7" is not two numbers
		n = integers(line)
	}
	rows := r.rows
	switch word {
	case "START", "RECTSTART":
		if len(n) == 1 && word == "START" {
			n = append(n, n[0])
		}
		r.owe(line, func(reply string) error {
			if len(n) == 2 && inRange(n[0]) && inRange(n[1]) {
				r.width, r.height, r.occupied = n[0], n[1], map[point]bool{}
				return want(reply, "OK")
			}
			return wantPrefix(reply, "ERROR ")
		})
	case "RESTART":
		r.owe(line, func(reply string) error {
			if r.width == 0 {
				return wantPrefix(reply, "ERROR ")
			}
			r.occupied = map[point]bool{}
			return want(reply, "OK")
		})
	case "BEGIN", "YXNBEST":
		r.oweMove(line, func() bool { return true })
	case "TURN":
		r.oweMove(line, func() bool {
			if len(n) < 2 || !r.free(pt(n[0], n[1], rows)) {
				return false
			}
			r.occupied[pt(n[0], n[1], rows)] = true
			return true
		})
	case "PLAY":
		r.owe(line, func(reply string) error {
			if r.width == 0 || len(n) < 2 || !r.free(pt(n[0], n[1], rows)) {
				return wantPrefix(reply, "ERROR ")
			}
			r.occupied[pt(n[0], n[1], rows)] = true
			return want(reply, fmt.Sprintf("%d,%d", n[0], n[1]))
		})
	case "TAKEBACK":
		r.owe(line, func(reply string) error {
			if len(n) < 2 || !r.occupied[pt(n[0], n[1], rows)] {
				return wantPrefix(reply, "ERROR ")
			}
			delete(r.occupied, pt(n[0], n[1], rows))
			return want(reply, "OK")
		})
	case "BOARD", "YXBOARD", "SWAP2BOARD":
		r.block = &sentBlock{word: word}
		r.blockLine(strings.TrimSpace(strings.TrimSpace(line)[len(word):]))
	case "ABOUT":
		r.owe(line, func(reply string) error { return wantMatch(reply, aboutRE) })
	case "YXSHOWFORBID":
		r.owe(line, func(reply string) error {
			if r.width == 0 {
				return wantPrefix(reply, "ERROR ")
			}
			return wantMatch(reply, forbidRE)
		})
	case "INFO":
		if strings.Contains(strings.ToLower(line), "show_detail") {
			r.gui = true
		}
	case "YXSHOWINFO":
		r.rows = r.rows || words[0] == "yxshowinfo" // sent by Yixin-Board
	case "DONE", "STOP", "YXSTOP", "END", "YXHASHCLEAR":
	default:
		r.owe(line, func(reply string) error { return wantPrefix(reply, "UNKNOWN ") })
		if (word == "YXHASHDUMP" || word == "YXHASHLOAD") && len(words) == 1 {
			r.block = &sentBlock{word: word, one: true}
		}
		if strings.HasSuffix(word, "BOARD") || word == "YXBLOCK" || word == "YXQUERYDATABASEALL" {
			r.block = &sentBlock{word: word}
			r.blockLine(line)
		}
	}
}

// blockLine takes note of a line of a BOARD block.
func (r *referee) blockLine(line string) {
	b := r.block
	if b.one {
		r.block = nil
	}
	if blanksRE.MatchString(line) {
		line = strings.Join(strings.Fields(line), ",")
	}
	line = tripleRE.ReplaceAllString(line, "$1,$2,$3 ")
	for _, entry := range strings.Fields(commaRE.ReplaceAllString(line, ",")) {
		if strings.EqualFold(entry, "DONE") {
			r.block = nil
			r.blockDone(b)
			return
		}
		if !entryRE.MatchString(entry) {
			b.bad = true
			continue
		}
		n := integers(entry)
		p := pt(n[0], n[1], r.rows)
		b.bad = b.bad || slices.Contains(b.points, p)
		b.points = append(b.points, p)
	}
}

func (r *referee) blockDone(b *sentBlock) {
	// What is right depends on the size, which earlier commands may change.
	set := func() bool {
		if r.refuses(b) {
			return false
		}
		r.occupied = map[point]bool{}
		for _, p := range b.points {
			r.occupied[p] = true
		}
		return true
	}
	switch b.word {
	case "YXBOARD":
		r.due = append(r.due, duty{command: "YXBOARD", silent: func() bool { return r.width == 0 || set() },
			reply: func(reply string) error { return wantPrefix(reply, "ERROR line ") }})
		r.settle()
	case "BOARD":
		r.oweMove("BOARD", set)
	case "SWAP2BOARD":
		r.requests++
		rows := r.rows
		r.owe("SWAP2BOARD", func(reply string) error { return r.swap2Reply(b, reply, rows) })
	}
}

// swap2Reply judges the answer to an opening, which leaves no stones.
func (r *referee) swap2Reply(b *sentBlock, reply string, rows bool) error {
	taken := map[point]bool{}
	for _, p := range b.points {
		taken[p] = true
	}
	counts := map[int]string{0: "3", 3: "0 1 2", 5: "0 1"}[len(taken)]
	if r.refuses(b) || counts == "" {
		return wantPrefix(reply, "ERROR ")
	}
	n := integers(reply)
	if reply != "SWAP" && !openerRE.MatchString(reply) || !strings.Contains(counts, strconv.Itoa(len(n)/2)) {
		return fmt.Errorf("invalid answer %q to %d stones", reply, len(taken))
	}
	for i := 0; i < len(n); i += 2 {
		p := pt(n[i], n[i+1], rows)
		if !r.on(p) || taken[p] {
			return fmt.Errorf("%q is not a free point", reply)
		}
		taken[p] = true
	}
	return nil
}

// oweMove adds a duty to answer with a move; before first changes the board,
// or reports that the command is to be refused.
func (r *referee) oweMove(command string, before func() bool) {
	r.requests++
	rows := r.rows
	r.owe(command, func(reply string) error {
		if r.width == 0 || !before() || len(r.occupied) == r.width*r.height {
			return wantPrefix(reply, "ERROR ")
		}
		if !moveRE.MatchString(reply) {
			return fmt.Errorf("invalid move %q", reply)
		}
		r.moves++
		n := integers(reply)
		p := pt(n[0], n[1], rows)
		if !r.free(p) {
			return fmt.Errorf("%q is not a free point of the board", reply)
		}
		r.occupied[p] = true
		return nil
	})
}

func (r *referee) owe(command string, reply func(string) error) {
	r.due = append(r.due, duty{command: command, reply: reply})
}

// settle carries out the changes that no answer precedes any more.
func (r *referee) settle() {
	for len(r.due) > 0 && r.due[0].silent != nil {
		if !r.due[0].silent() {
			r.due[0].silent = nil // it is refused by a line
			return
		}
		r.due = r.due[1:]
	}
}

// got judges one line of the answering side.
func (r *referee) got(line string) error {
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			return fmt.Errorf("%q has a byte that is not printable ASCII", line)
		}
	}
	if text, ok := strings.CutPrefix(line, "MESSAGE "); ok {
		if text == "" || len(line) > 250 && !strings.HasPrefix(text, "REALTIME") {
			return fmt.Errorf("message of %d bytes: %q", len(line), line)
		}
		return nil
	}
	if strings.HasPrefix(line, "INFO ") && r.gui {
		return wantMatch(line, guiRE)
	}
	if len(r.due) == 0 {
		return fmt.Errorf("%q was not asked for", line)
	}
	d := r.due[0]
	r.due = r.due[1:]
	if err := d.reply(line); err != nil {
		return fmt.Errorf("to %.40q: %w", d.command, err)
	}
	r.settle()
	return nil
}

// refuses reports whether a block cannot be obeyed.
func (r *referee) refuses(b *sentBlock) bool {
	return r.width == 0 || b.bad || slices.ContainsFunc(b.points, func(p point) bool { return !r.on(p) })
}

func (r *referee) on(p point) bool {
	return p.x >= 0 && p.y >= 0 && p.x < r.width && p.y < r.height
}

func (r *referee) free(p point) bool { return r.on(p) && !r.occupied[p] }

func inRange(size int) bool { return size >= 5 && size <= 32 }

// integers returns all numbers in a text; -1 for those that are too large.
func integers(text string) []int {
	var n []int
	for _, s := range numberRE.FindAllString(text, -1) {
		v, err := strconv.Atoi(s)
		if err != nil {
			v = -1
		}
		n = append(n, v)
	}
	return n
}

func want(reply, text string) error {
	if reply != text {
		return fmt.Errorf("got %q, want %q", reply, text)
	}
	return nil
}

func wantPrefix(reply, prefix string) error {
	if !strings.HasPrefix(reply, prefix) {
		return fmt.Errorf("got %q, want %s…", reply, prefix)
	}
	return nil
}

func wantMatch(reply string, re *regexp.Regexp) error {
	if !re.MatchString(reply) {
		return fmt.Errorf("got %q, want a match of %v", reply, re)
	}
	return nil
}
