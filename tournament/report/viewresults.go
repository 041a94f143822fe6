package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kumiko/tournament/stats"
)

// match fills in the match of two engines, and their test unless it is nil.
func (v *view) match(t *Tally, s *SPRT) {
	m := t.Match(0, 1)
	gs, items := m.Games(), m.Items()
	elo, nElo := items.Elo(), items.NElo()
	first := share(m.FirstMover())
	name := t.Engines[0].Name
	v.Lead = fmt.Sprintf("All numbers are from the point of view of %s, the engine named first.", name)
	pairs, split := m.Pairs()
	v.Tiles = []fact{
		{"Elo", minus(stats.Signed(elo.Value, 1)), interval(elo)},
		{"Won, drawn, lost", fmt.Sprintf("%d – %d – %d", gs[2], gs[1], gs[0]), fmt.Sprintf("%s of the points", stats.Percent(share(gs), 2))},
		{"Likelihood of superiority", stats.Percent(items.LOS(), 2), "that it is better at all"},
		{"Normalized Elo", minus(stats.Signed(nElo.Value, 1)), interval(nElo)},
		{"First mover", stats.Percent(first, 1), fmt.Sprintf("of the points, %s Elo", minus(stats.Signed(stats.EloOf(first), 0)))},
		{"Pairs", strconv.Itoa(pairs.N()), fmt.Sprintf("%d split, %d drawn twice, %s unpaired", split, pairs[2]-split, plural(m.Lone().N(), "game"))},
	}
	for c, word := range [2]string{"With black: won, drawn, lost", "With white: won, drawn, lost"} {
		n := m.Colors[c]
		v.Tiles = append(v.Tiles, fact{word, fmt.Sprintf("%d – %d – %d", n[2], n[1], n[0]), stats.Percent(share(n), 1) + " of the points"})
	}
	if s != nil {
		v.Tiles = append([]fact{sprtTile(s)}, v.Tiles...)
		if s.After() > 0 {
			v.Notes = append(v.Notes, fmt.Sprintf("The test stopped at pair %d; %d games were over after that, which it does not count. Elo counts them, and is biased by the stop.", s.Deciding+1, s.After()))
		}
	}
	v.Pairs = newColumns(pairs, split)
	if gs.N() > 0 {
		v.Notes = append(v.Notes, warningTexts(t, items.Warnings())...)
	}
}

// interval formats the error of an estimate.
func interval(e stats.Estimate) string {
	if math.IsNaN(e.Low) {
		return "no error can be estimated"
	}
	return fmt.Sprintf("± %s, from %s to %s", stats.Number(e.Margin(), 1), minus(stats.Number(e.Low, 1)), minus(stats.Number(e.High, 1)))
}

func sprtTile(s *SPRT) fact {
	state := s.Verdict.String()
	if s.Verdict != stats.Undecided {
		state += " accepted"
	}
	lower, upper := s.Test.Bounds()
	note := fmt.Sprintf("LLR %s of %s to %s, after %s", minus(stats.Number(s.LLR, 2)), minus(stats.Number(lower, 2)), stats.Number(upper, 2), plural(s.Pairs.N(), "pair"))
	if n := s.Ahead(); n > 0 {
		note += fmt.Sprintf(" (%d ahead)", n)
	}
	return fact{"SPRT " + minus(s.Test.String()), state, note}
}

// columnLabels are the points an engine scores in a pair.
var columnLabels = [5]string{"0", "½", "1", "1½", "2"}

// newColumns returns the columns of a chart of pairs.
func newColumns(pairs stats.Counts, split int) []viewColumn {
	n, most := pairs.N(), 0
	for _, k := range pairs {
		most = max(most, k)
	}
	if n == 0 {
		return nil
	}
	list := make([]viewColumn, len(pairs))
	for i, k := range pairs {
		height := float64(k) / float64(most) * columnHeight
		list[i] = viewColumn{Class: "p" + strconv.Itoa(i), Label: columnLabels[i], Share: stats.Percent(float64(k)/float64(n), 1),
			Count: k, Y: columnHeight - height, Height: height}
	}
	return list
}

// standings fills in the ratings of more than two engines.
func (v *view) standings(t *Tally, s *Standings) {
	low, high := 0.0, 0.0
	for _, row := range s.Rows {
		if row.Rank > 0 {
			low, high = min(low, row.Elo-drawn(row.Margin)), max(high, row.Elo+drawn(row.Margin))
		}
	}
	at := func(elo float64) float64 { // leaves a margin for dots
		return math.Round(10*(6+(barWidth-12)*(elo-low)/max(high-low, 1))) / 10
	}
	for _, row := range s.Rows {
		e := &t.Engines[row.Engine]
		r := viewStanding{
			Color: colorOf(row.Engine), Rank: "–", Name: e.Name, Elo: "–", Margin: "–",
			Games: strconv.Itoa(e.Games.N()), Wins: strconv.Itoa(e.Games[2]), Losses: strconv.Itoa(e.Games[0]), Draws: strconv.Itoa(e.Games[1]),
			Points: stats.Number(e.Points(), 1), Score: stats.Percent(share(e.Games), 1),
			Ptnml: segments(e.Pairs, e.Split), PtnmlText: e.Pairs.String(), Failures: e.Failures.Total(),
		}
		if row.Rank > 0 {
			r.Rank, r.Elo, r.Margin = strconv.Itoa(row.Rank), minus(stats.Number(row.Elo, 1)), stats.Number(row.Margin, 1)
			r.Bar = &viewBar{at(row.Elo - drawn(row.Margin)), at(row.Elo + drawn(row.Margin)), at(row.Elo), at(0)}
		}
		v.Standings = append(v.Standings, r)
	}
	v.Lead = strings.Replace(ratingNote(s), "+/-", "±", 1) + "."
	for _, g := range s.Groups {
		if !math.IsNaN(g.FirstMove) {
			v.Notes = append(v.Notes, fmt.Sprintf("The first move is worth %s ± %s Elo.", minus(stats.Signed(g.FirstMove, 1)), stats.Number(g.FirstMoveMargin, 1)))
		}
	}
	v.Notes = append(v.Notes, standingNotes(t, s)...)
	v.Notes = append(v.Notes, warningTexts(t, s.Warnings)...)
	if t.Games > 0 {
		v.Matrices = []viewMatrix{crosstable(t, s), losMatrix(t, s)}
	}
}

// drawn returns the margin to draw, or none if it cannot be estimated.
func drawn(margin float64) float64 {
	if math.IsNaN(margin) || math.IsInf(margin, 0) {
		return 0
	}
	return margin
}

// segments returns the parts of a bar of pairs. Those with one point are split
// into a win and a loss, and two draws.
func segments(pairs stats.Counts, split int) (list []viewSegment) {
	n := pairs.N()
	if n == 0 {
		return nil
	}
	x := 0.0
	for _, part := range []struct {
		class string
		n     int
	}{{"p0", pairs[0]}, {"p1", pairs[1]}, {"p2", split}, {"p2 drawn", pairs[2] - split}, {"p3", pairs[3]}, {"p4", pairs[4]}} {
		width := float64(part.n) / float64(n) * barWidth
		if part.n > 0 {
			list = append(list, viewSegment{math.Round(10*x) / 10, math.Round(10*width) / 10, part.class})
		}
		x += width
	}
	return list
}

func crosstable(t *Tally, s *Standings) viewMatrix {
	return newMatrix("Against each other", "points of games, of the engine of the row", t, s, func(a, b int) viewCell {
		games := t.Match(a, b).Games()
		if games.N() == 0 {
			return viewCell{"", -1}
		}
		return viewCell{fmt.Sprintf("%s/%d", strconv.FormatFloat(points(games), 'f', -1, 64), games.N()), heat(share(games))}
	})
}

func losMatrix(t *Tally, s *Standings) viewMatrix {
	return newMatrix("Likelihood of superiority", "in percent, of the engine of the row", t, s, func(a, b int) viewCell {
		los := s.LOS(a, b)
		if math.IsNaN(los) {
			return viewCell{"n/a", -1}
		}
		return viewCell{stats.Number(100*los, 1), heat(los)}
	})
}

// heat maps a share to a heat from 0 to 10.
func heat(share float64) int { return int(math.Round(10 * share)) }

func newMatrix(title, note string, t *Tally, s *Standings, cell func(a, b int) viewCell) viewMatrix {
	m := viewMatrix{Title: title, Note: note}
	for i, row := range s.Rows {
		m.Heads = append(m.Heads, strconv.Itoa(i+1))
		r := viewRow{Place: i + 1, Color: colorOf(row.Engine), Name: t.Engines[row.Engine].Name}
		for j, column := range s.Rows {
			if i == j {
				r.Cells = append(r.Cells, viewCell{"·", -1})
				continue
			}
			r.Cells = append(r.Cells, cell(row.Engine, column.Engine))
		}
		m.Rows = append(m.Rows, r)
	}
	return m
}
