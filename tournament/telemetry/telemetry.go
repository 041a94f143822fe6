// Package telemetry parses what engines report about their moves: the text of
// MESSAGE and DEBUG lines, and of the INFO lines of Yixin's family.
//
// There is no standard, but most engines print words and values, and use the
// same words. Case and the signs between a word and its value do not matter:
//
//	depth 11-17 ev 188 n 57220 n/s 380957 tm 150 pv i10 h10     Kumiko, AlphaGomoku
//	depth 12-17 ev +M11 n 86K n/ms 964 tm 90 pv I8 G8           Yixin, Embryo, Rapfi
//	Speed 1312K | Depth 18-25 | Eval 265 | Node 223K | Time 9s  Rapfi
//	depth=8 NPS=827k                                            Wine
//	eval 177, depth 7, nodes 97426, speed 851                   Carbon
//	Visits 812 Winrate 53.21% Drawrate 1.20% Time 1.234 PV H8   Katagomo
//	winrate: 0.5312, visits: 812, time: 2.3412s, v/s: 346.8     from PyTorch
//
// An engine may spread its words over several lines and repeat them with each
// iteration of its search; the last value before the move counts. [NewRegexp]
// handles all other engines.
package telemetry

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	maxPV    = 256     // bytes of Info.PV
	maxScore = 24      // bytes of Info.Score
	maxCount = 1 << 53 // nodes and speeds; float64 has no gaps below
	maxDepth = 1 << 20
	maxTime  = 1000 * time.Hour
)

// An Info is what an engine said about its move. Zero fields were not reported.
type Info struct {
	Depth    int
	SelDepth int           // the deepest line searched
	Nodes    int64         // or visits
	Speed    int64         // nodes per second
	Time     time.Duration // the engine's own measure, in whole milliseconds

	// Score is from the engine's point of view and as printed, trimmed: "-34",
	// "+M12". If it is known to be a chance to win, it is always a percentage:
	// "53.2%".
	Score string

	// PV is the line that the engine expects, as printed with single blanks,
	// cut after the last whole move within 256 bytes.
	PV string
}

// wireInfo is the JSON form of an Info.
type wireInfo struct {
	Depth    int    `json:"d,omitempty"`
	SelDepth int    `json:"sd,omitempty"`
	Nodes    int64  `json:"n,omitempty"`
	Score    string `json:"s,omitempty"`
	Speed    int64  `json:"sp,omitempty"`
	Time     int64  `json:"t,omitempty"` // ms
	PV       string `json:"pv,omitempty"`
}

// MarshalJSON returns an object with the fields d, sd, n, s, sp, t (in ms) and
// pv, omitting those not reported.
func (i Info) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireInfo{i.Depth, i.SelDepth, i.Nodes, i.Score, i.Speed, i.Time.Milliseconds(), i.PV})
}

// UnmarshalJSON parses what MarshalJSON returns.
func (i *Info) UnmarshalJSON(data []byte) error {
	w, ok := readPlain(data)
	if !ok {
		w = wireInfo{}
		if err := json.Unmarshal(data, &w); err != nil {
			return err
		}
	}
	if bound := int64(maxTime / time.Millisecond); w.Time < 0 || w.Time > bound {
		return fmt.Errorf("time of %d ms is not within 0 to %d", w.Time, bound) // would overflow
	}
	*i = Info{w.Depth, w.SelDepth, w.Nodes, w.Speed, time.Duration(w.Time) * time.Millisecond, w.Score, w.PV}
	return nil
}

// Check rejects values beyond those that the parsers of this package give, as
// a damaged log may hold them.
func (i Info) Check() error {
	switch {
	case min(i.Depth, i.SelDepth) < 0 || max(i.Depth, i.SelDepth) > maxDepth:
		return fmt.Errorf("depth %d, %d is not within 0 to %d", i.Depth, i.SelDepth, maxDepth)
	case min(i.Nodes, i.Speed) < 0 || max(i.Nodes, i.Speed) > maxCount:
		return fmt.Errorf("nodes %d, speed %d are not within 0 to %d", i.Nodes, i.Speed, int64(maxCount))
	case i.Time < 0 || i.Time > maxTime:
		return fmt.Errorf("time %v is not within 0 to %v", i.Time, maxTime)
	}
	return nil
}

// readPlain parses an object as MarshalJSON writes it, in ASCII and without
// escapes, like nearly all in a tournament's log. It takes an eighth of the
// time of package json, which would dominate reading a log. ok is false for
// anything else.
func readPlain(data []byte) (w wireInfo, ok bool) {
	s, ok := strings.CutPrefix(string(data), "{")
	for ok && s != "}" {
		var key, value string
		if key, s, ok = cutString(s); !ok || s == "" || s[0] != ':' {
			return w, false
		}
		switch s = s[1:]; key {
		case "s":
			w.Score, s, ok = cutString(s)
		case "pv":
			w.PV, s, ok = cutString(s)
		default:
			end := strings.IndexAny(s, ",}")
			if end < 0 {
				return w, false
			}
			value, s = s[:end], s[end:]
			ok = w.setNumber(key, value)
		}
		if rest, more := strings.CutPrefix(s, ","); more && strings.HasPrefix(rest, `"`) {
			s = rest
		} else if s != "}" {
			return w, false
		}
	}
	return w, ok
}

// cutString cuts a JSON string of plain ASCII from the front of s.
func cutString(s string) (text, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[1:i], s[i+1:], true
		case c == '\\' || c < ' ' || c > '~':
			return "", s, false
		}
	}
	return "", s, false
}

// setNumber sets the field of a key to a number consisting only of digits.
func (w *wireInfo) setNumber(key, digits string) bool {
	if digits == "" || len(digits) > 17 || digits[0] == '0' && digits != "0" {
		return false
	}
	n := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
		n = 10*n + int64(c-'0')
	}
	switch key {
	case "d":
		w.Depth = int(n)
	case "sd":
		w.SelDepth = int(n)
	case "n":
		w.Nodes = n
	case "sp":
		w.Speed = n
	case "t":
		w.Time = n
	default:
		return false
	}
	return int64(int(n)) == n
}

// A Kind says what the number of a score means.
type Kind uint8

const (
	Centi   Kind = iota // an evaluation in the engine's own unit, often hundredths
	Mate                // plies to a forced win, negative if the engine loses
	WinRate             // the chance to win, from 0 to 1
)

// Value returns the number of the score, from the engine's point of view, and
// what it means. The number of a Mate is infinite if the engine did not report
// the distance ("+M*"). ok is false if no score was reported or its form is
// unknown.
func (i Info) Value() (v float64, kind Kind, ok bool) {
	s := i.Score
	if percent, found := strings.CutSuffix(s, "%"); found {
		v, ok = decimal(percent)
		v /= 100
		return v, WinRate, ok && v >= 0 && v <= 1
	}
	if v, ok = decimal(s); ok {
		return v, Centi, true
	}
	sign, s := cutSign(s)
	if s == "" {
		return 0, 0, false
	}
	digits := s[1:]
	switch s[0] {
	case 'M', 'm', '#':
		if digits == "*" {
			return math.Inf(int(sign)), Mate, true
		}
	case 'W': // AlphaGomoku: won, lost and drawn
	case 'L':
		sign = -sign
	case 'D':
		_, ok = decimal(digits)
		return 0, Centi, ok
	default:
		return 0, 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return sign * float64(n), Mate, err == nil
}

// cutSign cuts a sign, if any, from the front of s.
func cutSign(s string) (sign float64, rest string) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return -1, rest
	}
	return 1, strings.TrimPrefix(s, "+")
}

// decimal parses a whole string of digits with an optional sign and point.
func decimal(s string) (v float64, ok bool) {
	sign, s := cutSign(s)
	v, rest, ok := number(s)
	return sign * v, ok && rest == ""
}

// Unit is the evaluation that corresponds to odds of e²:1, as in Rapfi.
const Unit = 400

// Evaluation returns the score as an evaluation in units, whatever its kind:
// infinite for a forced win. ok is false if there is none.
func (i Info) Evaluation() (v float64, ok bool) {
	v, kind, ok := i.Value()
	switch kind {
	case Mate:
		v = math.Copysign(math.Inf(1), v)
	case WinRate:
		v = Unit * math.Atanh(2*v-1)
	}
	return v, ok
}
