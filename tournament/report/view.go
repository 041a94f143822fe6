package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

// A view is the data of the page's template: text, and coordinates of drawings.
type view struct {
	Title, Kind, Lead string
	Facts             []fact
	Setups            []viewSetup
	Tiles             []fact // of a match
	Pairs             []viewColumn
	Standings         []viewStanding // of more than two engines
	Notes             []string
	Matrices          []viewMatrix
	HasLLR            bool
	EffortHeads       []string
	Efforts           []viewEffort
	OpeningNote       string
	Grid              viewGrid
	Decisive          []viewOpening
	Openings          []viewOpening
	OpeningsCut       int // number of openings omitted
	Failures          []viewFailure
	FailuresCut       int
	FailureNote       string
	Warnings          []viewWarning
	GamesNote         string
}

// A fact is something about the tournament.
type fact struct{ Term, Text, Note string }

// A viewSetup describes how an engine was run.
type viewSetup struct {
	Color                                int // of its lines and dots
	Name, Command, Limits, Threads, Hash string
	Short                                string // of Hash
}

// A viewStanding is a row of the standings.
type viewStanding struct {
	Color                                     int
	Rank, Name, Elo, Margin                   string
	Bar                                       *viewBar // nil without a rating
	Games, Wins, Losses, Draws, Points, Score string
	Ptnml                                     []viewSegment
	PtnmlText                                 string
	Failures                                  int
}

// barWidth is the width of drawings in tables.
const barWidth = 200

// A viewBar is a rating with its error, from 0 to barWidth.
type viewBar struct{ Low, High, Value, Zero float64 }

// A viewSegment is a part of a stacked bar.
type viewSegment struct {
	X, Width float64
	Class    string
}

// A viewColumn is a kind of pairs.
type viewColumn struct {
	Class, Label, Share string
	Count               int
	Y, Height           float64 // at most columnHeight
}

// columnHeight is the height of the highest column.
const columnHeight = 120

// A viewMatrix is a table with a cell for every two engines.
type viewMatrix struct {
	Title, Note string
	Heads       []string
	Rows        []viewRow
}

type viewRow struct {
	Place, Color int
	Name         string
	Cells        []viewCell
}

// A viewCell has a heat from 0 to 10, or -1 for none.
type viewCell struct {
	Text string
	Heat int
}

// A viewEffort is what an engine used and reported, by column.
type viewEffort struct {
	Color int
	Name  string
	Cells []string
}

// A viewOpening is a row about an opening, and its small board.
type viewOpening struct {
	Line, Pairs, Black, White, Other int
	Split, Score, Bias, Moves        string
	Stones                           []viewStone
	Parts                            []viewSegment
}

// A viewFailure is a row about a game that an engine lost other than on the
// board.
type viewFailure struct {
	Number, Plies                                int
	Replay                                       bool // the page has the game
	Color                                        int
	Engine, Opponent, Reason, Detail, Transcript string
}

type viewWarning struct {
	Engine, Text string
	Number       int
}

// Limits of long tables.
const (
	mostOpenings = 500
	mostFailures = 500
	mostDecided  = 12
)

// colors is the number of engine colors on the page; more engines share them.
const colors = 8

func colorOf(engine int) int { return engine % colors }

func newView(log *journal.Log, t *Tally, s *Standings, d *pageData) *view {
	v := &view{Kind: "Match", HasLLR: t.Config.SPRT != nil, Grid: newGrid(t.Config.Width, t.Config.Height)}
	v.title(t)
	v.facts(log, t, d.hide)
	for i := range t.Config.Engines {
		v.Setups = append(v.Setups, newViewSetup(log, i, d.hide))
	}
	if len(t.Engines) == 2 {
		v.match(t, d.test)
	} else {
		v.standings(t, s)
	}
	for _, c := range engineColumns {
		v.EffortHeads = append(v.EffortHeads, c.page)
	}
	for i := range t.Engines {
		v.Efforts = append(v.Efforts, newViewEffort(&t.Engines[i], i))
	}
	v.openings(t)
	v.failures(log, t, d)
	v.GamesNote = plural(len(d.Games), "game") + " can be replayed here."
	if n := t.Games - len(d.Games); n > 0 {
		v.GamesNote = fmt.Sprintf("%d of %d games can be replayed here: those with failures, and the latest others. The log has all of them.", len(d.Games), t.Games)
	}
	return v
}

// title names the tournament by its engines.
func (v *view) title(t *Tally) {
	var names []string
	for i := range t.Engines {
		names = append(names, t.Engines[i].Name)
	}
	if len(names) == 2 {
		v.Title = names[0] + " vs " + names[1]
		return
	}
	v.Kind = "Round robin"
	if t.Config.Format == config.Gauntlet {
		v.Kind = "Gauntlet"
	}
	const most = 5
	if n := len(names) - most; n > 1 {
		names = append(names[:most], fmt.Sprintf("%d others", n))
	}
	last := len(names) - 1
	v.Title = strings.Join(names[:last], ", ") + " and " + names[last]
}

// facts lists what was played.
func (v *view) facts(log *journal.Log, t *Tally, hide func(string) string) {
	c := &t.Config
	add := func(term, text string) {
		if text != "" {
			v.Facts = append(v.Facts, fact{Term: term, Text: text})
		}
	}
	games := strconv.Itoa(t.Games)
	if t.Total > 0 {
		games += fmt.Sprintf(" of %d", t.Total)
	}
	add("Games", games)
	if t.Running > 0 {
		add("Running", strconv.Itoa(t.Running))
	}
	rule := fmt.Sprintf("%s (%d)", c.Rule, c.Rule.Code())
	if c.Swap2 {
		rule += ", swap2"
	}
	add("Rule", rule)
	add("Board", fmt.Sprintf("%d × %d", c.Width, c.Height))
	var all []int
	for i := range c.Engines {
		all = append(all, i)
	}
	add("Time control", different(c, all, "limits", Limits))
	add("Openings", hide(bookFact(log)))
	add("Seed", strconv.FormatUint(c.Seed, 10))
	add("At a time", plural(c.Concurrency, "game"))
	host := fmt.Sprintf("%s/%s, %d CPUs", log.Run.Host.OS, log.Run.Host.Arch, log.Run.Host.CPUs)
	if log.Run.Host.Model != "" {
		host += ", " + log.Run.Host.Model
	}
	add("Host", host)
	add("Begun", clock(log.Run.At))
	add("Last game", clock(lastEnd(log)))
	add("Program", short(log.Hash.Program))
	add("Log", log.Run.ID)
	if t.Voids > 0 {
		add("Void", plural(t.Voids, "game")+", to be played again")
	}
	if n := len(log.Resumes); n > 0 {
		add("Resumed", plural(n, "time"))
	}
	if log.Verdict != nil {
		add("Ended", hide(log.Verdict.Why))
	}
}

// bookFact names the book.
func bookFact(log *journal.Log) string {
	o := &log.Config.Openings
	if o.File == "" {
		return "none"
	}
	text := fmt.Sprintf("%s, %d", o.File, log.Run.Openings)
	if o.Random {
		text += ", shuffled"
	}
	if o.Transform != config.TransformNone {
		text += fmt.Sprintf(", %s symmetries", o.Transform)
	}
	return text
}

// clock formats a time for people.
func clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2 January 2006, 15:04 MST")
}

// lastEnd returns when the last game ended.
func lastEnd(log *journal.Log) (last time.Time) {
	for e := range games(log) {
		if e.At.After(last) {
			last = e.At
		}
	}
	return last
}

func newViewSetup(log *journal.Log, i int, hide func(string) string) viewSetup {
	e := &log.Config.Engines[i]
	s := viewSetup{Color: colorOf(i), Name: e.Name, Command: hide(CommandLine(e.Args)), Limits: Limits(e), Threads: "its own choice"}
	if e.Threads > 0 {
		s.Threads = strconv.Itoa(e.Threads)
	}
	if i < len(log.Hash.Engines) {
		s.Hash, s.Short = log.Hash.Engines[i], short(log.Hash.Engines[i])
	}
	return s
}

// plural formats a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// minus replaces hyphens by minus signs.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
