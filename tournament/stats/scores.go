package stats

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Scores are the results of a tournament as Gomocup publishes them. A line
//
//	A - B: 15 : 7
//
// says that A won 15 games against B and lost 7. Draws and who moved first are
// not recorded.
type Scores struct {
	Names    []string // the engines, in the order of their first lines
	Results  []Pairing
	NeverMet int // number of engines without a game
}

// ParseScores parses a list of scores. Games is how many games any two engines
// that met played; those without a winner are draws. If it is 0, the number is
// the most that any two engines won together, which is how Gomocup reads its
// lists; it is too small if every pairing had a draw. Two engines that won no
// game did not meet. Blank lines are skipped. Text is UTF-8 or Latin-1. Errors
// name the line, from 1.
//
// Ambiguous lines are errors: those with a third number, since lists that have
// draws differ in where, and those in which " - " is part of a name.
func ParseScores(text string, games int) (*Scores, error) {
	if games < 0 {
		return nil, fmt.Errorf("stats: games per pairing must be at least 0, got %d", games)
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	s := &Scores{}
	var lines []int // line numbers of the results
	number, most := 0, 0
	for line := range strings.Lines(text) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		p, err := s.parse(line)
		if err != nil {
			return nil, fmt.Errorf("stats: line %d: %w", number, err)
		}
		n := p.Unknown[0] + p.Unknown[2]
		if games > 0 && n > games {
			return nil, fmt.Errorf("stats: line %d: %d games with a winner, want at most %d", number, n, games)
		}
		most = max(most, n)
		same := func(q Pairing) bool { return p.I == q.I && p.J == q.J || p.I == q.J && p.J == q.I }
		if k := slices.IndexFunc(s.Results, same); k >= 0 {
			return nil, fmt.Errorf("stats: line %d: %s and %s are in line %d already", number, s.Names[p.I], s.Names[p.J], lines[k])
		}
		s.Results = append(s.Results, p)
		lines = append(lines, number)
	}
	if games == 0 {
		games = most
	}
	for k := range s.Results {
		if u := &s.Results[k].Unknown; u[0]+u[2] > 0 {
			u[1] = games - u[0] - u[2]
		} else {
			s.NeverMet++
		}
	}
	return s, nil
}

// parse parses a line and numbers its engines.
func (s *Scores) parse(line string) (Pairing, error) {
	line = strings.TrimSpace(utf8Of(line))
	rest, lost, ok := cutLast(line, ":")
	names, won, ok2 := cutLast(rest, ":")
	first, second, ok3 := strings.Cut(names, " - ")
	if !ok || !ok2 || !ok3 {
		return Pairing{}, fmt.Errorf("%q: want A - B: WINS : LOSSES", line)
	}
	if n := 2 + trailingNumbers(names); n > 2 {
		return Pairing{}, fmt.Errorf("%q: %d numbers, want A - B: WINS : LOSSES (draws are what is left of the number of games)", line, n)
	}
	if strings.Contains(second, " - ") {
		return Pairing{}, fmt.Errorf(`%q: more than one " - ": where does the second name begin?`, line)
	}
	first, second = strings.TrimSpace(first), strings.TrimSpace(second)
	if first == "" || second == "" {
		return Pairing{}, fmt.Errorf("%q: an engine has no name", line)
	}
	if first == second {
		return Pairing{}, fmt.Errorf("%q: an engine plays itself", line)
	}
	p := Pairing{I: s.engine(first), J: s.engine(second)}
	var err, err2 error
	p.Unknown[2], err = parseWins(won)
	p.Unknown[0], err2 = parseWins(lost)
	if err != nil && err2 != nil {
		return p, fmt.Errorf("%q: %w; %w", line, err, err2)
	}
	return p, cmp.Or(err, err2)
}

// trailingNumbers returns how many numbers text ends with, each after a colon.
func trailingNumbers(text string) (n int) {
	for {
		before, last, ok := cutLast(text, ":")
		if !ok {
			return n
		}
		if _, err := parseWins(last); err != nil {
			return n
		}
		text = before
		n++
	}
}

// utf8Of returns a line, decoded from Latin-1 if it is not UTF-8.
func utf8Of(line string) string {
	if utf8.ValidString(line) {
		return line
	}
	runes := make([]rune, len(line))
	for i := range len(line) {
		runes[i] = rune(line[i])
	}
	return string(runes)
}

// parseWins parses a number of wins, small enough that millions can be summed.
func parseWins(text string) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseUint(text, 10, 24)
	if err != nil {
		return 0, fmt.Errorf("invalid count %q: want 0 to %d", text, 1<<24-1)
	}
	return int(n), nil
}

// cutLast slices text around the last sep.
func cutLast(text, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

// engine returns the number of an engine, adding it if new.
func (s *Scores) engine(name string) int {
	i := slices.Index(s.Names, name)
	if i < 0 {
		i = len(s.Names)
		s.Names = append(s.Names, name)
	}
	return i
}
