package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/tournament/jsonl"
)

// A record is a line of a log behind the settings: the scores of the pairs
// that a method has asked for, in half points from 0 to 4.
type record struct {
	Number int   `json:"n"` // from 1
	Scores []int `json:"scores"`
	State  any   `json:"state,omitempty"` // what the method made of them; for readers
}

// check reports what cannot be in record n.
func (r *record) check(n int) error {
	if r.Number != n {
		return fmt.Errorf("record %d, want %d", r.Number, n)
	}
	for _, s := range r.Scores {
		if s < 0 || s > 4 {
			return fmt.Errorf("a pair that scored %d half points", s)
		}
	}
	return nil
}

// A reader takes in the lines of a log.
type reader struct {
	want    []byte    // the settings that it has to have, if not nil
	have    *settings // nil as long as there has been no line
	method  method    // brought to where the log ends
	records int
}

// line takes a line in.
func (r *reader) line(text []byte) error {
	if r.have == nil {
		return r.settings(text)
	}
	var rec record
	if err := json.Unmarshal(text, &rec); err != nil {
		return err
	}
	if err := rec.check(r.records + 1); err != nil {
		return err
	}
	if pairs := r.method.next(); len(pairs) != len(rec.Scores) || len(pairs) == 0 {
		return fmt.Errorf("the scores of %d pairs, want %d", len(rec.Scores), len(pairs))
	}
	r.method.take(rec.Scores)
	r.records++
	return nil
}

// settings takes the first line in.
func (r *reader) settings(text []byte) error {
	var line settingsLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	if r.want != nil {
		if d := differences(text, r.want); len(d) > 0 {
			return fmt.Errorf("the log has other settings:\n  %s", strings.Join(d, "\n  "))
		}
	}
	if err := line.Settings.check(); err != nil {
		return err
	}
	r.have = line.Settings
	r.method = r.have.newMethod()
	return nil
}

// readLog reads the log of a file that some process may be writing, and brings
// its method to where it ends.
func readLog(name string) (*settings, method, error) {
	log, err := jsonl.Follow(name)
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	var r reader
	if err := log.Update(r.line); err != nil {
		return nil, nil, err
	}
	if r.have == nil {
		return nil, nil, fmt.Errorf("%s: the log is empty", name)
	}
	return r.have, r.method, nil
}

// A journal is a log that is appended to. Only one process can.
type journal struct {
	*jsonl.Writer
	records int
}

// openJournal opens a log to append to, or begins one, and returns its method
// where the log ends. A log of other settings is refused, with all differences
// named.
func openJournal(name string, s *settings) (*journal, method, error) {
	first, err := json.Marshal(settingsLine{s})
	if err != nil {
		return nil, nil, err
	}
	r := reader{want: first}
	log, err := jsonl.Open(name, jsonl.Options{Lock: name + ".lock", Begin: logBegin}, r.line)
	if err != nil {
		return nil, nil, err
	}
	j := &journal{log, r.records}
	if r.have != nil {
		return j, r.method, nil
	}
	if err := j.Append(first); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, s.newMethod(), nil
}

// logBegin is what every log begins with.
const logBegin = `{"tune":{`

// add appends a record.
func (j *journal) add(scores []int, state any) error {
	j.records++
	text, err := json.Marshal(record{j.records, scores, state})
	if err != nil {
		return err
	}
	return j.Append(text)
}

// differences lists what two first lines say otherwise.
func differences(had, want []byte) []string {
	var h, w struct{ Tune json.RawMessage }
	if err := errors.Join(json.Unmarshal(had, &h), json.Unmarshal(want, &w)); err != nil {
		return []string{err.Error()}
	}
	return compare("", h.Tune, w.Tune)
}

// compare lists what two JSON texts say otherwise, by the names of fields.
func compare(name string, had, want json.RawMessage) []string {
	var h, w map[string]json.RawMessage
	if json.Unmarshal(had, &h) == nil && json.Unmarshal(want, &w) == nil && h != nil && w != nil {
		all := maps.Clone(h)
		maps.Copy(all, w)
		var list []string
		for _, key := range slices.Sorted(maps.Keys(all)) {
			list = append(list, compare(strings.TrimPrefix(name+"."+key, "."), h[key], w[key])...)
		}
		return list
	}
	const long = 70
	switch {
	case bytes.Equal(had, want):
		return nil
	case had == nil:
		return []string{name + " is missing"}
	case want == nil:
		return []string{name + " is there"}
	case len(had)+len(want) > long:
		return []string{name + " is another"}
	}
	return []string{fmt.Sprintf("%s is %s, not %s", name, had, want)}
}
