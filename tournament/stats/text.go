package stats

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number formats a number with the given decimals, or as n/a if it cannot be
// estimated.
func Number(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "n/a"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no negative zero
	}
	return s
}

// Signed is Number with a sign.
func Signed(x float64, digits int) string {
	s := Number(x, digits)
	if x > 0 && s[0] != '-' {
		return "+" + s
	}
	return s
}

// Percent formats a share as a percentage.
func Percent(share float64, digits int) string {
	if math.IsNaN(share) {
		return "n/a"
	}
	return Number(100*share, digits) + " %"
}

// String lists the counts, as fastchess does.
func (c Counts) String() string {
	list := make([]string, len(c))
	for i, n := range c {
		list[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// Text formats an estimate with its margin.
func (e Estimate) Text(digits int) string {
	return Number(e.Value, digits) + " +/- " + Number(e.Margin(), digits)
}

// Interval formats the ends of an estimate.
func (e Estimate) Interval(digits int) string {
	return fmt.Sprintf("[%s, %s]", Number(e.Low, digits), Number(e.High, digits))
}

// Describe returns lines with the estimates from the counts and their warnings.
func (c Counts) Describe() string {
	items := fmt.Sprintf("%d pairs %v", c.N(), c)
	if len(c) == 3 {
		items = fmt.Sprintf("%d games (%d won, %d drawn, %d lost)", c.N(), c[2], c[1], c[0])
	}
	mean, _ := c.Score()
	var b strings.Builder
	elo, nElo := c.Elo(), c.NElo()
	fmt.Fprintf(&b, "Elo: %s %s, nElo: %s %s\n", elo.Text(2), elo.Interval(2), nElo.Text(2), nElo.Interval(2))
	fmt.Fprintf(&b, "LOS: %s, score %s of %s\n", Percent(c.LOS(), 2), Percent(mean, 2), items)
	for _, w := range c.Warnings() {
		fmt.Fprintf(&b, "Warning: %s\n", WarningText(w))
	}
	return b.String()
}

// WarningText returns a warning or an error of this package without the package
// name.
func WarningText(w error) string { return strings.TrimPrefix(w.Error(), "stats: ") }
