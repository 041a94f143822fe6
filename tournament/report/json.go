package report

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

// jsonVersion is the version of the format of WriteJSON.
const jsonVersion = 1

// A number is a float64 whose JSON is null for NaN and infinities.
type number float64

// MarshalJSON returns the number, or null.
func (n number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, f, 'g', 10, 64), nil
}

// The types below define the format of WriteJSON. Times are in seconds.
type (
	jsonReport struct {
		Version  int            `json:"v"`
		ID       string         `json:"id"`
		Begun    time.Time      `json:"begun"`
		Host     journal.Host   `json:"host"`
		Hash     journal.Hashes `json:"hash"`
		Config   config.Config  `json:"config"`
		Played   int            `json:"played"`
		Total    int            `json:"total"`
		Running  int            `json:"running"`
		Voids    int            `json:"voids"`
		Repeats  int            `json:"repeats"` // games that repeat an earlier one
		Engines  []jsonEngine   `json:"engines"`
		Ratings  jsonRatings    `json:"ratings"`
		Matches  []jsonMatch    `json:"matches"`
		SPRT     *jsonSPRT      `json:"sprt"` // null if there is none
		Openings []jsonOpening  `json:"openings"`
		Failures []jsonFailure  `json:"failures"`
		Endings  map[string]int `json:"endings"`
		Warnings []string       `json:"warnings"`
	}
	jsonGames struct {
		Games  int    `json:"games"`
		Wins   int    `json:"wins"`
		Draws  int    `json:"draws"`
		Losses int    `json:"losses"`
		Score  number `json:"score"`
	}
	jsonPairs struct {
		Ptnml [5]int `json:"ptnml"`
		Split int    `json:"split"` // pairs with one point from a win and a loss
	}
	jsonEngine struct {
		Name string `json:"name"`
		jsonGames
		jsonPairs
		Failures     Failures `json:"failures"`
		Warnings     int      `json:"warnings"`
		Disqualified string   `json:"disqualified,omitempty"` // why
		Moves        int      `json:"moves"`
		TimePerMove  number   `json:"time_per_move"`
		MaxTime      number   `json:"max_time"`
		Depth        number   `json:"depth"`
		NPS          number   `json:"nps"`
		MemoryKiB    int64    `json:"memory_kib"`
		Start        number   `json:"start"`
		Stale        int      `json:"stale"`
	}
	jsonRatings struct {
		Model  string       `json:"model"`
		Errors string       `json:"errors"`
		Prior  number       `json:"prior"`
		Groups []jsonGroup  `json:"groups"`
		Rows   []jsonRating `json:"rows"`
		LOS    [][]number   `json:"los"` // in the order of rows
	}
	jsonGroup struct {
		Engines         []string `json:"engines"`
		FirstMove       number   `json:"first_move"`
		FirstMoveMargin number   `json:"first_move_margin"`
	}
	jsonRating struct {
		Rank   int    `json:"rank"` // 0 without a rating
		Name   string `json:"name"`
		Elo    number `json:"elo"`
		Margin number `json:"margin"`
	}
	jsonEstimate struct {
		Value number `json:"value"`
		Low   number `json:"low"`
		High  number `json:"high"`
	}
	jsonMatch struct {
		A string `json:"a"` // the results are A's
		B string `json:"b"`
		jsonGames
		jsonPairs
		Variance   number       `json:"variance"` // of a pair's mean score
		Lone       jsonGames    `json:"lone"`
		Black      jsonGames    `json:"black"`
		White      jsonGames    `json:"white"`
		Elo        jsonEstimate `json:"elo"`
		NElo       jsonEstimate `json:"nelo"`
		LOS        number       `json:"los"`
		FirstMover number       `json:"first_mover"` // its share of the points
		FailuresA  Failures     `json:"failures_a"`
		FailuresB  Failures     `json:"failures_b"`
	}
	jsonSPRT struct {
		Test    config.SPRT `json:"test"`
		LLR     number      `json:"llr"`
		Lower   number      `json:"lower"`
		Upper   number      `json:"upper"`
		Pairs   int         `json:"pairs"`
		Ptnml   [5]int      `json:"ptnml"`
		Ahead   int         `json:"ahead"`
		After   int         `json:"after"`
		Verdict string      `json:"verdict"` // H0, H1 or ""
		AtLimit bool        `json:"at_limit"`
	}
	jsonOpening struct {
		Line   int       `json:"line"`
		Moves  string    `json:"moves"`
		Pairs  int       `json:"pairs"`
		Black2 int       `json:"black2"` // pairs that black won twice
		White2 int       `json:"white2"`
		Black  jsonGames `json:"black"`
		Split  number    `json:"split"`
		Bias   number    `json:"bias"`
	}
	jsonFailure struct {
		Game       int    `json:"game"`
		Engine     string `json:"engine"`
		Opponent   string `json:"opponent"`
		Plies      int    `json:"plies"`
		Reason     string `json:"reason"`
		Detail     string `json:"detail,omitempty"`
		Transcript string `json:"transcript,omitempty"`
	}
)

// WriteJSON writes everything about a tournament except the games as one
// object. Numbers that cannot be estimated are null.
func WriteJSON(w io.Writer, log *journal.Log, o Options) error {
	t := NewTally(log)
	s, err := StandingsOf(t, o)
	if err != nil {
		return err
	}
	r := jsonReport{
		Version: jsonVersion, ID: log.Run.ID, Begun: log.Run.At, Host: log.Run.Host, Hash: log.Hash, Config: log.Config,
		Played: t.Games, Total: t.Total, Running: t.Running, Voids: t.Voids, Repeats: t.Repeats,
		Ratings: jsonRatingsOf(t, s), Matches: []jsonMatch{}, Openings: []jsonOpening{}, Failures: []jsonFailure{},
		Endings: make(map[string]int), Warnings: append([]string{}, warningTexts(t, s.Warnings)...),
	}
	for reason, n := range t.Endings {
		r.Endings[string(reason)] = n
	}
	for i := range t.Engines {
		r.Engines = append(r.Engines, jsonEngineOf(&t.Engines[i]))
	}
	for _, m := range t.Matches() {
		r.Matches = append(r.Matches, jsonMatchOf(t, m))
	}
	if test := log.Config.SPRT; test != nil {
		r.SPRT = jsonSPRTOf(*test, SPRTState(log, *test))
	}
	for i := range t.Openings {
		r.Openings = append(r.Openings, jsonOpeningOf(&t.Openings[i], t.Config.Height))
	}
	for _, f := range t.Failures {
		r.Failures = append(r.Failures, jsonFailure{
			f.Number, t.Engines[f.Engine].Name, t.Engines[f.Opponent].Name, f.Plies, string(f.Reason), f.Detail, f.Transcript,
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

func jsonGamesOf(c stats.Counts) jsonGames {
	return jsonGames{c.N(), c[2], c[1], c[0], number(share(c))}
}

func jsonPairsOf(c stats.Counts, split int) jsonPairs { return jsonPairs{[5]int(c), split} }

func jsonEngineOf(e *Engine) jsonEngine {
	f := &e.Effort
	j := jsonEngine{
		Name: e.Name, jsonGames: jsonGamesOf(e.Games), jsonPairs: jsonPairsOf(e.Pairs, e.Split),
		Failures: e.Failures, Warnings: e.Warnings, Moves: f.Moves,
		TimePerMove: number(f.TimePerMove()), MaxTime: number(f.MaxTime.Seconds()),
		Depth: number(f.Depth()), NPS: number(f.Speed()), MemoryKiB: f.Memory, Start: number(f.Start.Seconds()), Stale: f.Stale,
	}
	if e.Disqualified != nil {
		j.Disqualified = e.Disqualified.Why
	}
	return j
}

func jsonRatingsOf(t *Tally, s *Standings) jsonRatings {
	r := jsonRatings{
		Model:  map[Model]string{Logistic: "logistic", BayesElo: "bayeselo"}[s.Options.Model],
		Errors: map[stats.ErrorMethod]string{stats.Clustered: "cluster", stats.Hessian: "hessian", stats.Bootstrap: "bootstrap"}[s.Options.Errors],
		Prior:  number(s.Options.prior()), Groups: []jsonGroup{},
	}
	for _, g := range s.Groups {
		j := jsonGroup{FirstMove: number(g.FirstMove), FirstMoveMargin: number(g.FirstMoveMargin)}
		for _, i := range g.Engines {
			j.Engines = append(j.Engines, t.Engines[i].Name)
		}
		r.Groups = append(r.Groups, j)
	}
	for _, a := range s.Rows {
		r.Rows = append(r.Rows, jsonRating{a.Rank, t.Engines[a.Engine].Name, number(a.Elo), number(a.Margin)})
		var row []number
		for _, b := range s.Rows {
			row = append(row, number(s.LOS(a.Engine, b.Engine)))
		}
		r.LOS = append(r.LOS, row)
	}
	return r
}

func jsonMatchOf(t *Tally, m *Match) jsonMatch {
	pairs, split := m.Pairs()
	_, variance := pairs.Score()
	items := m.Items()
	return jsonMatch{
		A: t.Engines[m.A].Name, B: t.Engines[m.B].Name,
		jsonGames: jsonGamesOf(m.Games()), jsonPairs: jsonPairsOf(pairs, split), Variance: number(variance), Lone: jsonGamesOf(m.Lone()),
		Black: jsonGamesOf(m.Colors[board.Black]), White: jsonGamesOf(m.Colors[board.White]),
		Elo: jsonEstimateOf(items.Elo()), NElo: jsonEstimateOf(items.NElo()), LOS: number(items.LOS()),
		FirstMover: number(share(m.FirstMover())), FailuresA: m.Failures[0], FailuresB: m.Failures[1],
	}
}

func jsonEstimateOf(e stats.Estimate) jsonEstimate {
	return jsonEstimate{number(e.Value), number(e.Low), number(e.High)}
}

func jsonSPRTOf(test config.SPRT, s *SPRT) *jsonSPRT {
	lower, upper := s.Test.Bounds()
	return &jsonSPRT{
		Test: test, LLR: number(s.LLR), Lower: number(lower), Upper: number(upper), Pairs: s.Pairs.N(), Ptnml: [5]int(s.Pairs),
		Ahead: s.Ahead(), After: s.After(), Verdict: s.Accepted(), AtLimit: s.AtLimit,
	}
}

func jsonOpeningOf(o *Opening, height int) jsonOpening {
	return jsonOpening{
		Line: o.Line, Moves: notation.FormatPosition(o.Moves, height, notation.FromTop), Pairs: o.Pairs, Black2: o.Black, White2: o.White,
		Black: jsonGamesOf(o.Games), Split: number(o.Split()), Bias: number(o.Bias()),
	}
}
