package tune

import (
	"fmt"
	"io"
	"math"

	"kumiko/engine"
	"kumiko/tournament/config"
	"kumiko/tournament/stats"
)

// matchSettings are the settings of a match; see [match].
type matchSettings struct {
	Values []int        `json:"values"` // of the parameters
	SPRT   *config.SPRT `json:"sprt,omitempty"`
	// The evaluators of both sides, if they differ from those in use: the hash
	// of a network, or "tables"; and the nodes of the other side, if they differ.
	Net          string `json:"net,omitempty"`
	Against      string `json:"against,omitempty"`
	AgainstNodes int64  `json:"against_nodes,omitempty"`
	// How the sides search, if not by alpha-beta.
	Search        string `json:"search,omitempty"`
	AgainstSearch string `json:"against_search,omitempty"`
}

// engines reports whether the sides differ in more than values: by what evaluates or
// searches, or in nodes.
func (s *matchSettings) engines() bool {
	return s.Net != s.Against || s.AgainstNodes > 0 || s.Search != s.AgainstSearch
}

// sides says what plays against what.
func (s *matchSettings) sides() string {
	name := func(net, search string) string {
		text := "network of hash " + net
		switch net {
		case "":
			text = "the evaluator in use"
		case engine.ByTables.String():
			text = "tables"
		}
		if search != "" {
			text += " by " + search
		}
		return text
	}
	text := name(s.Net, s.Search) + " against " + name(s.Against, s.AgainstSearch)
	if s.AgainstNodes > 0 {
		text += fmt.Sprintf(" with %d nodes", s.AgainstNodes)
	}
	return text
}

// check reports invalid settings.
func (s *matchSettings) check(params []param) error {
	if len(s.Values) != len(params) {
		return fmt.Errorf("%d values of %d parameters", len(s.Values), len(params))
	}
	if s.AgainstNodes < 0 || s.AgainstNodes > math.MaxInt32 {
		return fmt.Errorf("against-nodes must be 0 to %d, got %d", math.MaxInt32, s.AgainstNodes)
	}
	for _, name := range []string{s.Search, s.AgainstSearch} {
		if name == "" {
			continue
		}
		if _, err := engine.ParseSearch(name); err != nil {
			return err
		}
	}
	if s.SPRT == nil {
		return nil
	}
	if m := s.SPRT.Model; m != config.Normalized && m != config.Logistic {
		return fmt.Errorf("unknown model %q, want normalized or logistic", m)
	}
	return s.SPRT.Test().Check()
}

const (
	// matchBatch is the number of pairs between two reports of a match; the last
	// may come after fewer.
	matchBatch = 16
	// firstOfMatch is the number of the first pair of a match: tuning has not
	// used its random openings.
	firstOfMatch = 1 << 40
)

// match plays values against the defaults, or one evaluator against another. It may be a sequential test, which
// ends with the deciding pair; later pairs do not count.
type match struct {
	matchSettings
	params []param
	test   *stats.SPRT // nil without a test

	pairs   int // pairs played
	tally   tally
	verdict stats.Verdict
}

func newMatch(params []param, s matchSettings) *match {
	m := &match{matchSettings: s, params: params}
	if s.SPRT != nil {
		test := s.SPRT.Test()
		m.test = &test
	}
	return m
}

// next implements [method].
func (m *match) next(most int) []pairing {
	var pairs []pairing
	for k := range min(matchBatch, most) {
		pairs = append(pairs, pairing{firstOfMatch + uint64(m.pairs+k), m.Values, defaults(m.params)})
	}
	return pairs
}

// take implements [method]. Logs may continue after a test was decided, if
// written by a version of the program that decided later.
func (m *match) take(scores []int) {
	m.pairs += len(scores)
	for _, s := range scores {
		if m.decided() {
			return
		}
		m.tally.add(s)
		if m.test != nil {
			m.verdict = m.test.Verdict(m.tally.counts())
		}
	}
}

// decided implements [method].
func (m *match) decided() bool { return m.verdict != stats.Undecided }

// state implements [method]: there is none.
func (m *match) state() any { return nil }

// done implements [method].
func (m *match) done() int { return m.pairs }

// result implements [method].
func (m *match) result() []int { return m.Values }

// writeLine implements [method].
func (m *match) writeLine(w io.Writer) {
	fmt.Fprintf(w, "%v, Elo %s", &m.tally, m.tally.counts().Elo().Text(2))
	if m.test != nil {
		fmt.Fprintf(w, ", LLR %.2f", m.test.LLR(m.tally.counts()))
	}
}

// writeResult implements [method].
func (m *match) writeResult(w io.Writer) error {
	if m.engines() {
		if _, err := fmt.Fprintln(w, m.sides()); err != nil {
			return err
		}
	}
	if len(m.params) > 0 {
		if err := writeValues(w, m.params, m.Values, "", nil); err != nil {
			return err
		}
	}
	c := m.tally.counts()
	if c.N() == 0 {
		_, err := fmt.Fprintln(w, "No pair has been played")
		return err
	}
	if _, err := io.WriteString(w, c.Describe()); err != nil {
		return err
	}
	if m.test == nil {
		return nil
	}
	text := m.verdict.String()
	if m.verdict != stats.Undecided {
		text += " is accepted"
	}
	_, err := fmt.Fprintf(w, "%s, %s\n", m.test.Describe(m.test.LLR(c)), text)
	return err
}
