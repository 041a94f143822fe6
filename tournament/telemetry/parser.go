package telemetry

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Parser accumulates what an engine says about one move. The zero value is
// ready. It does not copy lines: the last of them stay in memory until Reset.
type Parser struct {
	told told
	re   *regexp.Regexp // overrides the words if not nil
}

// told holds what the lines of a move have reported so far. Score and pv are
// raw parts of lines.
type told struct {
	depth, selDepth int
	nodes, speed    int64
	time            time.Duration
	score           string
	unit            unit
	pv              string
	other           bool // inside Yixin's report on a move that is not the best
}

// A unit says how to print a score.
type unit uint8

const (
	plain   unit = iota
	percent      // a percentage, whether it says so or not
	rate         // a percentage, or a fraction if it is 1 or less
)

// Line parses a line: what follows MESSAGE, DEBUG or INFO. It does not
// allocate, unless the parser is from [NewRegexp].
func (p *Parser) Line(text string) {
	if p.re != nil {
		p.match(text)
		return
	}
	if next := p.told; next.scan(text) {
		p.told = next
	}
}

// Info returns what the lines since the last Reset have reported.
func (p *Parser) Info() Info {
	t := &p.told
	return Info{
		Depth:    t.depth,
		SelDepth: t.selDepth,
		Nodes:    t.nodes,
		Speed:    t.speed,
		Time:     t.time,
		Score:    scoreText(t.score, t.unit),
		PV:       pvText(t.pv),
	}
}

// Reset prepares for the next move.
func (p *Parser) Reset() { p.told = told{} }

// scan parses the words of a line. It reports whether the line is about the
// engine's best move; if not, t is garbage.
func (t *told) scan(text string) bool {
	var (
		before  string // the last word, if it is an unclaimed number
		hasRate bool   // a chance to win besides the score
		isBest  = true
	)
	// Carbon's speeds are in nodes per millisecond, which only the form of the
	// line reveals.
	carbon := strings.HasPrefix(text, "eval ")

	for word, rest := cut(text); word != ""; word, rest = cut(rest) {
		f := fieldOf(word)
		if f == none {
			before = ""
			if startsNumber(word) && strings.HasPrefix(rest, " ") {
				before = word
			}
			continue
		}
		if f == pv {
			isBest = t.setPV(rest)
			break
		}
		if t.other {
			return false
		}
		if before != "" && endsClause(rest) {
			t.set(f, before, "") // "57220 nodes, 1.3M n/s"
			before = ""
			continue
		}
		value, after := cut(rest)
		next, _ := cut(after)
		if f == multiPV && value != "1" {
			return false
		}
		if f == winRate {
			hasRate = true
		}
		if f == speed && carbon && next == "" {
			f = speedMS
		}
		if t.set(f, value, next) {
			rest = after
			if isUnit(f, next) {
				_, rest = cut(after)
			}
		}
		before = ""
	}
	if hasRate && t.unit == plain && strings.Contains(t.score, ".") {
		t.unit = percent // AlphaGomoku: "ev 53.2 winrate 50.1"
	}
	if i := strings.LastIndexByte(text, '|'); i >= 0 && !t.other {
		if first, _ := cut(text[i+1:]); isPoint(first) {
			t.pv = text[i+1:] // Rapfi: "Depth 2-3 | Eval 126 | Time 0ms | I7 G9"
		}
	}
	return isBest
}

// setPV parses what follows the word pv. In INFO lines that is a number before
// a report on one of several moves, and DONE after it.
func (t *told) setPV(rest string) bool {
	text, _, _ := strings.Cut(strings.TrimLeft(rest, " \t:="), "|")
	switch first, more := cut(text); {
	case first == "" || strings.EqualFold(first, "none"):
	case more == "" && strings.EqualFold(first, "done"):
		t.other = false
	case more == "" && first[0] >= '0' && first[0] <= '9' && !strings.Contains(text, ","):
		t.other = first != "0"
	default:
		if t.other {
			return false
		}
		t.pv = text
	}
	return true
}

// set sets a field to a value, whose unit may be the next word. It reports
// whether the value makes sense.
func (t *told) set(f field, value, next string) bool {
	switch f {
	case depth:
		v, sel, ok := depths(value)
		if ok {
			t.depth, t.selDepth = v, sel
		}
		return ok
	case selDepth:
		v, _, ok := depths(value)
		if ok {
			t.selDepth = v
		}
		return ok
	case nodes:
		v, ok := count(value)
		if ok {
			t.nodes = v
		}
		return ok
	case speed, speedMS:
		v, ok := speedOf(value, next, f == speedMS)
		if ok {
			t.speed = v
		}
		return ok
	case timing:
		v, ok := timeOf(value, next)
		if ok {
			t.time = v
		}
		return ok
	case score:
		ok := isScore(value)
		if ok {
			t.score, t.unit = value, plain
		}
		return ok
	case winRate:
		ok := isScore(value)
		if ok && (t.score == "" || t.unit == rate) {
			t.score, t.unit = value, rate
		}
		return ok
	}
	return false
}

// A field is what a word announces.
type field uint8

const (
	none field = iota
	depth
	selDepth
	nodes
	speed
	speedMS // nodes per millisecond
	timing
	score
	winRate
	pv
	multiPV
)

// fieldOf returns the field that a word announces, or none.
func fieldOf(word string) field {
	var buf [10]byte
	if len(word) > len(buf) {
		return none
	}
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	switch string(buf[:len(word)]) {
	case "depth", "dep":
		return depth
	case "seldepth", "sd":
		return selDepth
	case "n", "nd", "node", "nodes", "totalnodes", "visit", "visits", "called":
		return nodes
	case "n/s", "nps", "v/s", "speed", "sp":
		return speed
	case "n/ms":
		return speedMS
	case "tm", "time", "totaltime":
		return timing
	case "ev", "eval", "evaluation", "score", "sc", "val", "value":
		return score
	case "winrate":
		return winRate
	case "pv", "bestline":
		return pv
	case "multipv":
		return multiPV
	}
	return none
}

// isUnit reports whether word is a unit for a preceding value of field f.
func isUnit(f field, word string) bool {
	switch f {
	case speed:
		factor, rest := multiple(word)
		_, ok := perSecond(rest)
		return word != "" && ok && (factor > 1 || rest != "")
	case timing:
		return word != "" && timeUnit(word) > 0
	}
	return false
}

// isSpace reports whether c separates words.
func isSpace(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ';', ':', '=', '|', '(', ')', '[', ']':
		return true
	}
	return false
}

// cut splits s after its first word.
func cut(s string) (word, rest string) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	j := i
	for j < len(s) && !isSpace(s[j]) {
		j++
	}
	return s[i:j], s[j:]
}

// endsClause reports whether rest is empty or begins with a separator stronger
// than that between words.
func endsClause(rest string) bool {
	return rest == "" || strings.IndexByte(",;|)", rest[0]) >= 0
}

func startsNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

// isPoint reports whether word is a point such as H8.
func isPoint(word string) bool {
	if len(word) < 2 || len(word) > 4 {
		return false
	}
	if c := word[0] | 0x20; c < 'a' || c > 'z' {
		return false
	}
	_, rest, ok := number(word[1:])
	return ok && rest == ""
}

// isScore reports whether word may be a score.
func isScore(word string) bool {
	if word == "" || len(word) > maxScore || !strings.Contains("+-.#0123456789MmWLD", word[:1]) {
		return false
	}
	return strings.ContainsAny(word, "0123456789") || strings.HasSuffix(word, "M*")
}

// number parses digits with at most one point among them and returns the rest.
func number(s string) (v float64, rest string, ok bool) {
	const maxDigits = 18
	var n, scale uint64 = 0, 1
	i, digits, point := 0, 0, false
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' && !point:
			point = true
			continue
		case c < '0' || c > '9':
			return float64(n) / float64(scale), s[i:], digits > 0
		case digits == maxDigits:
			return 0, s, false
		default:
			n = 10*n + uint64(c-'0')
		}
		digits++
		if point {
			scale *= 10
		}
	}
	return float64(n) / float64(scale), "", digits > 0
}

// multiple parses a multiplier letter at the beginning of s.
func multiple(s string) (factor float64, rest string) {
	if s != "" {
		switch s[0] {
		case 'k', 'K':
			return 1e3, s[1:]
		case 'm', 'M':
			return 1e6, s[1:]
		case 'g', 'G':
			return 1e9, s[1:]
		case 't', 'T':
			return 1e12, s[1:]
		}
	}
	return 1, s
}

// count parses a number such as 57220, 20k or 1.3M.
func count(s string) (n int64, ok bool) {
	v, rest, ok := number(s)
	factor, rest := multiple(rest)
	v *= factor
	if !ok || v > maxCount || rest != "" && rest != "." {
		return 0, false
	}
	return int64(v + 0.5), true
}

// perSecond returns the factor that converts a speed in a unit to nodes per
// second.
func perSecond(unit string) (factor int64, ok bool) {
	switch strings.TrimSuffix(unit, ".") {
	case "", "n/s", "N/s", "nps", "NPS", "/s":
		return 1, true
	case "n/ms", "N/ms", "/ms":
		return 1000, true
	}
	return 0, false
}

// speedOf parses a speed such as 380957, 1.3M or 964n/ms, whose unit may be the
// next word.
func speedOf(value, next string, perMS bool) (int64, bool) {
	v, unit, ok := number(value)
	factor, unit := multiple(unit)
	if unit == "" && isUnit(speed, next) {
		var more float64
		more, unit = multiple(next)
		factor *= more
	}
	per, known := perSecond(unit)
	if perMS {
		per = 1000
	}
	v *= factor * float64(per)
	return int64(v + 0.5), ok && known && v <= maxCount
}

// timeOf parses a time such as 150, 23ms, 2.34s or, with the next word ms, 150.
// Without a unit it is in milliseconds, or in seconds if it has a fraction.
func timeOf(value, next string) (time.Duration, bool) {
	v, unit, ok := number(value)
	if !ok {
		return 0, false
	}
	per := timeUnit(unit)
	switch {
	case unit != "":
	case timeUnit(next) > 0:
		per = timeUnit(next)
	case strings.Contains(value, "."):
		per = time.Second
	default:
		per = time.Millisecond
	}
	v *= float64(per)
	if per == 0 || v > float64(maxTime) {
		return 0, false
	}
	return time.Duration(v).Round(time.Millisecond), true
}

// timeUnit returns the duration that a word names, or 0.
func timeUnit(word string) time.Duration {
	switch word {
	case "ms", "MS":
		return time.Millisecond
	case "s", "S", "sec", "seconds":
		return time.Second
	case "min":
		return time.Minute
	case "h":
		return time.Hour
	}
	return 0
}

// depths parses a depth such as 11 or 11-17.
func depths(s string) (d, sel int, ok bool) {
	v, rest, ok := number(s)
	if !ok || v > maxDepth {
		return 0, 0, false
	}
	if rest == "" {
		return int(v), 0, true
	}
	if rest[0] != '-' && rest[0] != '/' {
		return 0, 0, false
	}
	w, rest, ok := number(rest[1:])
	return int(v), int(w), ok && rest == "" && w <= maxDepth
}

// scoreText returns a score as reported.
func scoreText(s string, u unit) string {
	s = printable(s)
	if u == plain || strings.HasSuffix(s, "%") {
		return s
	}
	v, ok := decimal(s)
	switch {
	case !ok: // a proven result
		return s
	case u == rate && v <= 1 && v >= 0:
		text := strconv.FormatFloat(100*v, 'f', 2, 64)
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
	}
	return s + "%"
}

// pvText returns a line of moves as reported.
func pvText(s string) string {
	const enough = 8 * maxPV // the rest is blanks or too long anyway
	s = s[:min(len(s), enough)]
	var b strings.Builder
	for move := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			move = " " + move
		}
		if b.Len()+len(move) > maxPV {
			break
		}
		for _, c := range []byte(move) {
			b.WriteByte(visible(c))
		}
	}
	return b.String()
}

// printable returns a copy of s with a question mark for each byte that is not
// printable ASCII.
func printable(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = visible(c)
	}
	return string(b)
}

func visible(c byte) byte {
	if c < ' ' || c > '~' {
		return '?'
	}
	return c
}
