package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kumiko/tournament/report"
	"kumiko/tournament/stats"
	"kumiko/tournament/telemetry"
)

// rateFlags are the flags of the command rate.
type rateFlags struct {
	model, errors string
	anchors       []string
	prior         float64
	games         int
	firstMove     bool
	apart         bool
}

// rateCommand is the command rate, which rates the engines of several
// tournaments together.
func rateCommand() *cobra.Command {
	var f rateFlags
	c := &cobra.Command{
		Use:   "rate FILE… [flags]",
		Short: "Rate the engines of several tournaments together",
		Long: `Rate the engines of several tournaments together. A FILE is the folder or the log of a tournament,
a PGN file, or a score list as published by Gomocup: A - B: 15 : 7`,
		Args: cobra.MinimumNArgs(1),
	}
	fs := c.Flags()
	fs.StringVar(&f.model, "model", "logistic", "`model` of ratings: logistic, or bayeselo as Gomocup uses it")
	fs.StringArrayVar(&f.anchors, "anchor", nil, "fix a rating, `NAME=ELO` (repeatable); without one the mean is 0")
	fs.StringVar(&f.errors, "errors", "cluster", "`method` to estimate errors: cluster (by pairs), hessian (by games) or bootstrap")
	fs.Float64Var(&f.prior, "prior", stats.DefaultPrior, "virtual `draws` per engine, which keep ratings finite")
	fs.IntVar(&f.games, "games", 0, "`games` between two engines in a score list; 0 for the largest number of decided ones")
	fs.BoolVar(&f.firstMove, "first-move", true, "estimate the value of the first move, if it is known who moved first")
	fs.BoolVar(&f.apart, "apart", false, "keep engines with the same name apart if their program, limits or settings differ")
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

// rate rates the engines and writes them, best first.
func (p *pool) rate(w io.Writer, f *rateFlags) error {
	names, results := p.resolve(f.apart)
	if len(results) == 0 {
		return errors.New("no results")
	}
	o, err := f.options(names)
	if err != nil {
		return err
	}
	r, err := o.Rate(len(names), results)
	if err != nil {
		return explain(err, names)
	}
	writeRatings(w, names, r, o.Anchors)
	if o.Model == report.BayesElo {
		fmt.Fprintf(w, "BayesElo: drawelo %.2f, prior %g draws\n", stats.GomocupDrawElo, f.prior)
	} else if m := r.FirstMoveMargin(); m != 0 {
		fmt.Fprintf(w, "First move: %s +/- %s Elo; prior %g draws, errors by %s\n", stats.Signed(r.FirstMove, 1), stats.Number(m, 1), f.prior, f.errors)
	}
	for _, warning := range stats.Warnings(len(names), results) {
		text := stats.WarningText(warning)
		if u, ok := errors.AsType[*stats.UniformError](warning); ok {
			text = "all items of " + names[u.Engine] + " had the same outcome: no error of its rating can be estimated"
		}
		fmt.Fprintf(w, "Warning: %s\n", text)
	}
	for _, note := range p.notes {
		fmt.Fprintf(w, "Warning: %s\n", telemetry.Printable(note))
	}
	return nil
}

// options returns the options for rating.
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

// parseModel parses a rating model.
func parseModel(name string) (report.Model, error) {
	model, ok := map[string]report.Model{"logistic": report.Logistic, "bayeselo": report.BayesElo}[name]
	if !ok {
		return 0, fmt.Errorf("unknown model %q, want logistic or bayeselo", name)
	}
	return model, nil
}

// parseAnchors parses fixed ratings, NAME=ELO, of engines by index.
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
func explain(err error, names []string) error {
	d, ok := errors.AsType[*stats.DisconnectedError](err)
	if !ok {
		return errors.New(stats.WarningText(err))
	}
	var groups []string
	for _, c := range d.Components {
		var group []string
		for _, i := range c {
			group = append(group, names[i])
		}
		groups = append(groups, "{"+strings.Join(group, ", ")+"}")
	}
	return fmt.Errorf("ratings cannot be compared between %s: no results connect them", strings.Join(groups, " and "))
}

// share formats a share as a percentage.
func share(x float64) string { return strings.ReplaceAll(stats.Percent(x, 1), " ", "") }

// writeRatings writes the table. Errors are relative to the mean, or to the
// anchors.
func writeRatings(w io.Writer, names []string, r *stats.Ratings, anchors stats.Anchors) {
	order := make([]int, len(names))
	width := len("Name")
	for i := range order {
		order[i] = i
		width = max(width, utf8.RuneCountInString(names[i]))
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
		fmt.Fprintf(w, "%4d %-*s %8s %7s %7d %7s %6s\n", place+1, width, names[i], stats.Number(r.Elo[i], 1),
			stats.Number(r.Margin(i), 1), r.Games[i], share(r.Points[i]/float64(r.Games[i])), los)
	}
}
