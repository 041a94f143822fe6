package check

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kumiko/protocol/cli/golden"
	"kumiko/tournament/fakeengine"
	"kumiko/tournament/process"
)

// all says to run all vectors with each fake engine, which takes minutes.
var all = os.Getenv("KUMIKO_LONG") != ""

func TestMain(m *testing.M) {
	fakeengine.Main()
	flag.Parse()
	flag.Set("test.parallel", "8") // tests mostly wait
	os.Exit(m.Run())
}

// said are the faults that a fake engine can be told to have in the words of
// its script.
var said = map[string]string{
	"silent mover":       "then=",
	"no line end":        "eol=",
	"start is silent":    "start=",
	"no about":           "about=",
	"deaf to eof":        "eof=stall",
	"deaf to end":        "end=",
	"banner":             "launch=line:Fake 1.0 is ready",
	"stderr":             `launch=stderr:warning: cold\n`,
	"crlf":               `eol=\r\n`,
	"answers blanks":     "blank=line:UNKNOWN command",
	"dies of unknown":    "unknown=panic",
	"ok text":            "start=line:OK - ready",
	"ok lower":           "start=line:ok",
	"leaks":              "start=alloc:1&line:OK",
	"answers info":       "info=line:OK",
	"about with comma":   `about=line:name=\"Fake\", author=\"Doe, John\"`,
	"about is prose":     "about=line:Fake 1.0 by nobody",
	"ends with 3":        "end=exit:3",
	"opens with two":     "swap2-0=line:7,7 8,8",
	"opens twice there":  "swap2-0=line:7,7 8,8 7,7",
	"opens on stones":    "swap2-3=line:7,7",
	"opens by ok":        "swap2-5=line:OK",
	"blank in moves":     "form=line:MESSAGE depth 1 ev 0&line:X, Y",
	"blank behind moves": "form=line:MESSAGE depth 1 ev 0&line:X,Y ",
	"suggests":           "form=line:MESSAGE depth 1 ev 0&line:SUGGEST X,Y",
	"twice":              "form=line:MESSAGE depth 1 ev 0&line:X,Y&line:X,Y",
	"bare message":       "form=line:MESSAGE depth 1 ev 0&line:MESSAGE&line:X,Y",
	"debugs":             "form=line:MESSAGE depth 1 ev 0&line:DEBUG all is well&line:X,Y",
	"floods":             "form=line:MESSAGE depth 1 ev 0&print:MESSAGE &fill:131072&line:&line:X,Y",
	"garbage":            "form=line:MESSAGE depth 1 ev 0&line:thinking…&line:X,Y",
}

// fakeSpec returns how to start a fake engine that knows the rules and has
// faults.
func fakeSpec(faults ...string) process.Spec {
	words := []string{"mover=well", "form=line:MESSAGE depth 1 ev 0&line:X,Y"}
	for _, f := range faults {
		switch {
		case said[f] != "":
			words = append(words, said[f])
		case f == "no swap2":
			words = append(words, "swap2-0=line:UNKNOWN command", "swap2-3=line:UNKNOWN command", "swap2-5=line:UNKNOWN command")
		case f != "":
			words = append(words, "fault="+f)
		}
	}
	return process.Spec{Args: fakeengine.Args(words...)}
}

// results runs vectors with a fake engine. Other tests may keep the machine
// busy, so that there is some slack, which slow fakes take into account.
func results(t *testing.T, o Options, faults ...string) []Result {
	t.Helper()
	o.Quiet, o.Slack, o.Start = 250*time.Millisecond, 400*time.Millisecond, 800*time.Millisecond
	var list []Result
	sum, err := Run(t.Context(), fakeSpec(faults...), o, func(r Result) { list = append(list, r) })
	if err != nil {
		t.Fatal(err)
	}
	if sum.Pass+sum.Fail+sum.Note+sum.Skip != len(list) {
		t.Errorf("%+v sums up %d results", sum, len(list))
	}
	return list
}

// of returns the identities of results with a status.
func of(list []Result, s Status) string {
	var ids []string
	for _, r := range list {
		if r.Status == s {
			ids = append(ids, r.ID)
		}
	}
	return strings.Join(ids, " ")
}

func TestGoodEngine(t *testing.T) {
	t.Parallel()
	list := results(t, Options{Rules: []int{0, 4}})
	list = append(list, results(t, Options{Rules: []int{0, 1, 4, 8, 9}, Only: []string{"d", "f", "g1", "g2", "g4"}})...)
	for _, r := range list {
		if r.Status != Pass && r.Detail != detailSlow {
			t.Errorf("%s: %v: %s", r.ID, r.Status, r.Detail)
		}
	}
	for _, v := range Summarize(list).Verdicts {
		if !v.Ready() || v.String() != "ready" {
			t.Errorf("%v: %v", v.Manager, v)
		}
	}
}

// faultTable has the faults of the fake engine, each with the vectors that it
// fails and, after a bar, those with a note. An ellipsis stands for others
// that may fail as well.
const faultTable = "testdata/faults.txt"

// base are the vectors that an engine with a fault is asked, besides some of
// those that it should fail.
var base = []string{"h1", "h1b", "h2", "h13", "h15", "m1", "m4", "m13", "t2", "d2", "s1", "o"}

// TestFaults lets engines with one fault each run and wants it to be named,
// and nothing else.
func TestFaults(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(faultTable)
	if err != nil {
		t.Fatal(err)
	}
	places := make(chan bool, 12) // engines at once: they mostly wait
	var (
		group sync.WaitGroup
		lock  sync.Mutex
		found = map[string]string{}
		again []string // what came out otherwise while the machine was busy
	)
	for line := range strings.Lines(string(text)) {
		fault, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		group.Go(func() {
			places <- true
			defer func() { <-places }()
			got, err := checkFault(t, strings.TrimSuffix(fault, ":"), want)
			lock.Lock()
			defer lock.Unlock()
			found[line] = got
			if err != nil {
				again = append(again, line)
			}
		})
	}
	group.Wait()
	for _, line := range again {
		fault, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if _, err := checkFault(t, strings.TrimSuffix(fault, ":"), want); err != nil {
			t.Error(err)
		}
	}
	if golden.Updating() {
		var b strings.Builder
		for line := range strings.Lines(string(text)) {
			b.WriteString(found[line])
		}
		if err := os.WriteFile(faultTable, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkFault runs one faulty engine and returns its line of the table, and what
// is not as it should be.
func checkFault(t *testing.T, fault, want string) (line string, err error) {
	fails, notes, _ := strings.Cut(want, "|")
	o := Options{Rules: []int{0, 1, 4, 8, 9}, Turn: 100 * time.Millisecond}
	if !all && !golden.Updating() {
		wanted := slices.DeleteFunc(strings.Fields(want), func(id string) bool { return id == "|" || id == "…" })
		if len(wanted) < 10 { // or the engine is slow, or useless
			o.Only = append(o.Only, base...)
		}
		o.Only = append(o.Only, wanted[:min(len(wanted), 4)]...)
	}
	list := results(t, o, fault)
	got := strings.TrimSpace(of(list, Fail) + " | " + of(list, Note))
	ran := func(id string) bool { return slices.ContainsFunc(list, func(r Result) bool { return r.ID == id }) }
	wantHere := func(ids string) string {
		return strings.Join(slices.DeleteFunc(strings.Fields(ids), func(id string) bool { return !ran(id) }), " ")
	}
	expected := strings.TrimSpace(wantHere(fails) + " | " + wantHere(notes))
	if first, _, atLeast := strings.Cut(fails, "…"); atLeast {
		if !strings.Contains(" "+got, " "+strings.TrimSpace(first)+" ") {
			err = fmt.Errorf("%s: got %q, want at least %q", fault, got, first)
		}
		return fault + ": " + want + "\n", err
	}
	if got != expected && !golden.Updating() {
		err = fmt.Errorf("%s: got %q, want %q", fault, got, expected)
		for _, r := range list {
			if r.Status == Fail || r.Status == Note {
				err = fmt.Errorf("%w\n%s: %s", err, r.ID, r.Detail)
			}
		}
	}
	return fault + ": " + got + "\n", err
}

// TestSlow runs those of the slow vectors that are fast with a fast engine.
func TestSlow(t *testing.T) {
	t.Parallel()
	checkResults(t, []resultOf{
		{"", "t5", Pass, ""},
		{"", "t9", Pass, ""},
		{"", "t10", Pass, ""},
		{"", "t12", Pass, ""},
		{"leaks", "t12", Note, "after 100 games it takes"},
		{"plays on stones", "t10", Fail, "the point is taken"},
		{"plays on stones", "t12", Fail, "game 1: expected a move"},
	})
}

// A resultOf is what one vector says of an engine with a fault.
type resultOf struct {
	fault, id string
	status    Status
	detail    string // a part of it
}

// checkResults runs vectors, each with its engine, at the same time.
func checkResults(t *testing.T, tests []resultOf) {
	t.Helper()
	var group sync.WaitGroup
	for _, tt := range tests {
		if tt.id == "t12" && runtime.GOOS != "linux" {
			continue // not every system tells the memory of a process
		}
		group.Go(func() {
			r := results(t, Options{Only: []string{tt.id}}, tt.fault)[0]
			if r.Status != tt.status || !strings.Contains(r.Detail, tt.detail) {
				t.Errorf("%s: %s: %v: %s\nwant %v: %s", tt.fault, tt.id, r.Status, r.Detail, tt.status, tt.detail)
			}
		})
	}
	group.Wait()
}

// TestVector runs vectors that are not in the table.
func TestVector(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fault, steps string
		status       Status
		detail       string
	}{
		{"", "start 15\n! games 3 moves 1 memory 100000", Fail, "after 1 games it takes"},
		{"", "start 15\n! clock match 1ms turn 1s moves 20", Fail, "20 moves took"},
		{"", "start 15\n! selfplay from h8h9 plies 400 turn 1s", Pass, ""},
		{"plays off board", "start 15\n! selfplay from h8h9 plies 400 turn 1s", Fail, "move 3: expected a move, received 15,0: it is off"},
		{"", "start 15\n> BEGIN\n< move ideally 1ns\n> TURN $1\n< error\n> TURN $free\n< move", Pass, ""},
		{"", "start 15\n> TURN 7,7\n< error | move only 9,9", Fail, "expected ERROR or the move 9,9, received"},
		{"", "start 15\n> END\n> BEGIN\n> BEGIN\n< move", Fail, "the process exited with code 0"},
		{"", "start 15\n> END\n! wait 100ms\n> BEGIN\n< move", Fail, "the process exited with code 0"},
		{"deaf to end", "start 15\n> END\n! wait 1ms\n> BEGIN\n< move", Pass, ""},
	}
	var group sync.WaitGroup
	for _, tt := range tests {
		vectors, err := parseVectors("vector x1 title\n" + tt.steps + "\n")
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Slack: time.Second}
		if err := o.normalize(vectors); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			r := &runner{ctx: t.Context(), spec: fakeSpec(tt.fault), o: o, seen: &hygiene{faults: map[string][]string{}}}
			got, err := r.run(vectors[0])
			if err != nil || got.Status != tt.status || !strings.Contains(got.Detail, tt.detail) {
				t.Errorf("%q: %v: %s, %v\nwant %v: %s", tt.steps, got.Status, got.Detail, err, tt.status, tt.detail)
			}
		})
	}
	group.Wait()
}

// TestDetails wants the words that tell a user what is wrong.
func TestDetails(t *testing.T) {
	t.Parallel()
	checkResults(t, []resultOf{
		{"start is silent", "h1", Fail, "received nothing within 2.4s; no bytes received though the process is alive: does the engine flush stdout?\n> START 20"},
		{"no flush", "h1", Fail, "but something when the process ended: the engine does not flush stdout"},
		{"no line end", "h1", Fail, "but OK without the end of a line"},
		{"silent mover", "m2", Fail, "expected a move, received nothing within 1.65s\n"},
		{"crlf", "h2", Fail, "received OK: it ends with CR, not with LF alone\n> START 20\\r\n< OK\\r"},
		{"dies of rectstart", "h5", Fail, "the process exited with code 2"},
		{"no rectstart", "h5", Note, "not supported: UNKNOWN command"},
		{"ends with 3", "h15", Note, "the process exited with code 3"},
		{"plays off board", "m2", Fail, "expected a move, received 20,0: it is off the board of 20x20\n"},
		{"plays on stones", "m4", Fail, "the point is taken"},
		{"misses blocks", "d9", Fail, "rule 0: expected the move 9,7, received "},
		{"only 20", "m3", Skip, "START 15 is answered by ERROR sizes from 5 to 100, such as 20"},
		{"opens twice there", "s1", Fail, "7,7 comes twice"},
		{"about with comma", "h8b", Fail, `the part "John\"" is not a pair`},
		{"deaf to eof", "h16", Fail, "expected the end of the process, received nothing within 900ms"},
	})
}

// TestSlowStart lets an engine take its time to start up, when it is launched
// or told to START. It has as much as it is given, and what is measured from
// then on is not its start.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	const slow = "slow start: START was answered after 2"
	tests := []struct {
		word   string
		start  time.Duration
		only   string
		detail string // of the first; the others pass
		status Status
	}{
		{"start=sleep:2600ms&line:OK", 20 * time.Second, "h1 m2", slow, Note},
		{"launch=sleep:2600ms", 20 * time.Second, "h1 h3 h8", slow, Note},
		{"launch=sleep:2600ms", 20 * time.Second, "m2", slow, Note},
		{"launch=sleep:2600ms", time.Second, "h1", "expected OK, received nothing within 2.4s", Fail},
		{"launch=sleep:1s", 20 * time.Second, "h1 h8", "", Pass},
	}
	var group sync.WaitGroup
	for _, tt := range tests {
		group.Go(func() {
			spec := fakeSpec()
			spec.Args = append(spec.Args, tt.word)
			o := Options{Only: strings.Fields(tt.only), Start: tt.start, Slack: 400 * time.Millisecond, Quiet: 250 * time.Millisecond}
			first := true
			_, err := Run(t.Context(), spec, o, func(r Result) {
				status, detail := Pass, ""
				if first {
					status, detail = tt.status, tt.detail
				}
				first = false
				if r.Status != status || !strings.Contains(r.Detail, detail) || detail == "" && r.Detail != "" {
					t.Errorf("%s, %v to start: %s: %v: %s, want %v: %s", tt.word, tt.start, r.ID, r.Status, r.Detail, status, detail)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// Rules that the engine need not know make no failures.
func TestUnclaimedRules(t *testing.T) {
	t.Parallel()
	list := results(t, Options{Only: []string{"f", "g2", "d1"}}, "knows freestyle only")
	if got, want := of(list, Fail)+"|"+of(list, Note), "|g2 f1 f3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An engine that does not answer START is not asked eighty times.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	list := results(t, Options{}, "start is silent")
	if got := of(list, Fail); got != "h1 h1b" {
		t.Errorf("failed: %s", got)
	}
	for _, v := range Summarize(list).Verdicts {
		if v.Ready() || len(v.Faults) == 0 {
			t.Errorf("%v: %v", v.Manager, v)
		}
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	report := func(Result) { t.Error("a result") }
	if _, err := Run(t.Context(), process.Spec{Args: []string{"/no/such/engine"}}, Options{}, report); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no program: %v", err)
	}
	if _, err := Run(t.Context(), fakeSpec(), Options{Only: []string{"h99"}}, report); err == nil || !strings.Contains(err.Error(), `unknown vector "h99"`) {
		t.Errorf("no vector: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := Run(ctx, fakeSpec("silent mover"), Options{Only: []string{"t5"}}, report); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("cancelled after %v", took)
	}
}

func TestWriteText(t *testing.T) {
	results := []Result{
		{Group: "Handshake", ID: "h1", Title: "START is answered", Status: Pass, Took: 12 * time.Millisecond, Managers: []Manager{Piskvork}},
		{Group: "Handshake", ID: "h8b", Title: "ABOUT", Status: Note, Detail: "not supported: UNKNOWN\nand so on", Took: time.Second, Managers: []Manager{Liskvork}},
		{Group: "Moves", ID: "m1", Title: "BEGIN is answered by a move", Status: Fail, Detail: "expected a move, received 7;7\n> BEGIN\n< 7;7",
			Why: "Otherwise there is no game.", Managers: []Manager{Piskvork, CGomokuCLI}, Took: 1234567 * time.Microsecond},
		{Group: "Moves", ID: "m3", Title: "Another", Status: Skip, Detail: "START 15 is not answered\n> START 15", Managers: []Manager{GomocupJudge}},
		{Group: "Time", ID: "t5", Title: "A slow one", Status: Skip, Detail: detailSlow, Managers: []Manager{Liskvork}},
		{Group: "Handshake", ID: "h18", Title: "Nothing on stderr", Status: Fail, Detail: "on standard error: x", Why: "It hurts.", Managers: []Manager{Piskvork}},
	}
	var b bytes.Buffer
	if err := WriteText(&b, results...); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/text.golden", b.String())
}
