package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kumiko/protocol/wire"
)

// Transcripts are dialogues that a server must keep up. The files in testdata
// hold cases, each a dialogue with a server of its own, in this language:
//
//	# comment
//	case h1: what it is about
//	with $r in 0 1 4      the case is run for each value of $r; a + in one is
//	                      a blank
//	serial                little else may run meanwhile: times matter
//	> START 15            send a line, ended by LF
//	>> "START 15\r\n"     send a Go string as it is; "x" * 1000 repeats it
//	>| BOARD 7,7,1 DONE   send each word as a line
//	< OK                  the next line is this
//	< MOVE =a             it is a move, from now on called $a
//	< MOVE within 200ms   it comes within that time after the last send
//	< not 7,7 8,8         it is a move, but none of these
//	< {7,7 | ERROR*}      it is one of these; * stands for any end
//	< /^FORBID .*0707/    it matches the expression
//	< !/0808/             it does not
//	silent 300ms          nothing comes for that time
//	never /ev \+M/        no line of the rest of the case matches
//	sleep 100ms           wait
//	suspend 3s            stop the process for that time, then let it go on
//	eof                   close the input
//	exit 500ms            the server is gone within that time after the last
//	                      send; until then only what is due may have come
//
// Two variables are limits in ms: $turn for moves that are hard to find and
// $short for others. Both are longer if KUMIKO_LONG is set.
//
// MESSAGE and INFO lines pass unseen unless the expected line is one. All
// lines are judged by a referee besides: moves must be free points of the
// board, and as many must come as are asked for. A case that does not say how
// it ends is ended by END. Nothing may have been written to stderr.
//
// The flag -binary runs them against any other program.

// A testCase is one case of a transcript.
type testCase struct {
	file   string // its name without the end, "handshake"
	id     string // "h1"
	serial bool
	steps  []step
}

// A step is one line of a transcript.
type step struct {
	line int    // in its file
	verb string // its first word
	text string // the rest
}

func TestTranscripts(t *testing.T) {
	eachCase(t, func(t *testing.T, c testCase) {
		c.run(t, newProcess)
	})
}

// TestTranscriptsInProcess leaves what depends on the engine's strength or on
// the clock to the process, unless there is time for all.
func TestTranscriptsInProcess(t *testing.T) {
	eachCase(t, func(t *testing.T, c testCase) {
		if !long() && (c.serial || slices.Contains([]string{"time", "rules", "renju", "reports", "managers", "opening"}, c.file)) {
			t.Skip("told by the process")
		}
		c.run(t, func(t testing.TB) *session { return newSession(t, newEngine()) })
	})
}

// eachCase runs the cases of all files: first those in which times matter, no
// more at a time than there are processors to spare, then all others together.
func eachCase(t *testing.T, run func(t *testing.T, c testCase)) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	var serial, others []testCase
	for _, file := range files {
		cases, err := readCases(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.serial {
				serial = append(serial, c)
			} else {
				others = append(others, c)
			}
		}
	}
	queue := make(chan testCase)
	var group sync.WaitGroup
	for range min(2, runtime.NumCPU()) {
		group.Go(func() {
			for c := range queue {
				t.Run(c.file+"/"+c.id, func(t *testing.T) { run(t, c) })
			}
		})
	}
	for _, c := range serial {
		queue <- c
	}
	close(queue)
	group.Wait()
	for _, c := range others {
		t.Run(c.file+"/"+c.id, func(t *testing.T) {
			t.Parallel()
			run(t, c)
		})
	}
}

// readCases reads a file of transcripts.
func readCases(file string) ([]testCase, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cases []testCase
	var values []string // of the variable of the current case
	var name string
	flush := func() {
		if name == "" {
			return
		}
		last := cases[len(cases)-1]
		cases = cases[:len(cases)-1]
		for _, v := range values {
			cases = append(cases, last.with(name, v))
		}
		name = ""
	}
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for n := 1; scan.Scan(); n++ {
		text := strings.TrimSpace(scan.Text())
		verb, rest, _ := strings.Cut(text, " ")
		rest = strings.TrimSpace(rest)
		switch {
		case text == "" || text[0] == '#':
			continue
		case verb == "case":
			flush()
			id, _, ok := strings.Cut(rest, ":")
			if !ok {
				return nil, fmt.Errorf("%s:%d: case without a colon", file, n)
			}
			cases = append(cases, testCase{file: strings.TrimSuffix(filepath.Base(file), ".txt"), id: id})
			continue
		case len(cases) == 0:
			return nil, fmt.Errorf("%s:%d: not in a case", file, n)
		}
		c := &cases[len(cases)-1]
		switch verb {
		case "with":
			words := strings.Fields(rest)
			if len(words) < 3 || words[1] != "in" {
				return nil, fmt.Errorf("%s:%d: want with $name in values", file, n)
			}
			name, values = words[0], words[2:]
		case "serial":
			c.serial = true
		default:
			c.steps = append(c.steps, step{n, verb, rest})
		}
	}
	flush()
	return cases, scan.Err()
}

// with returns the case with a value for a variable.
func (c testCase) with(name, value string) testCase {
	d := testCase{file: c.file, id: c.id + "/" + value, serial: c.serial}
	for _, s := range c.steps {
		s.text = strings.ReplaceAll(s.text, name, strings.ReplaceAll(value, "+", " "))
		d.steps = append(d.steps, s)
	}
	return d
}

// A player runs one case.
type player struct {
	*session
	t     *testing.T
	vars  map[string]string
	never []*regexp.Regexp
	ended bool
}

// run has up to three tries, as a busy machine may spoil a measurement.
func (c testCase) run(t *testing.T, start func(testing.TB) *session) {
	var err error
	for range 3 {
		err = c.play(&player{session: start(t), t: t, vars: limits()})
		if !errors.Is(err, errLate) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// limits are the variables that all cases have.
func limits() map[string]string {
	if long() {
		return map[string]string{"$turn": "2000", "$short": "2000"}
	}
	return map[string]string{"$turn": "1000", "$short": "300"}
}

// play takes the steps of the case.
func (c testCase) play(p *player) error {
	for _, s := range c.steps {
		if err := p.step(s); err != nil {
			return fmt.Errorf("line %d, %s %s: %w", s.line, s.verb, s.text, err)
		}
	}
	if p.ended {
		return nil
	}
	p.send("END\n")
	return p.exit(2 * time.Second)
}

// step does what one line says.
func (p *player) step(s step) error {
	text := p.expand(s.text)
	switch s.verb {
	case ">":
		p.send(text + "\n")
	case ">>":
		raw, err := unquote(text)
		if err != nil {
			return err
		}
		p.send(raw)
	case ">|":
		p.send(strings.Join(strings.Fields(text), "\n") + "\n")
	case "<":
		return p.expect(text)
	case "never":
		re, err := regexp.Compile(strings.Trim(text, "/"))
		p.never = append(p.never, re)
		return err
	case "eof":
		p.closeInput()
		p.ended = true
	case "silent", "sleep", "suspend", "exit":
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		switch s.verb {
		case "silent":
			p.silent(d)
		case "sleep":
			time.Sleep(d)
		case "suspend":
			p.suspend(d)
		case "exit":
			p.ended = true
			return p.exit(d)
		}
	default:
		return fmt.Errorf("no such step")
	}
	return nil
}

// expect receives the next line and compares it with a pattern.
func (p *player) expect(pattern string) error {
	within := patience
	if before, after, ok := strings.Cut(pattern, " within "); ok {
		d, err := time.ParseDuration(after)
		if err != nil {
			return err
		}
		pattern, within = before, d
	}
	pattern, name, _ := strings.Cut(pattern, " =")
	for {
		r, ok := p.receive(within)
		if !ok {
			return errLate
		}
		for _, re := range p.never {
			if re.MatchString(r.text) {
				return fmt.Errorf("got %q", r.text)
			}
		}
		if wire.IsNews(r.text) && !strings.HasPrefix(pattern, r.text[:4]) && pattern[0] != '/' {
			continue
		}
		ok, err := matches(pattern, r.text)
		if err == nil && !ok {
			err = fmt.Errorf("got %q", r.text)
		}
		if name != "" {
			p.vars["$"+name] = r.text
		}
		return err
	}
}

// matches reports whether a line is what a pattern of a transcript means.
func matches(pattern, line string) (bool, error) {
	word, rest, _ := strings.Cut(pattern, " ")
	switch {
	case strings.HasPrefix(pattern, "{"):
		for alt := range strings.SplitSeq(strings.Trim(pattern, "{}"), "|") {
			if ok, err := matches(strings.TrimSpace(alt), line); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	case strings.HasPrefix(pattern, "/"), strings.HasPrefix(pattern, "!/"):
		re, err := regexp.Compile(strings.Trim(pattern, "!/"))
		return err == nil && re.MatchString(line) == (pattern[0] == '/'), err
	case pattern == "MOVE":
		return moveRE.MatchString(line), nil
	case word == "not":
		for other := range strings.FieldsSeq(rest) {
			if line == other {
				return false, nil
			}
		}
		return moveRE.MatchString(line), nil
	case strings.HasSuffix(pattern, "*"):
		return strings.HasPrefix(line, strings.TrimSuffix(pattern, "*")), nil
	}
	return line == pattern, nil
}

// expand replaces the variables in a text by their values.
func (p *player) expand(text string) string {
	if !strings.Contains(text, "$") {
		return text
	}
	for name, value := range p.vars {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}

// unquote reads a Go string, or one that is repeated: "x" * 3.
func unquote(text string) (string, error) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", err
	}
	s, err := strconv.Unquote(quoted)
	if err != nil {
		return "", err
	}
	if _, count, ok := strings.Cut(text[len(quoted):], "*"); ok {
		n, err := strconv.Atoi(strings.TrimSpace(count))
		return strings.Repeat(s, n), err
	}
	return s, nil
}
