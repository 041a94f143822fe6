// Package check finds protocol errors of an engine that speaks the Piskvork
// protocol, before a tournament does. It sends the engine the dialogues of a
// table, vectors.txt, and reports for each what the answer should have been,
// why that matters, and to which managers.
package check

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Manager is a program that runs matches between engines.
type Manager uint8

const (
	Piskvork          Manager = iota
	GomocupJudge              // the one used in the tournament
	GomocupJudgeLocal         // the one for local tests
	CGomokuCLI
	QPiskvork
	Liskvork
	numManagers
)

func (m Manager) String() string {
	return [...]string{"Piskvork", "GomocupJudge", "GomocupJudgeLocal", "c-gomoku-cli", "qpiskvork", "liskvork"}[m]
}

// managerOf returns the manager with a letter in the table.
func managerOf(letter string) (Manager, bool) {
	i := strings.Index("PJLCQK", letter)
	return Manager(i), len(letter) == 1 && i >= 0
}

// A Status says how a vector ended.
type Status uint8

const (
	Pass Status = iota
	Fail        // the engine breaks the protocol
	Note        // the engine could do better, or lacks something optional
	Skip        // the vector was not run, or could not be
)

func (s Status) String() string { return [...]string{"pass", "FAIL", "note", "skip"}[s] }

// A Result is the result of a vector.
type Result struct {
	Group    string // of vectors, such as "Time and control"
	ID       string // such as "t3"
	Title    string // what is required
	Status   Status
	Detail   string    // what was wrong, and on further lines the dialogue before it; "" if it passed
	Why      string    // why it matters
	Managers []Manager // managers with which a failure loses games
	Took     time.Duration
}

// A Verdict says whether an engine can play under a manager.
type Verdict struct {
	Manager  Manager
	Faults   []Result // failures that lose games
	Untested int      // relevant vectors that could not be run
}

// Ready reports whether no fault is known and nothing is untested.
func (v Verdict) Ready() bool { return len(v.Faults) == 0 && v.Untested == 0 }

func (v Verdict) String() string {
	switch {
	case len(v.Faults) > 0:
		var list []string
		for _, r := range v.Faults {
			list = append(list, fmt.Sprintf("%s (%s)", r.ID, r.Title))
		}
		verb := "fails"
		if len(list) > 1 {
			verb = "fail"
		}
		return "will lose games because " + strings.Join(list, ", ") + " " + verb
	case v.Untested > 0:
		return fmt.Sprintf("not known, %d of its vectors could not be run", v.Untested)
	}
	return "ready"
}

// A Summary counts results and has a verdict per manager.
type Summary struct {
	Pass, Fail, Note, Skip int
	Verdicts               []Verdict
}

// detailSlow is the detail of a slow vector that was not requested.
const detailSlow = "slow: run it by itself or with --slow"

// Summarize summarizes results.
func Summarize(results []Result) Summary {
	var s Summary
	for m := range numManagers {
		s.Verdicts = append(s.Verdicts, Verdict{Manager: m})
	}
	for _, r := range results {
		*[...]*int{&s.Pass, &s.Fail, &s.Note, &s.Skip}[r.Status]++
		for i := range s.Verdicts {
			v := &s.Verdicts[i]
			switch {
			case !slices.Contains(r.Managers, v.Manager):
			case r.Status == Fail:
				v.Faults = append(v.Faults, r)
			case r.Status == Skip && r.Detail != detailSlow:
				v.Untested++
			}
		}
	}
	return s
}
