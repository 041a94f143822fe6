package telemetry

import (
	"fmt"
	"regexp"
	"strings"
)

// groupNames are the names of groups that set a field.
const groupNames = "depth, seldepth, nodes, speed, time, score, pv"

// NewRegexp returns a parser for an engine with its own wording. Lines that do
// not match expr, in the syntax of package regexp, are ignored. In others the
// named groups (?P<depth>…) and likewise seldepth, nodes, speed, time, score
// and pv give the values, in the usual forms such as 11-17, 20k, 1.3M, 964n/ms,
// 150 or 2.34s. It is an error if expr has other names or none.
func NewRegexp(expr string) (*Parser, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	named := false
	for _, name := range re.SubexpNames() {
		if name == "" {
			continue
		}
		named = true
		if groupOf(name) == none {
			return nil, fmt.Errorf("unknown group %q in %q: want one of %s", name, expr, groupNames)
		}
	}
	if !named {
		return nil, fmt.Errorf("no named group in %q: want some of %s", expr, groupNames)
	}
	return &Parser{re: re}, nil
}

// groupOf returns the field of a named group.
func groupOf(name string) field {
	switch name {
	case "depth":
		return depth
	case "seldepth":
		return selDepth
	case "nodes":
		return nodes
	case "speed":
		return speed
	case "time":
		return timing
	case "score":
		return score
	case "pv":
		return pv
	}
	return none
}

// match parses a line by the regular expression.
func (p *Parser) match(text string) {
	m := p.re.FindStringSubmatchIndex(text)
	if m == nil {
		return
	}
	for i, name := range p.re.SubexpNames() {
		f := groupOf(name)
		if f == none || m[2*i] < 0 {
			continue
		}
		value := strings.TrimSpace(text[m[2*i]:m[2*i+1]])
		switch f {
		case pv:
			p.told.pv = value
		case score:
			p.told.score = value[:min(len(value), maxScore)]
		default:
			word, rest := cut(value)
			next, _ := cut(rest)
			p.told.set(f, word, next)
		}
	}
}
