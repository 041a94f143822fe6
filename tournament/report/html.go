package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strings"

	"kumiko/engine/diagram"
	"kumiko/tournament/journal"
)

// The parts of the page written by WriteHTML.
var (
	//go:embed html/page.html
	pageHTML string
	//go:embed html/style.css
	styleCSS string
	//go:embed html/dom.js
	domJS string
	//go:embed html/report.js
	reportJS string

	pageCSS = styleCSS + diagram.CSS
	pageJS  = domJS + diagram.JS + reportJS
)

// DefaultGames is the default maximum number of games that a page can replay.
const DefaultGames = 2000

// HTMLOptions are the options of a page.
type HTMLOptions struct {
	Options
	Games int // maximum number of replayable games, those with failures first, then the latest; 0 means DefaultGames
}

// A page is the data of the template.
type page struct {
	*view
	Policy string       // content security policy: allow only this script and this style
	Style  template.CSS // our own
	Script template.JS  // our own
	Data   template.JS  // JSON in which <, > and & are escaped
}

// WriteHTML writes a self-contained page about a tournament: no other file, no
// network. It is in English, light or dark as the reader prefers, for phones
// and desktops.
func WriteHTML(w io.Writer, log *journal.Log, o HTMLOptions) error {
	o.Games = cmp.Or(o.Games, DefaultGames)
	t := NewTally(log)
	s, err := StandingsOf(t, o.Options)
	if err != nil {
		return err
	}
	d, err := newPageData(log, t, o)
	if err != nil {
		return err
	}
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	tmpl, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	return tmpl.Execute(w, page{
		view:   newView(log, t, s, d),
		Policy: "default-src 'none'; style-src " + hashSource(pageCSS) + "; script-src " + hashSource(pageJS) + "; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(pageCSS),
		Script: template.JS(pageJS),
		Data:   template.JS(data),
	})
}

// hashSource returns the policy source for a style or script: the hash of its
// text with line ends as browsers normalize them.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
