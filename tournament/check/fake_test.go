package check

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A fake is an engine that obeys the protocol and plays what the vectors want
// it to, at once. It has the faults that its arguments name.
type fake struct {
	faults []string
	out    *bufio.Writer // nil: each line is written at once

	table  *table
	field  map[point]int // 1 own, 2 the opponent's, 3 out of play
	last   point         // of the opponent
	rule   int
	turn   time.Duration
	left   time.Duration
	moved  bool
	block  []string // lines of the block that is open
	reader *bufio.Reader
	leak   [][]byte
}

// has reports whether the engine has a fault.
func (f *fake) has(fault string) bool { return slices.Contains(f.faults, fault) }

func runFake(faults []string) {
	f := &fake{faults: faults, turn: time.Second, left: time.Hour, reader: bufio.NewReader(os.Stdin)}
	f.clear(newTable())
	if f.has("banner") {
		f.say("Fake 1.0 is ready")
	}
	if f.has("stderr") {
		fmt.Fprintln(os.Stderr, "warning: cold")
	}
	for {
		line, err := f.reader.ReadString('\n')
		if err != nil {
			for f.has("deaf to eof") {
				time.Sleep(time.Hour)
			}
			os.Exit(0)
		}
		line = strings.TrimSuffix(line, "\n")
		if f.has("chokes on cr") && strings.HasSuffix(line, "\r") {
			line = "?"
		}
		f.obey(strings.TrimSuffix(line, "\r"))
	}
}

func (f *fake) clear(t *table) {
	f.table = t
	f.field = map[point]int{}
	f.moved = false
}

// say prints a line.
func (f *fake) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if f.has("crlf") {
		line += "\r"
	}
	line += "\n"
	if f.has("no flush") {
		if f.out == nil {
			f.out = bufio.NewWriter(os.Stdout)
		}
		f.out.WriteString(line)
		return
	}
	if f.has("no line end") {
		line = strings.TrimSuffix(line, "\n")
	}
	io.WriteString(os.Stdout, line)
}

func (f *fake) obey(line string) {
	word, args := firstWord(strings.TrimPrefix(line, "\uFEFF"))
	if f.block != nil {
		f.inBlock(line)
		return
	}
	if f.has("upper case only") && word != strings.ToUpper(word) {
		f.say("UNKNOWN command")
		return
	}
	switch strings.ToUpper(word) {
	case "":
		if f.has("answers blanks") {
			f.say("UNKNOWN command")
		}
	case "START", "RECTSTART":
		f.start(strings.ToUpper(word), args)
	case "RESTART":
		if f.has("restart keeps stones") {
			f.say("OK")
			return
		}
		if f.table.width == 0 {
			f.say("ERROR no board")
			return
		}
		f.clear(&table{width: f.table.width, height: f.table.height, taken: map[point]bool{}})
		f.say("OK")
	case "BEGIN":
		f.move()
	case "TURN":
		f.takeTurn(args)
	case "PLAY":
		p, _ := leadingPoint(args)
		if f.has("play elsewhere") {
			p = f.table.free()
			p.x--
		}
		f.put(p, 1)
		f.say("%v", p)
	case "TAKEBACK":
		p, _ := leadingPoint(args)
		if !f.table.taken[p] {
			f.say("ERROR no stone")
			return
		}
		if !f.has("takeback keeps stones") {
			delete(f.table.taken, p)
			delete(f.field, p)
		}
		f.say("OK")
	case "BOARD", "SWAP2BOARD", "YXBOARD":
		f.block = []string{strings.ToUpper(word)}
		for field := range strings.FieldsSeq(args) {
			f.inBlock(field)
		}
	case "YXSHOWFORBID":
		f.say("FORBID 0707.")
	case "YXSTOP":
		if f.has("answers idle stop") {
			f.move()
		}
	case "INFO":
		f.info(args)
	case "ABOUT":
		f.about()
	case "END":
		f.end()
	default:
		if f.has("dies of unknown") {
			panic("unknown")
		}
		f.say("UNKNOWN command")
	}
}

func (f *fake) start(word, args string) {
	t := newTable()
	t.hear(word + " " + args)
	switch {
	case word == "RECTSTART" && f.has("dies of rectstart"), t.width == 0 && f.has("dies of start"):
		panic("start")
	case word == "RECTSTART" && f.has("no rectstart"):
		f.say("UNKNOWN command")
	case f.has("only 20") && t.width == 15, t.width < 5, t.width > 100:
		f.say("ERROR sizes from 5 to 100, such as 20")
	case f.has("start keeps stones") && f.table.width > 0:
		f.table.width, f.table.height = t.width, t.height
		f.say("OK")
	case f.has("ok text"):
		f.clear(t)
		f.say("OK - ready")
	case f.has("ok lower"):
		f.clear(t)
		f.say("ok")
	case f.has("start is silent"):
	case f.has("leaks"):
		f.clear(t)
		f.leak = append(f.leak, bytes.Repeat([]byte{1}, 1<<20))
		f.say("OK")
	default:
		f.clear(t)
		f.say("OK")
	}
}

func (f *fake) info(args string) {
	key, value := firstWord(args)
	n, err := strconv.Atoi(value)
	switch {
	case f.has("answers info"):
		f.say("OK")
	case err != nil && key != "folder" && f.has("answers bad info"):
		f.say("ERROR what?")
	case err != nil:
	case key == "timeout_turn":
		f.turn = time.Duration(n) * time.Millisecond
	case key == "rule":
		f.rule = n
	case key == "time_left":
		f.left = time.Duration(n) * time.Millisecond
		if n == 2147483647 && f.has("overflow") {
			f.left = 0
			for {
				time.Sleep(time.Hour)
			}
		}
	case key == "timeout_match":
	case key == "max_memory" && n < 2e6 && f.has("wants memory"):
		panic("out of memory")
	}
}

func (f *fake) about() {
	switch {
	case f.has("no about"):
	case f.has("about with comma"):
		f.say(`name="Fake", author="Doe, John"`)
	case f.has("about is prose"):
		f.say("Fake 1.0 by nobody")
	default:
		f.say(`name="Fake", version="1.0"`)
	}
}

func (f *fake) end() {
	switch {
	case f.has("deaf to end"):
	case f.has("ends with 3"):
		os.Exit(3)
	default:
		if f.out != nil {
			f.out.Flush()
		}
		os.Exit(0)
	}
}

func (f *fake) takeTurn(args string) {
	p, ok := leadingPoint(strings.ReplaceAll(args, " ", ""))
	switch {
	case f.has("turn after begin only") && !f.moved:
		f.say("ERROR not started")
	case !ok || !f.table.has(p):
		if f.has("dies off board") {
			panic(p)
		}
		f.say("ERROR off the board")
	case f.table.taken[p]:
		f.say("ERROR taken")
	default:
		f.put(p, 2)
		f.last = p
		f.move()
	}
}

func (f *fake) put(p point, field int) {
	if f.table.has(p) {
		f.table.taken[p] = true
		f.field[p] = field
	}
}

// inBlock takes in a line of BOARD and its like.
func (f *fake) inBlock(line string) {
	if !strings.EqualFold(strings.TrimSpace(line), "DONE") {
		f.block = append(f.block, line)
		return
	}
	lines := f.block[1:]
	kind := f.block[0]
	f.block = nil
	if !f.has("board keeps stones") {
		f.clear(&table{width: f.table.width, height: f.table.height, taken: map[point]bool{}})
	}
	for i, line := range lines {
		n := strings.Split(line, ",")
		p, ok := leadingPoint(line)
		if !ok {
			continue
		}
		field := 1 + i%2
		if len(n) > 2 {
			field, _ = strconv.Atoi(n[2])
		}
		if field != 3 || !f.has("ignores dead stones") {
			f.put(p, field)
		}
	}
	switch {
	case kind == "YXBOARD":
	case kind == "SWAP2BOARD":
		f.swap2(len(lines))
	case len(lines) == 0 && f.has("hangs at empty board"):
	default:
		f.move()
	}
}

func (f *fake) swap2(stones int) {
	switch {
	case f.has("no swap2"):
		f.say("UNKNOWN command")
	case stones == 0 && f.has("opens with two"):
		f.say("7,7 8,8")
	case stones == 0 && f.has("opens twice there"):
		f.say("7,7 8,8 7,7")
	case stones == 0:
		f.say("7,7 8,8 9,9")
	case stones == 3 && f.has("opens on stones"):
		f.say("7,7")
	case stones == 3:
		f.say("3,3 4,4")
	case f.has("opens by ok"):
		f.say("OK")
	default:
		f.say("SWAP")
	}
}

// move answers a request for a move.
func (f *fake) move() {
	if f.has("silent mover") {
		return
	}
	if f.has("thinks") && f.turn > time.Second {
		time.Sleep(f.turn)
	}
	if f.has("slow at zero") && f.turn == 0 {
		time.Sleep(2000 * time.Millisecond)
	}
	if f.has("slow without time") && f.left < 0 {
		time.Sleep(1600 * time.Millisecond)
	}
	if f.has("slower without time") && f.left < 0 {
		time.Sleep(900 * time.Millisecond)
	}
	p, ok := f.choose()
	switch {
	case !ok && f.has("dies of full board"):
		panic("full")
	case !ok:
		f.say("ERROR board full")
		return
	case f.has("plays on stones") && len(f.table.taken) > 1:
		p = f.last
	case f.has("plays off board"):
		p = point{f.table.width, 0}
	case f.has("fails the last point") && len(f.table.taken) > 200:
		f.say("ERROR nothing left")
		return
	}
	f.put(p, 1)
	f.moved = true
	f.print(p)
}

func (f *fake) print(p point) {
	f.say("MESSAGE depth 1 ev 0")
	switch {
	case f.has("blank in moves"):
		f.say("%d, %d", p.x, p.y)
	case f.has("blank behind moves"):
		f.say("%v ", p)
	case f.has("suggests"):
		f.say("SUGGEST %v", p)
	case f.has("twice"):
		f.say("%v", p)
		f.say("%v", p)
	case f.has("bare message"):
		f.say("MESSAGE")
		f.say("%v", p)
	case f.has("floods"):
		f.say("MESSAGE %s", strings.Repeat("x", 1<<17))
		f.say("%v", p)
	case f.has("debugs"):
		f.say("DEBUG all is well")
		f.say("%v", p)
	case f.has("garbage"):
		f.say("thinking…")
		f.say("%v", p)
	default:
		f.say("%v", p)
	}
}

// choose chooses a move: a win, the block of a win, the block of a three, or
// any free point.
func (f *fake) choose() (p point, ok bool) {
	rule := f.rule
	if f.has("knows freestyle only") {
		rule = 0
	}
	own, opp := 0, 0
	for _, field := range f.field {
		switch field {
		case 1:
			own++
		case 2:
			opp++
		}
	}
	foul := func(p point) bool {
		return rule == 4 && own >= opp && !f.wins(p, 1, rule) && (f.run(p, 1, point{1, 0}) > 5 || f.lines(p) > 1) && !f.has("makes fouls")
	}
	tests := []func(point) bool{
		func(p point) bool { return f.wins(p, 1, rule) && !f.has("misses wins") },
		func(p point) bool { return f.wins(p, 2, rule) && !foul(p) && !f.has("misses blocks") },
		func(p point) bool { return f.blocksThree(p) && !foul(p) },
		func(p point) bool { return !foul(p) },
	}
	if f.has("prefers fouls") {
		tests = append([]func(point) bool{func(p point) bool { return rule == 4 && f.lines(p) > 1 }}, tests...)
	}
	for _, good := range tests {
		for y := range f.table.height {
			for x := range f.table.width {
				if p := (point{x, y}); !f.table.taken[p] && good(p) {
					return p, true
				}
			}
		}
	}
	return point{}, false
}

// directions are those of lines.
func directions() []point { return []point{{1, 0}, {0, 1}, {1, 1}, {1, -1}} }

// run counts the stones of a field in a row through p, as if it were one.
func (f *fake) run(p point, field int, d point) int {
	n := 1
	for _, sign := range []int{-1, 1} {
		for q := (point{p.x + sign*d.x, p.y + sign*d.y}); f.field[q] == field; n++ {
			q.x += sign * d.x
			q.y += sign * d.y
		}
	}
	return n
}

// wins reports whether a stone of a field at p makes a winning line.
func (f *fake) wins(p point, field, rule int) bool {
	for _, d := range directions() {
		n := f.run(p, field, d)
		blocked := 0
		for _, sign := range []int{-1, 1} {
			q := p
			for q == p || f.field[q] == field {
				q.x += sign * d.x
				q.y += sign * d.y
			}
			if f.field[q] == 3-field {
				blocked++
			}
		}
		black := f.isBlack(field)
		switch {
		case rule == 0 && n >= 5, rule == 1 && n == 5, rule == 4 && (n == 5 || n > 5 && !black),
			rule >= 8 && n == 5 && blocked < 2, rule == 8 && n > 5:
			return true
		}
	}
	return false
}

// isBlack reports whether the stones of a field are black.
func (f *fake) isBlack(field int) bool {
	balance := 0
	for _, other := range f.field {
		switch other {
		case 1:
			balance++
		case 2:
			balance--
		}
	}
	return (balance >= 0) == (field == 1)
}

// lines counts the directions in which two own stones are near p: what makes
// a double three or four in the vectors.
func (f *fake) lines(p point) int {
	count := 0
	for _, d := range directions() {
		near := 0
		for _, i := range []int{-2, -1, 1, 2} {
			if f.field[point{p.x + i*d.x, p.y + i*d.y}] == 1 {
				near++
			}
		}
		if near >= 2 {
			count++
		}
	}
	return count
}

// blocksThree reports whether p is an end of a three of the opponent with
// free ends.
func (f *fake) blocksThree(p point) bool {
	for _, d := range directions() {
		for _, sign := range []int{-1, 1} {
			at := func(i int) point { return point{p.x + sign*i*d.x, p.y + sign*i*d.y} }
			if f.field[at(1)] == 2 && f.field[at(2)] == 2 && f.field[at(3)] == 2 && f.field[at(4)] == 0 && f.table.has(at(4)) {
				return true
			}
		}
	}
	return false
}
