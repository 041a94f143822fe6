package board

import (
	"fmt"
	"strings"
)

// A Rule determines which runs of stones win and which moves are forbidden.
type Rule uint8

// The rules. An end of a run is blocked by an opponent's stone just beyond it,
// but neither by the edge of the board nor by a dead stone.
const (
	// Freestyle: five or more in a row win.
	Freestyle Rule = iota
	// Standard: exactly five in a row win; longer runs do not.
	Standard
	// Renju: black wins with exactly five and may not make an overline, a
	// double-four or a double-three; white wins with five or more.
	Renju
	// Caro5: exactly five in a row win unless blocked at both ends.
	Caro5
	// Caro6: as Caro5, but six or more win as well, blocked or not.
	Caro6

	// NumRules is the number of rules.
	NumRules = iota
)

// ruleNames are the names of the rules, followed by the aliases.
var ruleNames = []struct {
	name string
	rule Rule
}{
	{"freestyle", Freestyle},
	{"standard", Standard},
	{"renju", Renju},
	{"caro5", Caro5},
	{"caro6", Caro6},
	{"exact", Standard},
	{"caro", Caro5},
}

// RuleNames lists the names that [ParseRule] accepts, for help and errors.
const RuleNames = "freestyle, standard (or exact), renju, caro5 (or caro), caro6"

// String returns the name of the rule.
func (r Rule) String() string { return ruleNames[r].name }

// Caro reports whether a five blocked at both ends does not win, so that a four
// may have several answers.
func (r Rule) Caro() bool { return r == Caro5 || r == Caro6 }

// ParseRule reads the name of a rule, or an alias, in either case.
func ParseRule(name string) (Rule, error) {
	for _, n := range ruleNames {
		if strings.EqualFold(n.name, name) {
			return n.rule, nil
		}
	}
	return 0, fmt.Errorf("unknown rule %q, want %s", name, RuleNames)
}

// Code returns the rule's value in the Gomocup protocol's INFO rule.
func (r Rule) Code() int {
	return [NumRules]int{Freestyle: 0, Standard: 1, Renju: 4, Caro5: 9, Caro6: 8}[r]
}

// RuleOfCode decodes a value of the Gomocup protocol's INFO rule, a sum of bits:
// 1 exactly five, 2 continuous game, 4 renju, 8 caro. Renju implies exactly five
// for black and takes precedence over caro. Every value is valid.
func RuleOfCode(code int) (rule Rule, continuous bool) {
	continuous = code&2 != 0
	switch {
	case code&4 != 0:
		return Renju, continuous
	case code&9 == 9:
		return Caro5, continuous
	case code&8 != 0:
		return Caro6, continuous
	case code&1 != 0:
		return Standard, continuous
	}
	return Freestyle, continuous
}

// A Color is a player: it indexes arrays of two.
type Color uint8

// The players. Black moves first.
const (
	Black Color = iota
	White
)

// Opponent returns the other player.
func (c Color) Opponent() Color { return c ^ 1 }

func (c Color) String() string {
	if c == Black {
		return "black"
	}
	return "white"
}

// A Cell is the contents of a point. Its two bits belong to the planes of black
// and white; a dead stone and a point beyond the edge set both, and so block
// both players.
type Cell uint8

// The contents of a point.
const (
	Empty      Cell = 0
	BlackStone Cell = 1
	WhiteStone Cell = 2
	// DeadStone is a stone out of play (field 3 of the Gomocup protocol): it
	// occupies its point and belongs to nobody.
	DeadStone Cell = 3
)

// Stone returns the cell that holds a stone of c.
func (c Color) Stone() Cell { return BlackStone << c }

// A Forbidden is a reason why black may not play a point in renju.
type Forbidden uint8

// The reasons. If several apply, the first of double-four, double-three and
// overline is reported.
const (
	NotForbidden Forbidden = iota
	DoubleThree
	DoubleFour
	Overline
)

func (f Forbidden) String() string {
	return [...]string{"none", "double-three", "double-four", "overline"}[f]
}
