package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
	"kumiko/tournament/telemetry"
)

// WriteText writes a report as text.
func WriteText(w io.Writer, log *journal.Log, o Options) error {
	t := NewTally(log)
	s, err := StandingsOf(t, o)
	if err != nil {
		return err
	}
	parts := []func(io.Writer) error{
		func(w io.Writer) error { return writeHeader(w, log, t) },
		func(w io.Writer) error { return WriteSummary(w, log, t, s) },
	}
	if len(t.Engines) > 2 && t.Games > 0 {
		parts = append(parts,
			func(w io.Writer) error { return writeCrosstable(w, t, s) },
			func(w io.Writer) error { return writeLOS(w, t, s) })
	}
	if t.Games > 0 {
		parts = append(parts,
			func(w io.Writer) error { return writeEngines(w, t) },
			func(w io.Writer) error { return writeDecisive(w, t) },
			func(w io.Writer) error { return writeFailures(w, t) })
	}
	for i, write := range parts {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// WriteSummary writes the essentials: the match of two engines, or the
// standings of more.
func WriteSummary(w io.Writer, log *journal.Log, t *Tally, s *Standings) error {
	if len(t.Engines) > 2 {
		return writeStandings(w, t, s)
	}
	if t.Config.SPRT == nil {
		return writeMatch(w, t, t.Match(0, 1), nil)
	}
	return writeMatch(w, t, t.Match(0, 1), SPRTState(log, *t.Config.SPRT))
}

// writeHeader writes what was played, where and when.
func writeHeader(w io.Writer, log *journal.Log, t *Tally) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Tournament %s, begun %s: %d", telemetry.Printable(log.Run.ID), log.Run.At.UTC().Format("2006-01-02 15:04 MST"), t.Games)
	if t.Total > 0 {
		fmt.Fprintf(&b, " of %d", t.Total)
	}
	b.WriteString(" games")
	for _, v := range []struct {
		n    int
		what string
	}{{t.Running, "running"}, {t.Voids, "void"}, {len(log.Resumes), "resumed"}} {
		if v.n > 0 {
			fmt.Fprintf(&b, ", %d %s", v.n, v.what)
		}
	}
	h := log.Run.Host
	fmt.Fprintf(&b, "\nHost: %s/%s, %d CPUs", telemetry.Printable(h.OS), telemetry.Printable(h.Arch), h.CPUs)
	if h.Model != "" {
		b.WriteString(", " + telemetry.Printable(h.Model))
	}
	b.WriteString("\n")
	if log.Verdict != nil {
		fmt.Fprintf(&b, "Ended: %s\n", telemetry.Printable(log.Verdict.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeMatch writes the result of a match as fastchess does, and the state of a
// test unless it is nil.
func writeMatch(w io.Writer, t *Tally, m *Match, test *SPRT) error {
	var b strings.Builder
	c := &t.Config
	games, items := m.Games(), m.Items()
	elo, nElo := items.Elo(), items.NElo()
	fmt.Fprintf(&b, "Results of %s vs %s (%s):\n", name(c, m.A), name(c, m.B), conditions(c, m.A, m.B))
	fmt.Fprintf(&b, "Elo: %s %s, nElo: %s\n", elo.Text(1), elo.Interval(1), nElo.Text(1))
	first := share(m.FirstMover())
	fmt.Fprintf(&b, "LOS: %s, DrawRatio: %s (games), First mover: %s (%s Elo)\n", stats.Percent(items.LOS(), 2),
		stats.Percent(games.DrawRatio(), 1), stats.Percent(first, 1), stats.Signed(stats.EloOf(first), 0))
	f := &m.Failures
	fmt.Fprintf(&b, "Games: %d, Wins: %d, Draws: %d, Losses: %d, Points: %.1f (%s), time-losses %d/%d, crashes %d/%d",
		games.N(), games[2], games[1], games[0], points(games), stats.Percent(share(games), 2),
		f[0].TimeLosses(), f[1].TimeLosses(), f[0].Crashes(), f[1].Crashes())
	if n, k := f[0].Others(), f[1].Others(); n+k > 0 {
		fmt.Fprintf(&b, ", other failures %d/%d", n, k)
	}
	pairs, split := m.Pairs()
	_, variance := pairs.Score()
	fmt.Fprintf(&b, "\nPtnml(0-2): %s, WL/DD: %s, PairsRatio: %s, Variance: %s, unpaired: %d\n", pairs,
		stats.Number(pairs.WLDDRatio(split), 2), stats.Number(pairs.PairsRatio(), 2), stats.Number(variance, 4), m.Lone().N())
	fmt.Fprintf(&b, "%s with black: %s, with white: %s\n", name(c, m.A), colorScore(m.Colors[board.Black]), colorScore(m.Colors[board.White]))
	if test != nil {
		writeTest(&b, test)
	}
	if games.N() > 0 {
		writeWarnings(&b, t, items.Warnings())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// colorScore formats won, drawn and lost games, and the score.
func colorScore(games stats.Counts) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost (%s)", games[2], games[1], games[0], stats.Percent(share(games), 1))
}

// writeTest writes the state of a test as fastchess does.
func writeTest(b *strings.Builder, s *SPRT) {
	fmt.Fprintf(b, "%s, pairs %d", s.Test.Describe(s.LLR), s.Pairs.N())
	if n := s.Ahead(); n > 0 {
		fmt.Fprintf(b, " (%d ahead)", n)
	}
	b.WriteString("\n")
	switch {
	case s.Verdict != stats.Undecided:
		fmt.Fprintf(b, "SPRT ([%.2f, %.2f]) completed - %v was accepted\n", s.Test.Elo0, s.Test.Elo1, s.Verdict)
		b.WriteString("Elo is biased by the stop")
		if n := s.After(); n > 0 {
			fmt.Fprintf(b, "; later games, not counted: %d", n)
		}
		b.WriteString("\n")
	case s.AtLimit:
		fmt.Fprintf(b, "SPRT ([%.2f, %.2f]) not decided in all its pairs\n", s.Test.Elo0, s.Test.Elo1)
	}
}

// writeWarnings writes warnings, one per line.
func writeWarnings(b *strings.Builder, t *Tally, warnings []error) {
	for _, text := range warningTexts(t, warnings) {
		fmt.Fprintf(b, "Warning: %s\n", text)
	}
}

// warningTexts returns warnings with the names of engines, merging equal ones,
// and one about repeated games.
func warningTexts(t *Tally, warnings []error) (list []string) {
	if t.Repeats > 0 {
		list = append(list, fmt.Sprintf("%d of %d games repeat an earlier one move by move, so that errors are larger than they look: openings make games differ", t.Repeats, t.Games))
	}
	var uniform []string
	for _, w := range warnings {
		if u, ok := w.(*stats.UniformError); ok {
			uniform = append(uniform, name(&t.Config, u.Engine))
			continue
		}
		list = append(list, stats.WarningText(w))
	}
	if uniform != nil {
		list = append(list, "always the same outcome, so that no error can be estimated: "+strings.Join(uniform, ", "))
	}
	return list
}

// writeStandings writes the ratings of all engines.
func writeStandings(w io.Writer, t *Tally, s *Standings) error {
	var b strings.Builder
	c := &t.Config
	all := make([]int, len(t.Engines))
	for i := range all {
		all[i] = i
	}
	fmt.Fprintf(&b, "Standings (%s):\n", conditions(c, all...))
	tab := newTable("Rank", "<Name", "Elo", "+/-", "Games", "Won", "Drawn", "Lost", "Points", "Score", "<Ptnml(0-2)", "Fails")
	for _, row := range s.Rows {
		e := &t.Engines[row.Engine]
		rank, elo, margin := "-", "-", "-"
		if row.Rank > 0 {
			rank, elo, margin = strconv.Itoa(row.Rank), stats.Number(row.Elo, 1), stats.Number(row.Margin, 1)
		}
		tab.row(rank, name(c, row.Engine), elo, margin, strconv.Itoa(e.Games.N()), strconv.Itoa(e.Games[2]), strconv.Itoa(e.Games[1]),
			strconv.Itoa(e.Games[0]), stats.Number(e.Points(), 1), stats.Percent(share(e.Games), 1), e.Pairs.String(), strconv.Itoa(e.Failures.Total()))
	}
	b.WriteString(tab.String())
	b.WriteString(ratingNote(s) + "\n")
	for _, g := range s.Groups {
		if !math.IsNaN(g.FirstMove) {
			fmt.Fprintf(&b, "First move: %s +/- %s Elo\n", stats.Signed(g.FirstMove, 1), stats.Number(g.FirstMoveMargin, 1))
		}
	}
	for _, text := range standingNotes(t, s) {
		b.WriteString(text + "\n")
	}
	writeWarnings(&b, t, s.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

// ratingNote explains ratings and errors.
func ratingNote(s *Standings) string {
	model, errs := "logistic model", "errors clustered by pair"
	switch s.Options.Errors {
	case stats.Hessian:
		errs = "errors of independent games"
	case stats.Bootstrap:
		errs = "errors by bootstrap of pairs"
	}
	if s.Options.Model == BayesElo {
		model, errs = "BayesElo as Gomocup uses it", "errors of independent games"
	}
	against := "the mean"
	switch n := len(s.Options.Anchors); {
	case n == 1:
		against = "the anchor"
	case n > 1:
		against = "the anchors"
	}
	return fmt.Sprintf("+/- is 95 %% against %s; %s, %s, prior of %g draws for each engine", against, model, errs, s.Options.prior())
}

// names joins the names of some engines.
func names(t *Tally, engines []int) string {
	var list []string
	for _, i := range engines {
		list = append(list, name(&t.Config, i))
	}
	return strings.Join(list, ", ")
}

// standingNotes returns notes on engines that cannot be compared with others.
func standingNotes(t *Tally, s *Standings) (list []string) {
	if len(s.Groups) > 1 {
		var groups []string
		for _, g := range s.Groups {
			groups = append(groups, names(t, g.Engines))
		}
		list = append(list, "No games connect these groups, whose ratings cannot be compared: "+strings.Join(groups, "; "))
	}
	for i := range t.Engines {
		if _, anchored := s.Options.Anchors[i]; !anchored {
			continue
		}
		if g, _ := s.group(i); g == nil {
			list = append(list, fmt.Sprintf("The anchor %s has no rating: no games connect it with an engine that is rated", name(&t.Config, i)))
		}
	}
	if len(s.Options.Anchors) > 0 {
		for _, g := range s.Groups {
			if len(s.Options.anchorsOf(g.Engines)) == 0 {
				list = append(list, "No anchor is among "+names(t, g.Engines)+": their mean is 0, and errors are against it")
			}
		}
	}
	for _, row := range s.Rows {
		if d := t.Engines[row.Engine].Disqualified; d != nil {
			list = append(list, fmt.Sprintf("%s is disqualified (%s): its games do not count", name(&t.Config, row.Engine), telemetry.Printable(d.Why)))
		}
	}
	return list
}

// writeCrosstable writes the points of all engines against each other.
func writeCrosstable(w io.Writer, t *Tally, s *Standings) error {
	return writeMatrix(w, "Points of games against each other:\n", t, s, func(a, b int) string {
		games := t.Match(a, b).Games()
		if games.N() == 0 {
			return ""
		}
		return fmt.Sprintf("%s/%d", strconv.FormatFloat(points(games), 'f', -1, 64), games.N())
	})
}

// writeLOS writes, for every two engines, the likelihood that one is better
// than the other.
func writeLOS(w io.Writer, t *Tally, s *Standings) error {
	return writeMatrix(w, "Likelihood that the engine of the row is better, in %:\n", t, s, func(a, b int) string {
		return stats.Number(100*s.LOS(a, b), 1)
	})
}

// writeMatrix writes a table with a cell for every two engines.
func writeMatrix(w io.Writer, title string, t *Tally, s *Standings, cell func(a, b int) string) error {
	heads := []string{"", "<Name"}
	for i := range s.Rows {
		heads = append(heads, strconv.Itoa(i+1))
	}
	tab := newTable(heads...)
	for i, row := range s.Rows {
		cells := []string{strconv.Itoa(i + 1), name(&t.Config, row.Engine)}
		for j, column := range s.Rows {
			text := "-"
			if i != j {
				text = cell(row.Engine, column.Engine)
			}
			cells = append(cells, text)
		}
		tab.row(cells...)
	}
	_, err := io.WriteString(w, title+tab.String())
	return err
}

// writeEngines writes what the engines used and reported, and their failures.
func writeEngines(w io.Writer, t *Tally) error {
	row := func(name string, cell func(c *engineColumn) string) []string {
		cells := []string{name}
		for i := range engineColumns {
			if c := &engineColumns[i]; c.text != "" {
				cells = append(cells, cell(c))
			}
		}
		return cells
	}
	tab := newTable(row("<Engine", func(c *engineColumn) string { return c.text })...)
	for i := range t.Engines {
		tab.row(row(name(&t.Config, i), func(c *engineColumn) string { return c.value(&t.Engines[i]) })...)
	}
	_, err := io.WriteString(w, tab.String())
	return err
}

// WriteOpeningTable writes the results of each opening.
func WriteOpeningTable(w io.Writer, t *Tally) error {
	return writeOpenings(w, t, t.Openings)
}

// decisive is the number of openings in a summary.
const decisive = 10

// writeDecisive writes the most decisive openings.
func writeDecisive(w io.Writer, t *Tally) error {
	if _, err := io.WriteString(w, openingNote(t)+"\n"); err != nil {
		return err
	}
	list := mostDecisive(t.Openings)
	if len(list) > decisive {
		list = list[:decisive]
	}
	return writeOpenings(w, t, list)
}

// openingNote summarizes how often openings decide.
func openingNote(t *Tally) string {
	var pairs, black, white int
	for _, o := range t.Openings {
		pairs, black, white = pairs+o.Pairs, black+o.Black, white+o.White
	}
	return fmt.Sprintf("Openings: %d, of %d pairs %d won by black twice, %d by white twice (%s)", len(t.Openings), pairs,
		black, white, stats.Percent(float64(black+white)/float64(pairs), 1))
}

// mostDecisive sorts openings by the number of pairs that they decided.
func mostDecisive(list []Opening) []Opening {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Opening) int { return cmp.Compare(b.Black+b.White, a.Black+a.White) })
	return list
}

func writeOpenings(w io.Writer, t *Tally, list []Opening) error {
	tab := newTable("Line", "Pairs", "Split", "Black+2", "White+2", "Black", "Bias", "<Opening")
	for _, o := range list {
		tab.row(strconv.Itoa(o.Line), strconv.Itoa(o.Pairs), stats.Percent(o.Split(), 0), strconv.Itoa(o.Black), strconv.Itoa(o.White),
			stats.Percent(o.Score(), 1), stats.Signed(o.Bias(), 0), notation.FormatPosition(o.Moves, t.Config.Height, notation.FromTop))
	}
	_, err := io.WriteString(w, tab.String())
	return err
}

// writeFailures writes the games that engines lost other than on the board.
func writeFailures(w io.Writer, t *Tally) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Failures: %d in %d games\n", len(t.Failures), t.Games)
	for _, f := range t.Failures {
		fmt.Fprintf(&b, "Game %d: %s, %s after %d stones against %s", f.Number, name(&t.Config, f.Engine), telemetry.Printable(string(f.Reason)),
			f.Plies, name(&t.Config, f.Opponent))
		if f.Detail != "" {
			b.WriteString(": " + telemetry.Printable(f.Detail))
		}
		if f.Transcript != "" {
			b.WriteString(" (" + telemetry.Printable(f.Transcript) + ")")
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
