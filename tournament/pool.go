package tournament

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kumiko/engine/notation"
	"kumiko/tournament/journal"
	"kumiko/tournament/outfile"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
	"kumiko/tournament/telemetry"
)

// A pool holds the engines and results from several files.
type pool struct {
	players []player
	results []stats.Pairing   // of players
	logs    map[string]string // paths of tournaments, by canonical name
	games   map[string]string // the first log of each rule and size
	files   []os.FileInfo
	notes   []string // to show with the numbers
}

// A player is an engine of the pool. Two with the same name are the same if
// nothing is known about them, or the same things.
type player struct {
	name string
	build
	file string // the first file it appears in
}

// A build is what a log records about an engine besides its name; PGN files and
// score lists record nothing.
type build struct {
	program string // its hash
	limits  string
	others  string // threads, arguments and INFO lines
}

func newPool() *pool { return &pool{logs: make(map[string]string), games: make(map[string]string)} }

// player returns the index of an engine.
func (p *pool) player(name string, b build, file string) int {
	i := slices.IndexFunc(p.players, func(q player) bool { return q.name == name && q.build == b })
	if i < 0 {
		i = len(p.players)
		p.players = append(p.players, player{name, b, file})
	}
	return i
}

// add adds results among the engines with these indices.
func (p *pool) add(players []int, results []stats.Pairing) {
	for _, r := range results {
		r.I, r.J = players[r.I], players[r.J]
		p.results = append(p.results, r)
	}
}

// note adds a note about a file.
func (p *pool) note(file, format string, args ...any) {
	p.notes = append(p.notes, file+": "+fmt.Sprintf(format, args...))
}

// read adds the results in a file.
func (p *pool) read(file string, games int) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(p.files, func(f os.FileInfo) bool { return os.SameFile(f, info) }) {
		return fmt.Errorf("%s is given twice", file)
	}
	p.files = append(p.files, info)
	if info.IsDir() || filepath.Ext(file) == filepath.Ext(journal.FileName) {
		return p.readLog(file)
	}
	text, err := outfile.Read(file)
	if err != nil {
		return err
	}
	if isPGN(file, text) {
		err = p.readPGN(file, text)
	} else {
		err = p.readScores(file, text, games)
	}
	if err != nil {
		return fmt.Errorf("%s: %s", file, stats.WarningText(err))
	}
	return nil
}

// firstTag matches the beginning of a PGN file, perhaps after comments.
var firstTag = regexp.MustCompile(`^(?:\s|;[^\r\n]*|%[^\r\n]*|\{[^}]*\})*\[\s*\w+\s*"`)

// isPGN reports whether a file is PGN rather than a score list.
func isPGN(file string, text []byte) bool {
	if strings.EqualFold(filepath.Ext(file), ".pgn") {
		return true
	}
	return bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF")) ||
		firstTag.Match(bytes.TrimPrefix(text, []byte("\uFEFF")))
}

// readLog adds the results of a tournament.
func (p *pool) readLog(path string) error {
	log, err := journal.Read(path)
	if err != nil {
		return err
	}
	if first, ok := p.logs[log.Run.ID]; ok {
		return fmt.Errorf("%s and %s are the same tournament", first, path)
	}
	p.logs[log.Run.ID] = path
	game := log.Config.Rule.String() + " " + log.Config.Size()
	if _, ok := p.games[game]; !ok {
		p.games[game] = path
	}
	if len(p.games) > 1 && p.games[game] == path {
		p.note(path, "another rule or size than in the files before: %s", game)
	}
	var players []int
	for i := range log.Config.Engines {
		players = append(players, p.player(log.Config.Engines[i].Name, buildOf(log, i), path))
		if log.Disqualified[i] != nil {
			p.note(path, "%s is disqualified: its games do not count", log.Config.Engines[i].Name)
		}
	}
	var results []stats.Pairing
	t := report.NewTally(log)
	if t.Repeats > 0 {
		p.note(path, "%d of %d games repeat an earlier one move by move", t.Repeats, t.Games)
	}
	for _, m := range t.Matches() {
		if log.Disqualified[m.A] == nil && log.Disqualified[m.B] == nil {
			results = append(results, m.Results)
		}
	}
	p.add(players, results)
	return nil
}

// buildOf returns the build of an engine in a log.
func buildOf(log *journal.Log, i int) build {
	e := &log.Config.Engines[i]
	b := build{limits: report.Limits(e)}
	if i < len(log.Hash.Engines) {
		b.program = log.Hash.Engines[i]
	}
	var others []string
	if e.Threads > 0 {
		others = append(others, fmt.Sprintf("%d threads", e.Threads))
	}
	if e.MemorySet {
		others = append(others, fmt.Sprintf("%d bytes", e.Memory))
	}
	if len(e.Args) > 1 {
		others = append(others, report.CommandLine(e.Args[1:]))
	}
	for _, key := range slices.Sorted(maps.Keys(e.Info)) {
		others = append(others, key+" "+e.Info[key])
	}
	b.others = strings.Join(others, ", ")
	return b
}

// describe describes the build in few words.
func (b build) describe() string {
	if b == (build{}) {
		return "nothing is known of it"
	}
	words := []string{"program " + b.program[:min(len(b.program), 12)], b.limits}
	if b.program == "" {
		words[0] = "unknown program"
	}
	if b.limits == "" {
		words[1] = "no limits"
	}
	if b.others != "" {
		words = append(words, b.others)
	}
	return strings.Join(words, ", ")
}

// blackFirst reports whether Black moves first in a game that ended this way:
// it does in games written by c-gomoku-cli and the command export, but not in
// others. If the ending names a winner, the result settles it. Files of our
// version 1 have such endings but the colors of chess.
func blackFirst(g notation.PGNGame, otherwise bool) bool {
	words := g.Tags["Termination"]
	switch {
	case strings.HasPrefix(words, "Black win "):
		return g.Result == "0-1"
	case strings.HasPrefix(words, "White win "), strings.HasPrefix(words, "Black play forbidden move"):
		return g.Result == "1-0"
	}
	return otherwise
}

// readPGN adds the results of a PGN file.
func (p *pool) readPGN(file string, text []byte) error {
	games, err := notation.ReadPGN(text)
	if err != nil {
		return err
	}
	if len(games) == 0 {
		return errors.New("no games")
	}
	outcomes := map[string]int{"0-1": 0, "1/2-1/2": 1, "1-0": 2}
	pairings := make(map[[2]int]int) // the index of each in results
	unfinished := 0
	black := slices.ContainsFunc(games, func(g notation.PGNGame) bool { return blackFirst(g, false) })
	for _, g := range games {
		outcome, ok := outcomes[g.Result]
		if !ok {
			unfinished++
			continue
		}
		pair := [2]int{p.player(g.Tags["White"], build{}, file), p.player(g.Tags["Black"], build{}, file)}
		if blackFirst(g, black) {
			pair[0], pair[1], outcome = pair[1], pair[0], 2-outcome
		}
		i, ok := pairings[pair]
		if !ok {
			i = len(p.results)
			pairings[pair] = i
			p.results = append(p.results, stats.Pairing{I: pair[0], J: pair[1]})
		}
		p.results[i].First[outcome]++
	}
	if unfinished > 0 {
		p.note(file, "games without a result, which do not count: %d", unfinished)
	}
	return nil
}

// readScores adds the results of a list of scores.
func (p *pool) readScores(file string, text []byte, games int) error {
	scores, err := stats.ParseScores(string(text), games)
	if err != nil {
		return err
	}
	if len(scores.Results) == 0 {
		return errors.New("no scores")
	}
	var players []int
	for _, name := range scores.Names {
		players = append(players, p.player(name, build{}, file))
	}
	p.add(players, scores.Results)
	if n := scores.NeverMet; n > 0 {
		p.note(file, "lines of 0 : 0, whose engines are taken not to have met: %d", n)
	}
	return nil
}

// resolve returns the engines to rate and their results. Engines with the same
// name are one, with a note if they differ, unless apart is set.
func (p *pool) resolve(apart bool) (names []string, results []stats.Pairing) {
	builds := make(map[string][]int) // players by name
	var order []string
	for i, q := range p.players {
		if builds[q.name] == nil {
			order = append(order, q.name)
		}
		builds[q.name] = append(builds[q.name], i)
	}
	index := make([]int, len(p.players))
	for _, name := range order {
		list := builds[name]
		known := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return p.players[i].build == build{} })
		if len(known) > 1 && !apart {
			var parts []string
			for _, i := range known {
				parts = append(parts, fmt.Sprintf("%s (%s)", p.players[i].file, p.players[i].describe()))
			}
			p.notes = append(p.notes, fmt.Sprintf("%s is not the same engine in %s; --apart keeps them apart", name, strings.Join(parts, " and ")))
		}
		for k, i := range list {
			if k == 0 || apart && len(known) > 1 {
				names = append(names, name)
			}
			index[i] = len(names) - 1
			if apart && len(known) > 1 {
				names[index[i]] += " [" + strings.TrimPrefix(p.players[i].describe(), "program ") + "]"
			}
		}
	}
	results = slices.Clone(p.results)
	for k := range results {
		results[k].I, results[k].J = index[results[k].I], index[results[k].J]
	}
	for i, name := range names {
		names[i] = telemetry.Printable(name)
	}
	return distinctNames(names), results
}

// distinctNames numbers names that look the same when printed.
func distinctNames(names []string) []string {
	seen := make(map[string]int)
	for i, name := range names {
		if seen[name]++; seen[name] > 1 {
			names[i] = name + " #" + strconv.Itoa(seen[name])
		}
	}
	return names
}
