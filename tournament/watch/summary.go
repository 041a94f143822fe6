package watch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// maxLines bounds the results and failures of a summary: no screen has more
// rows.
const maxLines = 200

// A summary is derived from the finished games. Making one takes time
// proportional to their number.
type summary struct {
	stamp stamp

	title, details string
	played, total  int
	dropped        int           // games that will not be played
	verdict        string        // "" while there is none
	patience       time.Duration // how long the log may normally stay unchanged

	before  time.Duration // time played before the last resume
	session time.Time     // when the session began
	last    time.Time     // when the last game ended
	ended   int           // games since session

	standings []standing
	match     *match // set if there are just two engines
	test      *test  // nil without a test
	results   []line // latest first
	troubles  []line // latest first
	failed    int    // games lost by a failure
}

// A stamp changes with what a summary is made from.
type stamp struct{ played, resumes, voids, warnings, disqualified, verdict int }

func stampOf(log *journal.Log) stamp {
	s := stamp{log.Played, len(log.Resumes), len(log.Voids), len(log.Warnings), len(log.Disqualified), 0}
	if log.Verdict != nil {
		s.verdict = 1
	}
	return s
}

// A standing is a row of the standings. Ratings are in Elo.
type standing struct {
	name                string
	elo, margin         float64 // NaN if unknown
	points              float64
	games               int
	wins, draws, losses int
	out                 bool // disqualified
}

// A match holds the results of the first of two engines against the second.
type match struct {
	elo   stats.Estimate
	los   float64
	pairs stats.Counts // by the first engine's points
}

// A test is the state of a sequential test, with Wald's bounds for its ratio.
type test struct {
	llr, lower, upper float64
	elo0, elo1        float64
	unit              string // of these
	pairs             int
	progress          float64 // of the way to the bound; 1 means reached
}

// A line is a line of results or failures.
type line struct {
	text string
	mood mood
	at   time.Time
}

// A mood says whether news is good for the first of two engines.
type mood int

// Moods.
const (
	neutral mood = iota
	good
	bad
)

// summarize returns the summary of a log.
func summarize(log *journal.Log) *summary {
	c := &log.Config
	t := report.NewTally(log)
	s := &summary{
		stamp: stampOf(log),
		title: title(c), details: details(c),
		played: t.Games, total: t.Total, dropped: t.Dropped, failed: len(t.Failures), patience: patience(c),
	}
	if log.Verdict != nil {
		s.verdict = plain(log.Verdict.Why)
		if a := log.Verdict.Accepted; a != "" {
			s.verdict = plain(a) + " accepted"
		}
	}
	s.times(log)
	s.rate(t)
	if len(c.Engines) == 2 {
		m := t.Match(0, 1)
		pairs, _ := m.Pairs()
		s.match = &match{m.Items().Elo(), m.Items().LOS(), pairs}
	}
	if c.SPRT != nil {
		s.test = newTest(report.SPRTState(log, *c.SPRT))
	}
	for _, e := range latest(log, maxLines, func(*journal.End) bool { return true }) {
		s.results = append(s.results, resultLine(c, e, len(strconv.Itoa(s.total))))
	}
	s.troubles = append(s.troubles, troubles(log)...)
	return s
}

// rate fills in the standings.
func (s *summary) rate(t *report.Tally) {
	table, err := report.StandingsOf(t, report.Options{})
	if err != nil {
		s.troubles = append(s.troubles, line{text: plain("no ratings: " + err.Error()), mood: bad})
		table = new(report.Standings)
		for i := range t.Engines {
			table.Rows = append(table.Rows, report.Standing{Engine: i, Elo: math.NaN(), Margin: math.NaN()})
		}
	}
	for _, row := range table.Rows {
		e := &t.Engines[row.Engine]
		s.standings = append(s.standings, standing{
			name: plain(e.Name), elo: row.Elo, margin: row.Margin,
			points: e.Points(), games: e.Games.N(),
			wins: e.Games[2], draws: e.Games[1], losses: e.Games[0],
			out: row.Out,
		})
	}
}

func newTest(s *report.SPRT) *test {
	lower, upper := s.Test.Bounds()
	return &test{
		llr: s.LLR, lower: lower, upper: upper,
		elo0: s.Test.Elo0, elo1: s.Test.Elo1, unit: s.Test.Model.String(), pairs: s.Pairs.N(), progress: s.Progress(),
	}
}

// title names the engines.
func title(c *config.Config) string {
	if len(c.Engines) == 2 {
		return nameOf(c, 0) + " vs " + nameOf(c, 1)
	}
	return fmt.Sprintf("%d engines", len(c.Engines))
}

// details returns the settings in few words.
func details(c *config.Config) string {
	words := []string{string(c.Format), c.Rule.String(), c.Size()}
	if len(c.Engines) == 2 {
		words = words[1:]
	}
	if c.Swap2 {
		words = append(words, "swap2")
	}
	words = append(words, timeControl(c), fmt.Sprintf("seed %d", c.Seed))
	return plain(strings.Join(words, "  "))
}

// timeControl returns what limits the engines' time.
func timeControl(c *config.Config) string {
	var all []string
	for i := range c.Engines {
		e := &c.Engines[i]
		var limits []string
		if e.TC != (config.TC{}) {
			limits = append(limits, e.TC.String())
		}
		if e.Depth > 0 {
			limits = append(limits, fmt.Sprintf("depth %d", e.Depth))
		}
		if e.Nodes > 0 {
			limits = append(limits, count(e.Nodes)+" nodes")
		}
		if s := strings.Join(limits, " "); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) > 2 {
		return "different time controls"
	}
	return strings.Join(all, " and ")
}

// patience returns how long a log may stay unchanged, since an engine may think
// that long.
func patience(c *config.Config) time.Duration {
	const (
		other     = 30 * time.Second // starting engines, a loaded machine
		unlimited = 10 * time.Minute // for example, an engine with a node limit
	)
	longest := time.Duration(0)
	for i := range c.Engines {
		tc := c.Engines[i].TC
		limit := cmp.Or(tc.Turn, tc.Match, unlimited)
		if tc.Match > 0 {
			limit = min(limit, tc.Match)
		}
		longest = max(longest, limit)
	}
	return longest + other
}

// times determines when games were played. None were between the end of the
// last game and a resume.
func (s *summary) times(log *journal.Log) {
	starts := []time.Time{log.Run.At}
	for _, r := range log.Resumes {
		starts = append(starts, r.At)
	}
	lasts := slices.Clone(starts)
	for e := range log.All {
		i, found := slices.BinarySearchFunc(starts, e.At, time.Time.Compare)
		if !found {
			i = max(i-1, 0)
		}
		if e.At.After(lasts[i]) {
			lasts[i] = e.At
		}
		if i == len(starts)-1 {
			s.ended++
		}
	}
	n := len(starts) - 1
	for i := range n {
		s.before += lasts[i].Sub(starts[i])
	}
	s.session, s.last = starts[n], lasts[n]
}

// elapsed returns the playing time.
func (s *summary) elapsed(now time.Time) time.Duration {
	return s.before + max(now.Sub(s.session), 0)
}

// rest estimates the time left, if some games have ended.
func (s *summary) rest(now time.Time) (d time.Duration, ok bool) {
	if s.ended == 0 {
		return 0, false
	}
	each := float64(now.Sub(s.session)) / float64(s.ended)
	return time.Duration(each * float64(max(s.total-s.dropped-s.played, 0))), true
}

// resultLine describes a finished game; game numbers are padded to digits.
func resultLine(c *config.Config, e *journal.End, digits int) line {
	score := string(e.Result)
	if e.Result == journal.Draw {
		score = " ½ "
	}
	l := line{at: e.At, text: fmt.Sprintf("#%-*d %s %s - %s  %s, %s", digits, e.Number, score, nameOf(c, e.Black), nameOf(c, e.White),
		plain(string(e.Reason)), plural(len(movesOf(e.Moves)), "move"))}
	if len(c.Engines) == 2 {
		l.mood = [...]mood{bad, neutral, good}[e.Points(0)]
	}
	return l
}

// troubles lists everything that went wrong, latest first.
func troubles(log *journal.Log) []line {
	c := &log.Config
	var list []line
	add := func(at time.Time, mood mood, format string, args ...any) {
		list = append(list, line{at: at, mood: mood, text: plain(fmt.Sprintf(format, args...))})
	}
	for _, e := range latest(log, maxLines, func(e *journal.End) bool { return e.Reason.Failed() }) {
		if c0, ok := e.Loser(); ok {
			add(e.At, bad, "#%d %s %s", e.Number, nameOf(c, e.Engine(c0)), why(e))
		}
	}
	for i, d := range log.Disqualified {
		add(d.At, bad, "%s is disqualified: %s", nameOf(c, i), d.Why)
	}
	for _, v := range tail(log.Voids) {
		add(v.At, neutral, "#%d is void: %s", v.Number, v.Why)
	}
	for _, w := range tail(log.Warnings) {
		add(w.At, neutral, "#%d %s %s", w.Number, nameOf(c, w.Engine), w.Text)
	}
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Or(b.at.Compare(a.at), strings.Compare(a.text, b.text)) })
	return list[:min(len(list), maxLines)]
}

// why describes a failure.
func why(e *journal.End) string {
	if e.Detail == "" {
		return string(e.Reason)
	}
	return string(e.Reason) + ": " + e.Detail
}

// tail returns the end of a list.
func tail[T any](list []T) []T { return list[max(len(list)-maxLines, 0):] }

// latest returns up to n finished games that keep accepts, latest first.
func latest(log *journal.Log, n int, keep func(*journal.End) bool) []*journal.End {
	later := func(a, b *journal.End) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Number, a.Number))
	}
	list := make([]*journal.End, 0, 2*n)
	for e := range log.All {
		if !keep(e) {
			continue
		}
		if list = append(list, e); len(list) == 2*n {
			slices.SortFunc(list, later)
			list = list[:n]
		}
	}
	slices.SortFunc(list, later)
	return list[:min(n, len(list))]
}
