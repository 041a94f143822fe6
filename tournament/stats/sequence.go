package stats

// A Sequence is a running sequential test. It counts whole pairs in schedule
// order, up to the deciding one or the first unfinished one: in the order in
// which games end, short games would come first, which favors the engine that
// wins fast. Neither that order nor games after the decision change the
// verdict.
type Sequence struct {
	Test     SPRT
	Pairs    Counts // counted pairs, by the first engine's points
	Games    Counts // in these pairs: lost, drawn, won
	LLR      float64
	Verdict  Verdict
	Deciding int // the deciding pair, from 0; -1 without a verdict

	waiting map[int]*legs // pairs not counted yet
	ahead   int           // whole pairs among them
	taken   int           // games added
}

// legs are the results of a pair's games as far as known.
type legs struct {
	result [2]Result
	known  [2]bool
}

func (l *legs) whole() bool { return l.known[0] && l.known[1] }

// NewSequence returns a test before its first pair.
func NewSequence(t SPRT) *Sequence {
	return &Sequence{Test: t, Pairs: make(Counts, 5), Games: make(Counts, 3), Deciding: -1, waiting: make(map[int]*legs)}
}

// Add adds the first engine's result in a game, leg 0 or 1 of a pair of the
// schedule, from 0. Games may come in any order; of two with the same pair and
// leg the first counts.
func (s *Sequence) Add(pair, leg int, r Result) {
	if s.Verdict != Undecided {
		s.taken++
		return
	}
	if pair < s.Pairs.N() {
		return // already counted
	}
	l := s.waiting[pair]
	if l == nil {
		l = new(legs)
		s.waiting[pair] = l
	}
	if l.known[leg] {
		return
	}
	l.result[leg], l.known[leg] = r, true
	s.taken++
	if l.whole() {
		s.ahead++
	}
	for s.Verdict == Undecided {
		next := s.Pairs.N()
		l := s.waiting[next]
		if l == nil || !l.whole() {
			return
		}
		delete(s.waiting, next)
		s.ahead--
		s.count(next, l)
	}
}

// count counts the next pair.
func (s *Sequence) count(pair int, l *legs) {
	s.Pairs[l.result[0]+l.result[1]]++
	s.Games[l.result[0]]++
	s.Games[l.result[1]]++
	items := s.Pairs
	if s.Test.Model == Bayesian {
		items = s.Games
	}
	s.LLR = s.Test.LLR(items)
	if s.Verdict = s.Test.verdict(float64(s.Pairs.N()), s.LLR); s.Verdict != Undecided {
		s.Deciding = pair
	}
}

// Accepted returns the accepted hypothesis: H0, H1, or "" for none.
func (s *Sequence) Accepted() string {
	if s.Verdict == Undecided {
		return ""
	}
	return s.Verdict.String()
}

// Progress returns how far the LLR is on the way to its bound; 1 means reached.
func (s *Sequence) Progress() float64 { return s.Test.Progress(s.LLR) }

// Ahead returns how many whole pairs wait for an earlier one. It is 0 once
// there is a verdict.
func (s *Sequence) Ahead() int {
	if s.Verdict != Undecided {
		return 0
	}
	return s.ahead
}

// After returns how many games the verdict does not count. It is 0 without one.
func (s *Sequence) After() int {
	if s.Verdict == Undecided {
		return 0
	}
	return s.taken - 2*s.Pairs.N()
}
