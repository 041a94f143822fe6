package report

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"kumiko/tournament/stats"
)

// A Model says how ratings are derived from results.
type Model uint8

// The models.
const (
	// Logistic expects scores of 1/(1+10^(-d/400)), where d is the rating
	// difference plus, for the first mover, the value of the first move.
	Logistic Model = iota
	// BayesElo is Coulom's model as used by Gomocup: the first move has no
	// value, and draws hardly ever happen.
	BayesElo
)

// Options say how engines are rated.
type Options struct {
	Model   Model
	Anchors stats.Anchors     // fixed ratings; without any, the mean is 0
	Errors  stats.ErrorMethod // for Logistic
	Prior   float64           // virtual draws per engine; 0 means stats.DefaultPrior
	NoPrior bool              // no virtual draws

	NoFirstMove bool // the first move has no value; otherwise Logistic estimates it if the results determine it
}

// prior returns the number of virtual draws.
func (o *Options) prior() float64 {
	if o.NoPrior {
		return 0
	}
	return cmp.Or(o.Prior, stats.DefaultPrior)
}

// resamples is the number of resamples of a bootstrap.
const resamples = 1000

// Standings are engines with their ratings, best first. Disqualified engines
// and those without games come last, without ratings, as at Gomocup; games
// against a disqualified engine do not count.
type Standings struct {
	Rows     []Standing
	Groups   []Group // of engines with comparable ratings, largest first; usually one
	Options  Options
	Warnings []error // to show with the numbers
}

// A Standing is an engine's row in the standings.
type Standing struct {
	Rank   int     // from 1; 0 without a rating
	Engine int     // in the order of the config
	Out    bool    // disqualified
	Elo    float64 // NaN without a rating
	Margin float64 // half the 95 % interval of the difference from the mean of its group, or from its anchors; NaN if it cannot be estimated
}

// A Group is a set of engines connected by results. The value of the first move
// is in Elo, and NaN if it is not estimated.
type Group struct {
	Engines         []int
	FirstMove       float64
	FirstMoveMargin float64        // NaN if it cannot be estimated
	ratings         *stats.Ratings // in the order of Engines
}

// StandingsOf rates the engines of a tally.
func StandingsOf(t *Tally, o Options) (*Standings, error) {
	s := &Standings{Options: o}
	var results []stats.Pairing
	for _, m := range t.Matches() {
		results = append(results, m.Results)
	}
	var rated []int
	for i := range t.Engines {
		if e := &t.Engines[i]; e.Games.N() > 0 && e.Disqualified == nil {
			rated = append(rated, i)
		}
	}
	if len(rated) > 1 {
		subset := stats.Subset(results, rated)
		s.Warnings = stats.Warnings(len(rated), subset)
		renumber(s.Warnings, rated)
		if err := s.rate(rated, results); err != nil {
			return nil, err
		}
	}
	s.arrange(t)
	return s, nil
}

// renumber makes warnings about engines of a list name those of the config.
func renumber(warnings []error, list []int) {
	for _, w := range warnings {
		if u, ok := errors.AsType[*stats.UniformError](w); ok {
			u.Engine = list[u.Engine]
		}
	}
}

// rate adds the group of some engines or, if results do not connect them all,
// their groups. An engine connected with no other has none.
func (s *Standings) rate(list []int, results []stats.Pairing) error {
	o := s.Options
	o.Anchors = o.anchorsOf(list)
	ratings, err := o.Rate(len(list), stats.Subset(results, list))
	if apart, ok := errors.AsType[*stats.DisconnectedError](err); ok {
		for _, component := range apart.Components {
			if len(component) < 2 {
				continue
			}
			for k, i := range component {
				component[k] = list[i]
			}
			if err := s.rate(component, results); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	g := Group{Engines: list, FirstMove: ratings.FirstMove, FirstMoveMargin: ratings.FirstMoveMargin(), ratings: ratings}
	if g.FirstMoveMargin == 0 { // the value is fixed
		g.FirstMove, g.FirstMoveMargin = math.NaN(), math.NaN()
	}
	s.Groups = append(s.Groups, g)
	return nil
}

// anchorsOf returns the anchors among some engines, by their indices in the
// list.
func (o *Options) anchorsOf(list []int) stats.Anchors {
	anchors := make(stats.Anchors)
	for place, i := range list {
		if elo, ok := o.Anchors[i]; ok {
			anchors[place] = elo
		}
	}
	return anchors
}

// Rate rates engines by their results. If the results do not connect them, the
// error is a [stats.DisconnectedError].
func (o *Options) Rate(engines int, results []stats.Pairing) (*stats.Ratings, error) {
	if o.Model == BayesElo {
		r, err := stats.BayesElo{Prior: o.prior(), Anchors: o.Anchors, DrawElo: stats.GomocupDrawElo}.Rate(engines, results)
		if err != nil {
			return nil, err
		}
		return r.Printed(), nil
	}
	m := stats.ScoreModel{Prior: o.prior(), Anchors: o.Anchors, FirstMove: !o.NoFirstMove, Errors: o.Errors, Resamples: resamples, Seed: 1}
	r, err := m.Rate(engines, results)
	if errors.Is(err, stats.ErrFirstMove) {
		m.FirstMove = false
		r, err = m.Rate(engines, results)
	}
	return r, err
}

// arrange makes the rows.
func (s *Standings) arrange(t *Tally) {
	for i := range t.Engines {
		row := Standing{Engine: i, Out: t.Engines[i].Disqualified != nil, Elo: math.NaN(), Margin: math.NaN()}
		if g, place := s.group(i); g != nil {
			row.Elo, row.Margin = g.ratings.Elo[place], g.ratings.Margin(place)
		}
		s.Rows = append(s.Rows, row)
	}
	slices.SortStableFunc(s.Rows, func(a, b Standing) int {
		x, y := &t.Engines[a.Engine], &t.Engines[b.Engine]
		switch {
		case math.IsNaN(a.Elo) && math.IsNaN(b.Elo):
			return cmp.Compare(share(y.Games), share(x.Games)) // NaN, of an engine without games, comes last
		case math.IsNaN(a.Elo):
			return 1
		case math.IsNaN(b.Elo):
			return -1
		}
		return cmp.Compare(b.Elo, a.Elo)
	})
	for i := range s.Rows {
		if !math.IsNaN(s.Rows[i].Elo) {
			s.Rows[i].Rank = i + 1
		}
	}
}

// share returns the share of the points scored in games, or NaN if there are
// none.
func share(games stats.Counts) float64 {
	mean, _ := games.Score()
	return mean
}

// group returns the group of an engine and its index there, or nil if it is in
// none.
func (s *Standings) group(engine int) (g *Group, place int) {
	for k := range s.Groups {
		if place := slices.Index(s.Groups[k].Engines, engine); place >= 0 {
			return &s.Groups[k], place
		}
	}
	return nil, -1
}

// LOS returns the likelihood that engine a is better than engine b, or NaN if
// it cannot be estimated.
func (s *Standings) LOS(a, b int) float64 {
	g, i := s.group(a)
	h, j := s.group(b)
	if g == nil || g != h || i == j {
		return math.NaN()
	}
	return g.ratings.LOS(i, j)
}

// WorstMargin returns the largest margin of all ratings. It is infinite if an
// engine that is not disqualified has none, or if errors cannot be estimated
// yet.
func (s *Standings) WorstMargin() float64 {
	worst := 0.0
	for _, row := range s.Rows {
		switch {
		case row.Rank > 0 && !math.IsNaN(row.Margin):
			worst = max(worst, row.Margin)
		case row.Rank > 0 || !row.Out:
			return math.Inf(1)
		}
	}
	for _, w := range s.Warnings {
		if _, uniform := errors.AsType[*stats.UniformError](w); uniform || errors.Is(w, stats.ErrFew) {
			return math.Inf(1)
		}
	}
	return worst
}
