package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
	"kumiko/tournament/telemetry"
)

// pageData is the data drawn by the page's script: charts and games. Times are
// in milliseconds, engines are indices.
type pageData struct {
	Engines []dataEngine `json:"engines"`
	Width   int          `json:"width"`
	Height  int          `json:"height"`
	Elo     *dataElo     `json:"elo,omitempty"`
	LLR     *dataLLR     `json:"llr,omitempty"`
	Time    []dataSeries `json:"time"`  // mean per move, by the stones on the board before it
	Depth   []dataSeries `json:"depth"` // the same
	Games   []dataGame   `json:"games"` // in the order of the schedule

	test *SPRT                    // that of LLR
	hide func(text string) string // removes the folders of absolute paths
}

type dataEngine struct {
	Name  string `json:"name"`
	Match int64  `json:"match"` // 0 means unlimited
	Turn  int64  `json:"turn"`
	Inc   int64  `json:"inc"`
}

// A dataSeries is a line of a chart. Each point may have limits.
type dataSeries struct {
	Engine int      `json:"e"`
	X      []int    `json:"x"`
	Y      []number `json:"y"`
	Low    []number `json:"lo,omitempty"`
	High   []number `json:"hi,omitempty"`
}

// newSeries returns a line without points.
func newSeries(engine int) dataSeries { return dataSeries{Engine: engine, X: []int{}, Y: []number{}} }

// dataElo holds the ratings after each number of games, in schedule order. With
// two engines it holds their difference.
type dataElo struct {
	Difference bool         `json:"difference"`
	Series     []dataSeries `json:"series"`
}

type dataLLR struct {
	X       []int    `json:"x"` // pairs
	Y       []number `json:"y"`
	Lower   number   `json:"lower"`
	Upper   number   `json:"upper"`
	Verdict string   `json:"verdict"`
}

// A dataGame is a game that can be replayed.
type dataGame struct {
	Number     int            `json:"n"`
	Black      int            `json:"b"`
	White      int            `json:"w"`
	Result     journal.Result `json:"r"`
	Reason     journal.Reason `json:"y"`
	Text       string         `json:"x"`
	Detail     string         `json:"d,omitempty"`
	Failed     bool           `json:"f,omitempty"`
	Opening    int            `json:"op,omitempty"` // line in the book
	Open       int            `json:"o"`            // stones of the opening
	Moves      string         `json:"m"`
	Times      []number       `json:"t"` // of the moves after the opening
	Info       []dataInfo     `json:"i,omitempty"`
	Swaps      string         `json:"s,omitempty"`
	Transcript string         `json:"tr,omitempty"`
	At         int64          `json:"at"` // when it ended, in seconds since 1970
}

// A dataInfo is what an engine said about a move: an array of depth, selective
// depth, nodes, nodes per second, score, line, and the score as a number from
// -1 to 1; or 0 if it said nothing.
type dataInfo struct{ *telemetry.Info }

// MarshalJSON returns the array.
func (i dataInfo) MarshalJSON() ([]byte, error) {
	if i.Info == nil {
		return []byte("0"), nil
	}
	return json.Marshal([]any{i.Depth, i.SelDepth, i.Nodes, i.Speed, i.Score, i.PV, number(squeezed(*i.Info))})
}

// squeezed maps a score to -1 (lost) to 1 (won), so that engines with different
// units share one scale; NaN if there is none.
func squeezed(i telemetry.Info) float64 {
	v, ok := i.Evaluation()
	if !ok {
		return math.NaN()
	}
	return math.Round(math.Tanh(v/telemetry.Unit)*1000) / 1000
}

// chartPoints is the approximate number of points of a chart.
const chartPoints = 120

func newPageData(log *journal.Log, t *Tally, o HTMLOptions) (*pageData, error) {
	d := &pageData{Width: t.Config.Width, Height: t.Config.Height, hide: hidePaths(&t.Config)}
	for _, e := range t.Config.Engines {
		d.Engines = append(d.Engines, dataEngine{e.Name, e.TC.Match.Milliseconds(), e.TC.Turn.Milliseconds(), e.TC.Inc.Milliseconds()})
	}
	var err error
	if d.Elo, err = newDataElo(log, t, o.Options); err != nil {
		return nil, err
	}
	if test := t.Config.SPRT; test != nil {
		d.LLR, d.test = newDataLLR(log, *test)
	}
	d.Time, d.Depth = byPly(log, len(t.Engines))
	d.Games = newDataGames(log, o.Games)
	for i := range d.Games {
		d.Games[i].Detail = d.hide(d.Games[i].Detail)
	}
	return d, nil
}

// newDataElo rates the engines at intervals.
func newDataElo(log *journal.Log, t *Tally, o Options) (*dataElo, error) {
	d := &dataElo{Difference: len(t.Engines) == 2}
	lines := len(t.Engines)
	if d.Difference {
		lines = 1
	}
	for i := range lines {
		d.Series = append(d.Series, newSeries(i))
	}
	step := max(10, t.Games/chartPoints)
	now := emptyTally(log)
	played, next := 0, step
	o.Errors = stats.Hessian // errors are not shown
	for first, second := range pairs(log) {
		now.addItem(first, second)
		played++
		if second != nil {
			played++
		}
		if played < next && played < t.Games {
			continue
		}
		next += step
		if err := d.add(now, played, o); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// add adds the ratings after that many games.
func (d *dataElo) add(t *Tally, games int, o Options) error {
	if d.Difference {
		elo := t.Match(0, 1).Items().Elo()
		s := &d.Series[0]
		s.X = append(s.X, games)
		s.Y = append(s.Y, tenths(elo.Value))
		s.Low, s.High = append(s.Low, tenths(elo.Low)), append(s.High, tenths(elo.High))
		return nil
	}
	ratings, err := StandingsOf(t, o)
	if err != nil {
		return err
	}
	for _, row := range ratings.Rows {
		s := &d.Series[row.Engine]
		s.X = append(s.X, games)
		s.Y = append(s.Y, tenths(row.Elo))
	}
	return nil
}

// tenths rounds to tenths, to keep data short.
func tenths(x float64) number { return number(math.Round(x*10) / 10) }

// newDataLLR returns the LLR after each pair, or a selection of pairs, and the
// state of the test.
func newDataLLR(log *journal.Log, test config.SPRT) (d *dataLLR, s *SPRT) {
	var all []float64
	s = runSPRT(log, test, func(llr float64) { all = append(all, llr) })
	lower, upper := s.Test.Bounds()
	d = &dataLLR{X: []int{}, Y: []number{}, Lower: number(lower), Upper: number(upper), Verdict: s.Accepted()}
	step := max(1, len(all)/(4*chartPoints))
	for i, llr := range all {
		if (i+1)%step == 0 || i == len(all)-1 {
			d.X = append(d.X, i+1)
			d.Y = append(d.Y, number(math.Round(llr*1000)/1000))
		}
	}
	return d, s
}

// A plyMean is the mean over moves after the same number of stones.
type plyMean struct {
	moves, depthMoves int
	micros            int64
	depths            int
}

// byPly returns the times and depths of moves for each engine and number of
// stones, omitting numbers that few games reach.
func byPly(log *journal.Log, engines int) (times, depths []dataSeries) {
	times, depths = []dataSeries{}, []dataSeries{}
	means := make([][]plyMean, engines)
	for e := range games(log) {
		for i, took := range e.Times {
			ply := e.Open + i
			engine := e.Engine(board.Color(ply % 2))
			for len(means[engine]) <= ply {
				means[engine] = append(means[engine], plyMean{})
			}
			m := &means[engine][ply]
			m.moves++
			m.micros += int64(took)
			if info := infoOf(e, i); info != nil && info.Depth > 0 {
				m.depthMoves++
				m.depths += info.Depth
			}
		}
	}
	for engine, list := range means {
		most := 0
		for _, m := range list {
			most = max(most, m.moves)
		}
		least := max(5, most/20)
		time, depth := newSeries(engine), newSeries(engine)
		for ply, m := range list {
			if m.moves >= least {
				time.X = append(time.X, ply)
				time.Y = append(time.Y, tenths(float64(m.micros)/float64(m.moves)/1000))
			}
			if m.depthMoves >= least {
				depth.X = append(depth.X, ply)
				depth.Y = append(depth.Y, tenths(float64(m.depths)/float64(m.depthMoves)))
			}
		}
		times, depths = append(times, time), append(depths, depth)
	}
	return times, depths
}

// newDataGames returns at most most games: those with failures, latest first,
// then the latest others.
func newDataGames(log *journal.Log, most int) []dataGame {
	var list []*journal.End
	for e := range games(log) {
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b *journal.End) int {
		switch f, g := a.Reason.Failed(), b.Reason.Failed(); {
		case f && !g:
			return -1
		case g && !f:
			return 1
		}
		return cmp.Compare(b.Number, a.Number)
	})
	list = list[:min(len(list), most)]
	slices.SortFunc(list, func(a, b *journal.End) int { return cmp.Compare(a.Number, b.Number) })
	data := make([]dataGame, len(list))
	for i, e := range list {
		data[i] = newDataGame(e)
	}
	return data
}

func newDataGame(e *journal.End) dataGame {
	g := dataGame{
		Number: e.Number, Black: e.Black, White: e.White, Result: e.Result, Reason: e.Reason, Text: e.Text, Detail: e.Detail,
		Failed: e.Reason.Failed(), Opening: e.Opening, Open: e.Open, Moves: e.Moves, Swaps: e.Swaps, Transcript: e.Transcript,
		Times: make([]number, len(e.Times)),
	}
	if !e.At.IsZero() {
		g.At = e.At.Unix()
	}
	for i, took := range e.Times {
		g.Times[i] = tenths(float64(took) / 1000)
	}
	for _, info := range e.Info {
		g.Info = append(g.Info, dataInfo{info})
	}
	return g
}

// short abbreviates a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// CommandLine formats a command line for people.
func CommandLine(args []string) string {
	var text string
	for i, a := range args {
		if i > 0 {
			text += " "
		}
		if a == "" || slices.ContainsFunc([]rune(a), func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' }) {
			a = strconv.Quote(a)
		}
		text += a
	}
	return text
}
