package report

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
	"kumiko/tournament/telemetry"
)

// The lines below match c-gomoku-cli's exactly, without line ends, since
// scripts parse them. It prefixes the first two with the number of the worker,
// as in "[1] ". Of two engines that play a game, black is named first; of those
// that have a score, the one with the lower number.

// StartedLine announces a game.
func StartedLine(c *config.Config, g *journal.Game, total int) string {
	return fmt.Sprintf("Started game %d of %d (%s vs %s)", g.Number, total, name(c, g.Black), name(c, g.White))
}

// FinishedLine reports the end of a game.
func FinishedLine(c *config.Config, e *journal.End) string {
	return fmt.Sprintf("Finished game %d (%s vs %s): %s {%s}", e.Number, name(c, e.Black), name(c, e.White), e.Result, telemetry.Printable(e.Text))
}

// ScoreLine gives the games A won, lost and drew against B, in the order of
// c-gomoku-cli.
func ScoreLine(c *config.Config, m *Match) string { return "Score of " + ResultsLine(c, m) }

// ResultsLine is ScoreLine without its first words.
func ResultsLine(c *config.Config, m *Match) string {
	games := m.Games()
	return fmt.Sprintf("%s vs %s: %d - %d - %d  [%.3f] %d", name(c, m.A), name(c, m.B),
		games[2], games[0], games[1], share(games), games.N())
}

// SPRTLine reports the state of a test.
func SPRTLine(s *stats.Sequence) string {
	lower, upper := s.Test.Bounds()
	line := fmt.Sprintf("SPRT: LLR = %.3f [%.3f,%.3f]", s.LLR, lower, upper)
	if s.Verdict != stats.Undecided {
		line += fmt.Sprintf(". %v accepted.", s.Verdict)
	}
	return line
}

// name returns an engine's name, safe to print.
func name(c *config.Config, engine int) string { return telemetry.Printable(c.Engines[engine].Name) }

// conditions returns the conditions of play as fastchess prints them: the rule,
// the board, limits and threads, the book and the seed.
func conditions(c *config.Config, engines ...int) string {
	rule := "rule " + strconv.Itoa(c.Rule.Code())
	if c.Swap2 {
		rule += " swap2"
	}
	list := []string{rule, c.Size(), different(c, engines, "limits", Limits)}
	if threads := different(c, engines, "threads", threads); threads != unknownThreads {
		list = append(list, threads)
	}
	book := "no book"
	if c.Openings.File != "" {
		book = telemetry.Printable(path.Base(strings.ReplaceAll(c.Openings.File, `\`, "/")))
	}
	return strings.Join(append(list, book, fmt.Sprintf("seed %d", c.Seed)), ", ")
}

// different joins a property of engines, or gives it once if all share it.
func different(c *config.Config, engines []int, what string, of func(e *config.Engine) string) string {
	var list []string
	for _, i := range engines {
		list = append(list, of(&c.Engines[i]))
	}
	switch {
	case len(slices.Compact(slices.Clone(list))) == 1:
		return list[0]
	case len(list) > 2:
		return "different " + what
	}
	return strings.Join(list, " vs ")
}

// Limits returns the limits of an engine's search.
func Limits(e *config.Engine) string {
	var list []string
	if e.TC != (config.TC{}) {
		list = append(list, e.TC.String())
	}
	if e.Depth > 0 {
		list = append(list, fmt.Sprintf("depth %d", e.Depth))
	}
	if e.Nodes > 0 {
		list = append(list, fmt.Sprintf("%d nodes", e.Nodes))
	}
	return strings.Join(list, " ")
}

// unknownThreads means that the engine chooses.
const unknownThreads = "?t"

// threads returns the number of threads that an engine is set to use.
func threads(e *config.Engine) string {
	if e.Threads == 0 {
		return unknownThreads
	}
	return fmt.Sprintf("%dt", e.Threads)
}
