package tournament

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// rateFlags are those of the command rate.
type rateFlags struct {
	model, errors string
	anchors       []string
	prior         float64
	games         int
	firstMove     bool
}

// rateCommand is the command rate: it rates the engines of several
// tournaments together.
func rateCommand() *cobra.Command {
	var f rateFlags
	c := &cobra.Command{
		Use:   "rate FILE… [flags]",
		Short: "Rate the engines of several tournaments together",
		Long: `Rate the engines of several tournaments together. A FILE is the folder or the log of a tournament,
a PGN file, or a list of scores such as Gomocup publishes: A - B: 15 : 7`,
		Args: cobra.MinimumNArgs(1),
	}
	fs := c.Flags()
	fs.StringVar(&f.model, "model", "logistic", "`model` of ratings: logistic, or bayeselo as Gomocup uses it")
	fs.StringArrayVar(&f.anchors, "anchor", nil, "fix a rating, `NAME=ELO` (repeatable); without one the mean is 0")
	fs.StringVar(&f.errors, "errors", "cluster", "`method` of estimating errors: cluster (by pairs), hessian (by games) or bootstrap")
	fs.Float64Var(&f.prior, "prior", stats.DefaultPrior, "virtual `draws` of each engine, which keep ratings finite")
	fs.IntVar(&f.games, "games", 0, "`games` of two engines in a list of scores; 0 for the most decided ones")
	fs.BoolVar(&f.firstMove, "first-move", true, "estimate what the first move is worth, if it is known who had it")
	c.RunE = func(c *cobra.Command, files []string) error {
		p := newPool()
		for _, file := range files {
			if err := p.read(file, f.games); err != nil {
				return err
			}
		}
		return p.rate(c.OutOrStdout(), &f)
	}
	return c
}

// A pool is engines, by name, and their results.
type pool struct {
	names   []string
	index   map[string]int
	results []stats.Pairing
	logs    map[string]string // paths of tournaments, by what they are called
}

func newPool() *pool { return &pool{index: make(map[string]int), logs: make(map[string]string)} }

// engine returns the index of a name.
func (p *pool) engine(name string) int {
	i, ok := p.index[name]
	if !ok {
		i = len(p.names)
		p.index[name] = i
		p.names = append(p.names, name)
	}
	return i
}

// add adds results of engines with these names.
func (p *pool) add(names []string, results []stats.Pairing) {
	for _, r := range results {
		r.I, r.J = p.engine(names[r.I]), p.engine(names[r.J])
		p.results = append(p.results, r)
	}
}

// read adds the results in a file.
func (p *pool) read(file string, games int) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.IsDir() || filepath.Ext(file) == filepath.Ext(journal.FileName) {
		return p.readLog(file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if filepath.Ext(file) == ".pgn" || bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		if err := p.readPGN(text); err != nil {
			return fmt.Errorf("%s:%w", file, err)
		}
		return nil
	}
	scores, err := stats.ParseScores(string(text), games)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	p.add(scores.Names, scores.Results)
	return nil
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
	var results []stats.Pairing
	for _, m := range report.NewTally(log).Matches() {
		if log.Disqualified[m.A] == nil && log.Disqualified[m.B] == nil {
			results = append(results, m.Results)
		}
	}
	p.add(log.Config.Names(), results)
	return nil
}

// readPGN adds the results of a PGN file, in which White moved first. Only
// its tags are looked at; games without a result are left out.
func (p *pool) readPGN(text []byte) error {
	tags := make(map[string]string)
	results := make(map[[2]int]int)
	flush := func() error {
		outcome, ok := map[string]int{"1-0": 2, "1/2-1/2": 1, "0-1": 0}[tags["Result"]]
		if len(tags) == 0 || !ok && tags["Result"] == "*" {
			return nil
		}
		if !ok || tags["White"] == "" || tags["Black"] == "" || tags["White"] == tags["Black"] {
			return fmt.Errorf("game of %q and %q with result %q", tags["White"], tags["Black"], tags["Result"])
		}
		pair := [2]int{p.engine(tags["White"]), p.engine(tags["Black"])}
		i, ok := results[pair]
		if !ok {
			i = len(p.results)
			results[pair] = i
			p.results = append(p.results, stats.Pairing{I: pair[0], J: pair[1]})
		}
		p.results[i].First[outcome]++
		return nil
	}
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, 1<<24)
	inTags := false
	for line := 1; in.Scan(); line++ {
		s := strings.TrimSpace(in.Text())
		name, value, isTag := cutTag(s)
		if isTag && !inTags {
			if err := flush(); err != nil {
				return fmt.Errorf("%d: %w", line, err)
			}
			clear(tags)
		}
		if s != "" {
			inTags = isTag
		}
		if isTag {
			tags[name] = value
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf(" %w", err)
	}
	if err := flush(); err != nil {
		return fmt.Errorf(" %w", err)
	}
	return nil
}

// cutTag takes a tag such as [White "A"] apart.
func cutTag(s string) (name, value string, ok bool) {
	s, ok1 := strings.CutPrefix(s, "[")
	s, ok2 := strings.CutSuffix(s, "]")
	name, value, ok = strings.Cut(s, " ")
	if !ok || !ok1 || !ok2 {
		return "", "", false
	}
	value, err := strconv.Unquote(strings.TrimSpace(value))
	return name, value, err == nil
}

// rate rates the engines and writes them, the best first.
func (p *pool) rate(w io.Writer, f *rateFlags) error {
	if len(p.results) == 0 {
		return errors.New("there are no results")
	}
	o, err := f.options(p.names)
	if err != nil {
		return err
	}
	r, err := o.Rate(len(p.names), p.results)
	if err != nil {
		return p.explain(err)
	}
	p.write(w, r, o.Anchors)
	if o.Model == report.BayesElo {
		fmt.Fprintf(w, "BayesElo: drawelo %.2f, prior %g draws\n", stats.GomocupDrawElo, f.prior)
	} else if m := r.FirstMoveMargin(); m != 0 {
		fmt.Fprintf(w, "First move: %s +/- %s Elo; prior %g draws, errors by %s\n", stats.Signed(r.FirstMove, 1), stats.Number(m, 1), f.prior, f.errors)
	}
	for _, warning := range stats.Warnings(len(p.names), p.results) {
		text := stats.WarningText(warning)
		if u, ok := errors.AsType[*stats.UniformError](warning); ok {
			text = "all items of " + p.names[u.Engine] + " had the same outcome: its error means little"
		}
		fmt.Fprintf(w, "Warning: %s\n", text)
	}
	return nil
}

// options returns how engines are rated.
func (f *rateFlags) options(names []string) (report.Options, error) {
	method, ok := map[string]stats.ErrorMethod{"cluster": stats.Clustered, "hessian": stats.Hessian, "bootstrap": stats.Bootstrap}[f.errors]
	if !ok {
		return report.Options{}, fmt.Errorf("unknown errors %q, want cluster, hessian or bootstrap", f.errors)
	}
	model, err := parseModel(f.model)
	if err != nil {
		return report.Options{}, err
	}
	anchors, err := parseAnchors(f.anchors, names)
	return report.Options{Model: model, Anchors: anchors, Errors: method, Prior: f.prior, NoPrior: f.prior == 0, NoFirstMove: !f.firstMove}, err
}

// parseModel reads a model of ratings.
func parseModel(name string) (report.Model, error) {
	model, ok := map[string]report.Model{"logistic": report.Logistic, "bayeselo": report.BayesElo}[name]
	if !ok {
		return 0, fmt.Errorf("unknown model %q, want logistic or bayeselo", name)
	}
	return model, nil
}

// parseAnchors reads ratings that are fixed, NAME=ELO, of engines by index.
func parseAnchors(list, names []string) (stats.Anchors, error) {
	anchors := make(stats.Anchors)
	for _, a := range list {
		i := strings.LastIndexByte(a, '=')
		if i < 0 {
			return nil, fmt.Errorf("invalid anchor %q: want NAME=ELO", a)
		}
		elo, err := strconv.ParseFloat(a[i+1:], 64)
		if err != nil || math.IsNaN(elo) || math.IsInf(elo, 0) {
			return nil, fmt.Errorf("invalid anchor %q: %q is not a rating", a, a[i+1:])
		}
		engine := slices.Index(names, a[:i])
		if engine < 0 {
			return nil, fmt.Errorf("invalid anchor %q: unknown engine %q", a, a[:i])
		}
		if _, twice := anchors[engine]; twice {
			return nil, fmt.Errorf("invalid anchor %q: %q has one already", a, a[:i])
		}
		anchors[engine] = elo
	}
	return anchors, nil
}

// explain names the engines in an error.
func (p *pool) explain(err error) error {
	d, ok := errors.AsType[*stats.DisconnectedError](err)
	if !ok {
		return errors.New(stats.WarningText(err))
	}
	var groups []string
	for _, c := range d.Components {
		var names []string
		for _, i := range c {
			names = append(names, p.names[i])
		}
		groups = append(groups, "{"+strings.Join(names, ", ")+"}")
	}
	return fmt.Errorf("ratings cannot be compared between %s: no results connect them", strings.Join(groups, " and "))
}

// share writes a share as a percentage.
func share(x float64) string { return strings.ReplaceAll(stats.Percent(x, 1), " ", "") }

// write writes the table: errors are against the mean, or the anchors.
func (p *pool) write(w io.Writer, r *stats.Ratings, anchors stats.Anchors) {
	order := make([]int, len(p.names))
	width := len("Name")
	for i := range order {
		order[i] = i
		width = max(width, len(p.names[i]))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Elo[b], r.Elo[a]) })
	against := "the mean"
	switch {
	case len(anchors) == 1:
		against = "the anchor"
	case len(anchors) > 1:
		against = "the anchors"
	}
	fmt.Fprintf(w, "Rank %-*s %8s %7s %7s %7s %6s   (errors against %s)\n", width, "Name", "Elo", "+/-", "Games", "Score", "LOS", against)
	for place, i := range order {
		los := ""
		if place+1 < len(order) {
			los = share(r.LOS(i, order[place+1]))
		}
		fmt.Fprintf(w, "%4d %-*s %8s %7s %7d %7s %6s\n", place+1, width, p.names[i], stats.Number(r.Elo[i], 1),
			stats.Number(r.Margin(i), 1), r.Games[i], share(r.Points[i]/float64(r.Games[i])), los)
	}
}
