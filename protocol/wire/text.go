package wire

import (
	"math"
	"strings"
)

// clean strips byte order marks, NUL bytes, and blanks and control characters at
// both ends.
func clean(line string) string {
	line = strings.TrimLeftFunc(line, func(r rune) bool { return isBlank(r) || r == '\uFEFF' })
	if strings.IndexByte(line, 0) >= 0 {
		line = strings.ReplaceAll(line, "\x00", "")
	}
	return strings.TrimFunc(line, isBlank)
}

// isBlank reports whether r separates words: a blank, a tab or some other
// control character.
func isBlank(r rune) bool { return r <= ' ' }

// cutWord splits a clean line after its first word.
func cutWord(line string) (word, rest string) {
	if i := strings.IndexFunc(line, isBlank); i >= 0 {
		return line[:i], strings.TrimLeftFunc(line[i:], isBlank)
	}
	return line, ""
}

// numbers reads the integers at the beginning of s, separated by blanks, by one of
// the characters in seps, or by both. It returns the unread rest.
func numbers(s, seps string) (n []int, rest string) {
	rest = strings.TrimLeftFunc(s, isBlank)
	for rest != "" {
		v, tail, ok := leadingInt(rest)
		if !ok {
			return n, rest
		}
		n = append(n, v)
		rest = strings.TrimLeftFunc(tail, isBlank)
		separated := rest != tail
		if rest != "" && strings.IndexByte(seps, rest[0]) >= 0 {
			rest = strings.TrimLeftFunc(rest[1:], isBlank)
			separated = rest != ""
		}
		if !separated && tail != "" {
			return n, tail
		}
	}
	return n, ""
}

// list reads up to most integers separated by commas at the beginning of s, and
// returns the rest.
func list(s string, most int) (n []int, rest string) {
	v, rest, ok := leadingInt(s)
	for ok {
		n = append(n, v)
		after, comma := strings.CutPrefix(strings.TrimLeftFunc(rest, isBlank), ",")
		if !comma || len(n) == most {
			break
		}
		var tail string
		if v, tail, ok = leadingInt(strings.TrimLeftFunc(after, isBlank)); ok {
			rest = tail
		}
	}
	return n, rest
}

// leadingInt is leadingInt64 for 32 bits.
func leadingInt(s string) (v int, rest string, ok bool) {
	w, rest, ok := leadingInt64(s)
	return int(min(max(w, math.MinInt32), math.MaxInt32)), rest, ok
}

// leadingInt64 reads a decimal integer at the beginning of s, clamped to the range
// of int64.
func leadingInt64(s string) (v int64, rest string, ok bool) {
	i := 0
	negative := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	digits := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if d := int64(s[i] - '0'); v <= (math.MaxInt64-d)/10 {
			v = v*10 + d
		} else {
			v = math.MaxInt64
		}
	}
	if negative {
		v = -v
	}
	return v, s[i:], i > digits
}
