package check

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// vectorText is the table of all vectors. A vector begins with its identity
// and its title, and says for which managers it matters (letters, see
// managerLetters) and why. Then come its steps, one a line:
//
//	> TEXT                a line to send; those that follow each other go in one
//	                      write. \r, \x20 and \u1234 are as in Go, {x*99} is 99
//	                      times x, $1 is the engine's first move, $free a free
//	                      point, $turn the time of a move in ms, $rule the rule.
//	< WANT | WANT …       the engine must answer so
//	~ WANT | WANT …       it should; if it does not there is only a note
//	? WANT | WANT …       so does an engine that knows the command; ERROR,
//	                      UNKNOWN or nothing ends the vector with a note
//	start N               START N, which must succeed for the vector to make
//	                      sense, and INFO timeout_turn and rule
//	board OWN / OPP       BOARD with these points; 5,7-8,7 is a row of points
//	moves h8i9…           BOARD with these moves, rows counted from the top
//	fill N except x,y     BOARD that fills a board of N×N without any five
//	! fresh               a new process
//	! wait T | suspend T | resume | close
//	! clock match T turn T moves N
//	! games N moves N memory BYTES
//	! selfplay from MOVES plies N turn T
//	when R STEP           a step for one rule only
//
// and a WANT, which may end with "within T" and "ideally T", is one of
//
//	ok [lf]               exactly OK; lf: with no CR in it
//	ready                 OK, more or less
//	move [lf] [after errors] [only x,y …] [not x,y …]
//	                      one point, free and on the board
//	points N …            N points
//	error, unknown, swap  lines with this first word
//	about [plain]         the line with name="…"; plain: no , or = in a value
//	forbid DIGITS         the list of forbidden points
//	any                   any line
//	silent                no answer for a while
//	exit                  the process ends, without other output than a move asked for
//	code N                its exit code
//
// A vector is run once for each of its rules, if it has some, in a process of
// its own. One that monitors has no steps and is judged by the output of all.
//
//go:embed vectors.txt
var vectorText string

// A vector is one entry of the table.
type vector struct {
	group    string
	id       string
	title    string
	why      string
	managers []Manager
	rules    []int // to run it for; nil if rules do not matter
	claimed  bool  // run it for the rules that the engine supports
	slow     bool
	monitor  string
	steps    []step
}

// A verb is the action of a step.
type verb uint8

const (
	send verb = iota
	expect
	start
	fresh
	wait
	suspend
	resume
	closeInput
	clock
	games
	selfplay
)

// A level says what a wrong answer means.
type level uint8

const (
	must     level = iota // a failure
	should                // a note
	optional              // a note that ends the vector if the engine did not understand
)

// A step is one line of a vector, or several that are sent together.
type step struct {
	verb  verb
	text  string // as it was written
	rule  int    // the only rule of the step; -1 for all
	lines []string
	level level
	wants []want

	within, ideally time.Duration // 0 means the usual limit and none
	size            int
	match, turn     time.Duration
	count, moves    int
	memory          int // bytes
	from            []point
}

// A form is the kind of a wanted answer.
type form uint8

const (
	formOK form = iota
	formReady
	formMove
	formPoints
	formSwap
	formError
	formUnknown
	formAbout
	formForbid
	formAny
	formSilent
	formExit
	formCode
)

var formNames = [...]string{
	formOK: "ok", formReady: "ready", formMove: "move", formPoints: "points", formSwap: "swap", formError: "error",
	formUnknown: "unknown", formAbout: "about", formForbid: "forbid", formAny: "any", formSilent: "silent",
	formExit: "exit", formCode: "code",
}

// A want is one of the acceptable answers.
type want struct {
	form   form
	lf     bool    // must have no CR
	errors bool    // ERROR lines may come first
	only   []point // if not empty, a move must be one of these
	not    []point // and none of these
	counts []int   // of points, or the exit code
	plain  bool    // no comma or = in values
	digits string  // of a list of forbidden points
}

// A point is a point of the board, column and row from 0.
type point struct{ x, y int }

func (p point) String() string { return fmt.Sprintf("%d,%d", p.x, p.y) }

// parseVectors parses a table of vectors.
func parseVectors(text string) ([]*vector, error) {
	var all []*vector
	group := ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case word == "group":
			group = rest
		case word == "vector":
			id, title, _ := strings.Cut(rest, " ")
			all = append(all, &vector{group: group, id: id, title: title})
		case len(all) == 0:
			err = fmt.Errorf("%q before the first vector", word)
		default:
			err = all[len(all)-1].parseLine(word, rest)
		}
		if err != nil {
			return nil, fmt.Errorf("vectors: line %d: %w", number, err)
		}
	}
	return all, nil
}

// parseLine parses a line of a vector.
func (v *vector) parseLine(word, rest string) (err error) {
	switch word {
	case "for":
		for letter := range strings.FieldsSeq(rest) {
			m, ok := managerOf(letter)
			if !ok {
				return fmt.Errorf("unknown manager %q", letter)
			}
			v.managers = append(v.managers, m)
		}
	case "why":
		v.why = rest
	case "slow":
		v.slow = true
	case "monitor":
		v.monitor = rest
	case "rules":
		if v.claimed = rest == "claimed"; !v.claimed {
			v.rules, err = numbers(rest)
		}
	default:
		err = v.parseStep(word, rest, -1)
	}
	return err
}

// parseStep parses a step, or several on one line.
func (v *vector) parseStep(word, rest string, rule int) error {
	s := step{text: word + " " + rest, rule: rule}
	switch word {
	case "when":
		digits, rest, _ := strings.Cut(rest, " ")
		r, err := strconv.Atoi(digits)
		if err != nil {
			return err
		}
		word, rest, _ := strings.Cut(rest, " ")
		return v.parseStep(word, rest, r)
	case ">":
		line, err := unescape(rest)
		if err != nil {
			return err
		}
		if n := len(v.steps); n > 0 && v.steps[n-1].verb == send && v.steps[n-1].rule == rule {
			v.steps[n-1].lines = append(v.steps[n-1].lines, line)
			return nil
		}
		s.verb, s.lines = send, []string{line}
	case "<", "~", "?":
		s.verb = expect
		s.level = level(strings.Index("<~?", word))
		if err := s.parseWants(rest); err != nil {
			return err
		}
	case "start":
		n, err := strconv.Atoi(rest)
		if err != nil {
			return err
		}
		s.verb, s.size = start, n
	case "board", "moves", "fill":
		lines, err := boardLines(word, rest)
		if err != nil {
			return err
		}
		s.verb, s.lines = send, lines
	case "!":
		if err := s.parseAction(rest); err != nil {
			return err
		}
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	v.steps = append(v.steps, s)
	return nil
}

// parseAction parses what follows an exclamation mark.
func (s *step) parseAction(text string) error {
	f := strings.Fields(text)
	if len(f) == 0 {
		return fmt.Errorf("unknown action %q", text)
	}
	arg := func(name string) string {
		for i := 1; i+1 < len(f); i++ {
			if f[i] == name {
				return f[i+1]
			}
		}
		return ""
	}
	var err error
	get := func(d *time.Duration, text string) {
		if err == nil {
			*d, err = time.ParseDuration(text)
		}
	}
	count := func(n *int, text string) {
		if err == nil {
			*n, err = strconv.Atoi(text)
		}
	}
	switch f[0] {
	case "fresh":
		s.verb = fresh
	case "resume":
		s.verb = resume
	case "close":
		s.verb = closeInput
	case "wait", "suspend":
		s.verb = wait
		if f[0] == "suspend" {
			s.verb = suspend
		}
		get(&s.within, strings.Join(f[1:], " "))
	case "clock":
		s.verb = clock
		get(&s.match, arg("match"))
		get(&s.turn, arg("turn"))
		count(&s.moves, arg("moves"))
	case "games":
		s.verb = games
		count(&s.count, strings.Join(f[1:min(len(f), 2)], ""))
		count(&s.moves, arg("moves"))
		count(&s.memory, arg("memory"))
	case "selfplay":
		s.verb = selfplay
		get(&s.turn, arg("turn"))
		count(&s.moves, arg("plies"))
		if err == nil {
			s.from, err = movesOf(arg("from"))
		}
	default:
		err = fmt.Errorf("unknown action %q", f[0])
	}
	return err
}

// parseWants parses the acceptable answers.
func (s *step) parseWants(text string) error {
	for alternative := range strings.SplitSeq(text, "|") {
		w, err := s.parseWant(strings.Fields(alternative))
		if err != nil {
			return err
		}
		s.wants = append(s.wants, w)
	}
	return nil
}

func (s *step) parseWant(words []string) (w want, err error) {
	if len(words) == 0 {
		return w, fmt.Errorf("missing answer")
	}
	known := false
	for f, name := range formNames {
		if name == words[0] {
			w.form, known = form(f), true
		}
	}
	if !known {
		return w, fmt.Errorf("unknown answer %q", words[0])
	}
	var points *[]point
	for i := 1; i < len(words) && err == nil; i++ {
		switch word := words[i]; word {
		case "lf":
			w.lf = true
		case "plain":
			w.plain = true
		case "after":
			i++
			w.errors = true
		case "only":
			points = &w.only
		case "not":
			points = &w.not
		case "within", "ideally":
			i++
			var d time.Duration
			d, err = time.ParseDuration(strings.Join(words[i:min(i+1, len(words))], ""))
			if word == "within" {
				s.within = d
			} else {
				s.ideally = d
			}
		default:
			switch {
			case points != nil:
				var p point
				p, err = pointOf(word)
				*points = append(*points, p)
			case w.form == formForbid:
				w.digits = word
			case w.form == formPoints || w.form == formCode:
				var n int
				n, err = strconv.Atoi(word)
				w.counts = append(w.counts, n)
			default:
				err = fmt.Errorf("unknown word %q", word)
			}
		}
	}
	return w, err
}

// numbers parses integers separated by blanks.
func numbers(text string) (list []int, err error) {
	for word := range strings.FieldsSeq(text) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// pointOf parses a point such as 7,7.
func pointOf(text string) (p point, err error) {
	x, y, found := strings.Cut(text, ",")
	if !found {
		return p, fmt.Errorf("invalid point %q", text)
	}
	if p.x, err = strconv.Atoi(x); err == nil {
		p.y, err = strconv.Atoi(y)
	}
	return p, err
}

// movesOf parses moves such as h8i9; a is the leftmost column, 1 the top row.
func movesOf(text string) (moves []point, err error) {
	for text != "" {
		end := 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		row, err := strconv.Atoi(text[1:end])
		if err != nil || text[0] < 'a' || text[0] > 'z' {
			return nil, fmt.Errorf("invalid move %q", text[:end])
		}
		moves = append(moves, point{int(text[0] - 'a'), row - 1})
		text = text[end:]
	}
	return moves, nil
}

// pointsOf parses points and rows of points such as 5,7-8,7.
func pointsOf(text string) (points []point, err error) {
	for word := range strings.FieldsSeq(text) {
		first, last, isRow := strings.Cut(word, "-")
		p, err := pointOf(first)
		if err != nil {
			return nil, err
		}
		points = append(points, p)
		if !isRow {
			continue
		}
		q, err := pointOf(last)
		if err != nil {
			return nil, err
		}
		for p != q {
			p.x += sign(q.x - p.x)
			p.y += sign(q.y - p.y)
			points = append(points, p)
		}
	}
	return points, nil
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// boardLines returns a BOARD block. Its lines are in the order of a game with
// alternating moves, as renju requires.
func boardLines(kind, text string) ([]string, error) {
	switch kind {
	case "moves":
		moves, err := movesOf(text)
		return blockOf(moves), err
	case "fill":
		return fillLines(text)
	}
	ownText, oppText, _ := strings.Cut(text, "/")
	own, err := pointsOf(ownText)
	if err != nil {
		return nil, err
	}
	opp, err := pointsOf(oppText)
	if err != nil {
		return nil, err
	}
	if d := len(opp) - len(own); d != 0 && d != 1 {
		return nil, fmt.Errorf("%d own stones and %d of the opponent", len(own), len(opp))
	}
	first, second := own, opp
	if len(opp) > len(own) {
		first, second = opp, own
	}
	var moves []point
	for i := range first {
		moves = append(moves, first[i])
		if i < len(second) {
			moves = append(moves, second[i])
		}
	}
	return blockOf(moves), nil
}

// blockOf returns the BOARD block of alternating moves for the side to move.
func blockOf(moves []point) []string {
	lines := []string{"BOARD"}
	for i, m := range moves {
		field := 1 + (len(moves)-i)%2
		lines = append(lines, fmt.Sprintf("%v,%d", m, field))
	}
	return append(lines, "DONE")
}

// fillLines returns a BOARD block for a board that is full except for one
// point. Neither side has five in a row: each has the points of two of four
// diagonals.
func fillLines(text string) ([]string, error) {
	digits, except, _ := strings.Cut(text, " ")
	size, err := strconv.Atoi(digits)
	if err != nil {
		return nil, err
	}
	hole := point{-1, -1}
	if except != "" {
		if hole, err = pointOf(strings.TrimPrefix(except, "except ")); err != nil {
			return nil, err
		}
	}
	lines := []string{"BOARD"}
	for y := range size {
		for x := range size {
			if p := (point{x, y}); p != hole {
				lines = append(lines, fmt.Sprintf("%v,%d", p, fillField(p)))
			}
		}
	}
	return append(lines, "DONE"), nil
}

// fillField returns which side, 1 or 2, fills a point.
func fillField(p point) int {
	if (p.x+2*p.y)%4 < 2 {
		return 1
	}
	return 2
}

// unescape expands the escapes of a line to send.
func unescape(text string) (string, error) {
	before, repeat, found := strings.Cut(text, "{")
	if found {
		repeat, after, _ := strings.Cut(repeat, "}")
		unit, digits, _ := strings.Cut(repeat, "*")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 {
			return "", fmt.Errorf("invalid repetition %q", repeat)
		}
		return before + strings.Repeat(unit, n) + after, nil
	}
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	line, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	if err != nil {
		return "", fmt.Errorf("cannot unquote %s", text)
	}
	return line, nil
}
