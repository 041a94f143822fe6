package check

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// WriteText writes results as a table in groups, one line per vector. Failures
// are explained, with the dialogue before them. The last lines say for each
// manager whether the engine can play under it.
func WriteText(w io.Writer, results ...Result) error {
	b := bufio.NewWriter(w)
	for i, group := range groups(results) {
		if i > 0 {
			fmt.Fprintln(b)
		}
		fmt.Fprintln(b, group)
		for _, r := range results {
			if r.Group == group {
				writeResult(b, r)
			}
		}
	}
	s := Summarize(results)
	fmt.Fprintf(b, "\n%d passed, %d failed, %d noted, %d skipped\n\n", s.Pass, s.Fail, s.Note, s.Skip)
	for _, v := range s.Verdicts {
		fmt.Fprintf(b, "%-18s %v\n", v.Manager, v)
	}
	return b.Flush()
}

// groups returns the groups of results in order of appearance.
func groups(results []Result) []string {
	var list []string
	for _, r := range results {
		if !slices.Contains(list, r.Group) {
			list = append(list, r.Group)
		}
	}
	return list
}

// writeResult writes the lines of a vector.
func writeResult(b *bufio.Writer, r Result) {
	line := fmt.Sprintf("  %v  %-4s %s", r.Status, r.ID, r.Title)
	if r.Took > 0 {
		line = fmt.Sprintf("%-80s %6d ms", line, r.Took.Round(time.Millisecond).Milliseconds())
	}
	fmt.Fprintln(b, line)
	const indent = "             "
	first, more, _ := strings.Cut(r.Detail, "\n")
	if first != "" {
		fmt.Fprintln(b, indent+first)
	}
	if r.Status != Fail && r.Status != Note {
		return
	}
	margin := indent
	if r.Status == Fail {
		margin += "  "
	}
	for line := range strings.Lines(more) {
		fmt.Fprintln(b, margin+strings.TrimRight(line, "\n"))
	}
	if r.Status == Note {
		return
	}
	if len(r.Managers) > 0 {
		var names []string
		for _, m := range r.Managers {
			names = append(names, m.String())
		}
		fmt.Fprintln(b, indent+"matters to "+strings.Join(names, ", "))
	}
	fmt.Fprintln(b, indent+r.Why)
}
