package engine

import "fmt"

// A Search selects how positions are searched.
type Search uint8

const (
	// AlphaBeta searches all moves to a depth, then deeper.
	AlphaBeta Search = iota
	// PUCT searches best first, guided by a policy. Its depth is the binary logarithm of
	// the visits of the root.
	PUCT
)

// SearchNames lists the names that ParseSearch accepts.
const SearchNames = "alphabeta or puct"

// ParseSearch parses the name of a search.
func ParseSearch(name string) (Search, error) {
	switch name {
	case "alphabeta":
		return AlphaBeta, nil
	case "puct":
		return PUCT, nil
	}
	return 0, fmt.Errorf("unknown search %q, want %s", name, SearchNames)
}

// String returns the name of a search.
func (s Search) String() string {
	if s == PUCT {
		return "puct"
	}
	return "alphabeta"
}
