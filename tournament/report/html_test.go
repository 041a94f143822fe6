package report

import (
	"bytes"
	"encoding/json"
	"html"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// writePage returns the page of a log.
func writePage(t *testing.T, log *journal.Log, o HTMLOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, log, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// between returns what is between two texts.
func between(t *testing.T, s, from, to string) string {
	t.Helper()
	_, s, ok := strings.Cut(s, from)
	s, _, ok2 := strings.Cut(s, to)
	if !ok || !ok2 {
		t.Fatalf("nothing between %q and %q", from, to)
	}
	return s
}

// hostile is text that leaves its place if it is not escaped.
var hostile = []string{
	"</script><b>bold</b>", `<img src=x onerror="alert(1)">`, "{{.Title}} & 'q' `b`", `"><svg/onload=alert(2)>`, "]]>--><!--", "\u2028</style><i>",
}

// hostileLog has text of that kind wherever text can be.
func hostileLog(t *testing.T) *journal.Log {
	m := newMaker(5, 4, hostile...)
	m.failures = 0.3
	m.cfg.Openings.File = hostile[0]
	log := m.log(t, 0)
	log.Run.ID, log.Run.Host.Model, log.Hash.Program = hostile[1], hostile[2], hostile[3]
	log.Hash.Engines[0] = hostile[0]
	log.Config.Engines[0].Args = hostile
	for i, e := range log.Games {
		text := hostile[i%len(hostile)]
		e.Text, e.Swaps = text, text
		if e.Detail != "" {
			e.Detail, e.Transcript, e.Reason = text, text, journal.Reason(text)
		}
		for _, info := range e.Info {
			if info != nil {
				info.Score, info.PV = text, text
			}
		}
	}
	for _, e := range []journal.Event{
		&journal.Warning{Engine: 1, Kind: hostile[0], Text: hostile[0]},
		&journal.Disqualify{Engine: 2, Why: hostile[0]},
		&journal.Verdict{Why: hostile[0]},
	} {
		if err := log.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

// TestHostilePage: whatever engines are called and say, the page has the
// elements of the template and no others.
func TestHostilePage(t *testing.T) {
	page := writePage(t, hostileLog(t), HTMLOptions{})
	rest := page
	for _, own := range []string{pageCSS, pageJS} {
		if strings.Count(rest, own) != 1 {
			t.Fatal("the page does not have its style and script once")
		}
		rest = strings.Replace(rest, own, "", 1)
	}
	tags := regexp.MustCompile(`<(/?[a-zA-Z!][a-zA-Z0-9]*)([^>]*)>`)
	allowed := regexp.MustCompile(`^/?(html|head|meta|title|style|body|a|svg|defs|path|header|p|h1|h2|h3|dl|dt|dd|div|details|summary|table|thead|tbody|tr|th|td|span|code|nav|ul|ol|li|main|noscript|section|small|circle|rect|use|figure|figcaption|footer|script|i|b)$|^!doctype$`)
	handler := regexp.MustCompile(`(?i)\son[a-z]+\s*=|\sstyle\s*=|javascript:`)
	counts := make(map[string]int)
	for _, m := range tags.FindAllStringSubmatch(rest, -1) {
		counts[m[1]]++
		if !allowed.MatchString(m[1]) || m[1] == "b" && m[2] != "" {
			t.Errorf("element %s", m[0])
		}
		if unquoted := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(m[2], ""); handler.MatchString(unquoted) {
			t.Errorf("attributes %s", m[0])
		}
	}
	if counts["script"] != 2 || counts["/script"] != 2 || counts["style"] != 1 || counts["img"] != 0 || counts["html"] != 1 {
		t.Errorf("elements %v", counts)
	}
	if strings.Contains(page, "bold</b>") {
		t.Error("a name is not escaped")
	}
	if !strings.Contains(page, html.EscapeString("</script><b>bold</b>")) {
		t.Error("a name is missing")
	}
	var data pageDataAgain
	if err := json.Unmarshal([]byte(between(t, page, `id="data">`, "</script>")), &data); err != nil {
		t.Fatal(err)
	}
	for i, name := range hostile {
		if data.Engines[i].Name != name {
			t.Errorf("engine %d is called %q, want %q", i, data.Engines[i].Name, name)
		}
	}
}

// pageDataAgain is the part of a page's data that tests read.
type pageDataAgain struct {
	Engines []struct{ Name string }
	Elo     *struct {
		Series []struct {
			E      int
			X      []int
			Y      []*float64
			Lo, Hi []*float64
		}
	}
	LLR *struct {
		X       []int
		Y       []float64
		Verdict string
	}
	Games []struct {
		N, B, W, O int
		R, M       string
		T          []float64
		I          []json.RawMessage
		F          bool
	}
}

// TestPageAlone: the page names nothing outside itself, and lets the browser
// use nothing but its own style and script.
func TestPageAlone(t *testing.T) {
	page := writePage(t, newMaker(1, 3, "A", "B").log(t, 0), HTMLOptions{})
	for _, url := range regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.-]+|url\([^)]*\)|@import|@font-face`).FindAllString(page, -1) {
		if url != "http://www.w3.org" && !strings.HasPrefix(url, "url(#$") { // the name of SVG; a clip path
			t.Errorf("the page names %s", url)
		}
	}
	for _, link := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(link[1], "#") {
			t.Errorf("the page links to %s", link[1])
		}
	}
	policy := html.UnescapeString(between(t, page, `http-equiv="Content-Security-Policy" content="`, `"`))
	if !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, hashSource(between(t, page, "<style>", "</style>"))) ||
		!strings.Contains(policy, hashSource(between(t, page, "<script>", "</script>"))) {
		t.Errorf("policy %s", policy)
	}
	if again := writePage(t, newMaker(1, 3, "A", "B").log(t, 0), HTMLOptions{}); again != page {
		t.Error("the same log makes two different pages")
	}
}

// TestPageData checks the games that a page has, and the ends of its charts.
func TestPageData(t *testing.T) {
	m := newMaker(9, 300, "A", "B")
	m.cfg.SPRT = &config.SPRT{Elo1: 40, Alpha: .05, Beta: .05, Model: config.Normalized}
	log := m.log(t, 300)
	tally := NewTally(log)
	page := writePage(t, log, HTMLOptions{Games: 40})
	var data pageDataAgain
	if err := json.Unmarshal([]byte(between(t, page, `id="data">`, "</script>")), &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Games) != 40 || !strings.Contains(page, "40 of 300 games can be replayed here") {
		t.Errorf("%d games", len(data.Games))
	}
	failures, before := 0, 0
	for _, g := range data.Games {
		e := log.Games[g.N-1]
		if g.B != e.Black || g.W != e.White || g.R != string(e.Result) || g.M != e.Moves || g.O != e.Open || len(g.T) != len(e.Times) || len(g.I) != len(e.Info) {
			t.Errorf("game %d: %+v", g.N, g)
		}
		if g.N <= before {
			t.Errorf("game %d comes after %d", g.N, before)
		}
		before = g.N
		if g.F {
			failures++
		} else if g.N <= 300-40 {
			t.Errorf("game %d is neither a failure nor late", g.N)
		}
	}
	if failures != len(tally.Failures) || failures == 0 {
		t.Errorf("%d failures of %d", failures, len(tally.Failures))
	}
	elo := data.Elo.Series[0]
	last := len(elo.X) - 1
	if want := tally.Match(0, 1).Items().Elo(); elo.X[last] != 300 || math.Abs(*elo.Y[last]-want.Value) > 0.051 || math.Abs(*elo.Hi[last]-want.High) > 0.051 {
		t.Errorf("Elo ends with %v at %d, want %v", *elo.Y[last], elo.X[last], want)
	}
	s := SPRTState(log, *m.cfg.SPRT)
	last = len(data.LLR.X) - 1
	if data.LLR.X[last] != s.Pairs.N() || math.Abs(data.LLR.Y[last]-s.LLR) > 0.00051 || data.LLR.Verdict != s.Accepted() {
		t.Errorf("LLR ends with %v at %d, want %+v", data.LLR.Y[last], data.LLR.X[last], s)
	}
	if all := writePage(t, log, HTMLOptions{}); !strings.Contains(all, "300 games can be replayed here") {
		t.Error("a page does not have all games")
	}
}

// TestPageRatings: with many engines the last ratings of the chart are those of
// the standings.
func TestPageRatings(t *testing.T) {
	log := newMaker(2, 20, "A", "B", "C", "D").log(t, 0)
	tally := NewTally(log)
	standings, err := StandingsOf(tally, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDataElo(log, tally, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range standings.Rows {
		s := d.Series[row.Engine]
		last := len(s.X) - 1
		if s.X[last] != tally.Games || math.Abs(float64(s.Y[last])-row.Elo) > 0.051 {
			t.Errorf("engine %d: %v after %d games, want %v", row.Engine, s.Y[last], s.X[last], row.Elo)
		}
	}
}

// TestByPly compares with means that are made one by one.
func TestByPly(t *testing.T) {
	log := newMaker(3, 20, "A", "B", "C").log(t, 0)
	times, depths := byPly(log, 3)
	for engine := range 3 {
		var want []int
		for ply := range 225 {
			var micros, depth, n, told int
			for _, e := range log.Games {
				i := ply - e.Open
				if i < 0 || i >= len(e.Times) || []int{e.Black, e.White}[ply%2] != engine {
					continue
				}
				n++
				micros += int(e.Times[i])
				if e.Info[i] != nil {
					told++
					depth += e.Info[i].Depth
				}
			}
			at := func(s dataSeries) (y float64, ok bool) {
				for i, x := range s.X {
					if x == ply {
						return float64(s.Y[i]), true
					}
				}
				return 0, false
			}
			y, ok := at(times[engine])
			if ok {
				want = append(want, ply)
			}
			if ok && math.Abs(y-float64(micros)/float64(n)/1000) > 0.051 || n >= 10 && !ok || n < 5 && ok {
				t.Errorf("engine %d, ply %d: %v ms (%v) of %d moves", engine, ply, y, ok, n)
			}
			y, ok = at(depths[engine])
			if ok && math.Abs(y-float64(depth)/float64(told)) > 0.051 || told >= 10 && !ok || told == 0 && ok {
				t.Errorf("engine %d, ply %d: depth %v (%v) of %d moves", engine, ply, y, ok, told)
			}
		}
		if !reflect.DeepEqual(want, times[engine].X) || len(want) < 10 {
			t.Errorf("engine %d: plies %v, want %v", engine, times[engine].X, want)
		}
	}
}

func TestSqueezed(t *testing.T) {
	for score, want := range map[string]float64{
		"0": 0, "400": 0.762, "-400": -0.762, "+M3": 1, "-M12": -1, "+M*": 1, "50.0%": 0, "75%": 0.5, "": math.NaN(), "?": math.NaN(),
	} {
		if got := squeezed(telemetry.Info{Score: score}); !same(got, want) {
			t.Errorf("squeezed(%q) = %v, want %v", score, got, want)
		}
	}
}

// TestPages writes pages of tournaments that have hardly begun, or are large.
func TestPages(t *testing.T) {
	for _, names := range [][]string{{"A", "B"}, {"A", "B", "C"}} {
		m := newMaker(1, 3, names...)
		for _, log := range []*journal.Log{journal.New(m.run()), m.log(t, 1), m.log(t, 3)} {
			if page := writePage(t, log, HTMLOptions{}); !strings.HasSuffix(page, "</html>\n") || strings.Contains(page, "NaN") || strings.Contains(page, "ZgotmplZ") {
				t.Errorf("page of %d games: %.100q", log.Played, page[len(page)-100:])
			}
		}
	}
	var many []string
	for i := range 12 {
		many = append(many, strings.Repeat(string(rune('a'+i)), i+1))
	}
	log := newMaker(1, 1, many...).log(t, 0)
	if page := writePage(t, log, HTMLOptions{}); !strings.Contains(page, "a, bb, ccc, dddd, eeeee and 7 others") {
		t.Error("no title")
	}
}

// TestTablesScroll: tables are wider than phones, so that each is in a box that
// scrolls, and names without blanks must break outside of them.
func TestTablesScroll(t *testing.T) {
	tables := strings.Count(pageHTML, "<table")
	boxed := len(regexp.MustCompile(`<div class="scroll[^>]*>\s*<table`).FindAllString(pageHTML, -1))
	if tables == 0 || boxed != tables {
		t.Errorf("%d of %d tables scroll", boxed, tables)
	}
	for _, rule := range []string{`\.scroll \{[^}]*overflow-x: auto`, `body \{[^}]*overflow-wrap: anywhere`} {
		if !regexp.MustCompile(rule).MatchString(pageCSS) {
			t.Errorf("no rule %s", rule)
		}
	}
}
