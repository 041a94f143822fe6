package cli

import "strings"

// nearest returns the names most like a mistyped word: those that begin with it,
// or else those at the smallest edit distance, if that is small.
func nearest(word string, names []string) []string {
	var list []string
	for _, name := range names {
		if len(word) > 1 && strings.HasPrefix(name, word) {
			list = append(list, name)
		}
	}
	if list != nil {
		return list
	}
	least := min(2, len(word)/2)
	for _, name := range names {
		switch d := distance(strings.ToLower(word), name); {
		case d < least:
			least, list = d, []string{name}
		case d == least && d < len(name):
			list = append(list, name)
		}
	}
	return list
}

// distance returns the restricted Damerau–Levenshtein distance of a and b: the
// number of bytes to insert, delete, replace or swap with a neighbor.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)} // for a up to i-2, i-1 and i
	for j := range rows[2] {
		rows[2][j] = j
	}
	for i := 1; i <= len(a); i++ {
		rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
		rows[2][0] = i
		for j := 1; j <= len(b); j++ {
			d := min(rows[1][j], rows[2][j-1]) + 1
			if a[i-1] == b[j-1] {
				d = min(d, rows[1][j-1])
			} else {
				d = min(d, rows[1][j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[0][j-2]+1)
			}
			rows[2][j] = d
		}
	}
	return rows[2][len(b)]
}
