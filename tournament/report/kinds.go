package report

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"strings"

	"kumiko/tournament/outfile"
)

// The kinds of files that this package writes, with which a file may be replaced
// by another of its kind.
var (
	HTMLFile     = outfile.Kind{Name: "a report in HTML", Match: regexp.MustCompile(`(?s)^\s*<!doctype html>.*` + regexp.QuoteMeta(generator)).Match}
	JSONFile     = outfile.Kind{Name: "a report in JSON", Match: regexp.MustCompile(`^\{\s*"v": \d+,\s*"id": "`).Match}
	CSVFile      = outfile.Kind{Name: "a table of games in CSV", Match: isCSV}
	PGNFile      = outfile.Kind{Name: "games in PGN", Match: regexp.MustCompile(`^\[Event "\d+"\]\r?\n\[Date "`).Match}
	SGFFile      = outfile.Kind{Name: "games in SGF", Match: regexp.MustCompile(`^\(;FF\[4\](CA\[[^\]]*\])?GM\[4\]`).Match}
	PSQFile      = outfile.Kind{Name: "a game of Piskvork", Match: regexp.MustCompile(`^Piskvorky \d+x\d+, `).Match}
	OpeningsFile = outfile.Kind{Name: "a list of openings", Match: regexp.MustCompile(`^-?\d+, ?-?\d+(, +-?\d+, ?-?\d+)*\r?(\n|$)`).Match}
	MessagesFile = outfile.Kind{Name: "the messages of engines", Match: regexp.MustCompile(`^-{40}\nGame ID: \d+\n`).Match}
)

// generator marks a page as a report.
const generator = `<meta name="generator" content="kumiko report">`

// isCSV matches the line that names the columns, whose later ones differ between
// versions.
func isCSV(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	heads, err := csv.NewReader(strings.NewReader(string(line))).Read()
	return err == nil && strings.HasPrefix(strings.Join(heads, ","), strings.Join(csvHeads[:8], ","))
}

// Kind returns the kind of a file of samples.
func (f SampleFormat) Kind() outfile.Kind {
	match := regexp.MustCompile(`^([a-z]\d+)*,[a-z]\d+,[012]\n`).Match
	if f != SampleCSV { // the formats have no mark, but every text is foreign
		match = func(start []byte) bool {
			return bytes.IndexByte(start, 0) >= 0 && !bytes.HasPrefix(start, []byte("\x7fELF"))
		}
	}
	return outfile.Kind{Name: "samples as " + string(f), Match: match}
}
