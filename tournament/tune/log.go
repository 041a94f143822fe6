package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"kumiko/tournament/jsonl"
)

// A record is a line of a log after the settings: the scores of the pairs that
// a method has asked for, in half points from 0 to 4, or the number of pairs to
// which a finished run was extended.
type record struct {
	Number int             `json:"n"` // from 1
	Scores []int           `json:"scores,omitempty"`
	Extend int             `json:"extend,omitempty"`
	State  json.RawMessage `json:"state,omitempty"` // state of the method after the scores
	// Sum is the CRC-32 (IEEE) of all lines so far, without itself. Old logs
	// lack it.
	Sum string `json:"sum,omitempty"`
}

// check reports an invalid record n.
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

// A reader reads the lines of a log.
type reader struct {
	want    *settings // required settings, if not nil
	have    *settings // nil before the first line
	method  method    // in its state at the end of the log
	records int
	sum     uint32 // of the lines so far
	summed  bool   // a record had a checksum
	differs string // what distinguishes the settings from want, or ""
}

// line reads a line.
func (r *reader) line(text []byte) error {
	before := r.sum
	r.sum = sumLine(before, text)
	if r.have == nil {
		return r.settings(text)
	}
	if err := r.record(before, text); err != nil {
		return jsonl.Damage(err)
	}
	return nil
}

// record reads a line after the settings, given the checksum of those before.
func (r *reader) record(before uint32, text []byte) error {
	var rec record
	if err := json.Unmarshal(text, &rec); err != nil {
		return err
	}
	if err := r.checkSum(before, text, rec.Sum); err != nil {
		return err
	}
	if err := rec.check(r.records + 1); err != nil {
		return err
	}
	r.records++
	if rec.Extend > 0 {
		return extend(r.method, rec.Extend)
	}
	if pairs := r.method.next(len(rec.Scores)); len(pairs) != len(rec.Scores) || len(pairs) == 0 {
		return fmt.Errorf("the scores of %d pairs, want %d", len(rec.Scores), len(pairs))
	}
	r.method.take(rec.Scores)
	return r.state(rec.State)
}

// sumLine returns the checksum of the lines up to and including this one.
func sumLine(before uint32, text []byte) uint32 {
	return crc32.Update(crc32.Update(before, crc32.IEEETable, text), crc32.IEEETable, []byte("\n"))
}

// withSum appends its checksum to a record, given that of the lines before.
func withSum(before uint32, text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte("}"))
	return fmt.Appendf(text, `,"sum":"%08x"}`, crc32.Update(before, crc32.IEEETable, text))
}

// checkSum checks the checksum of a line.
func (r *reader) checkSum(before uint32, text []byte, sum string) error {
	rest, ok := bytes.CutSuffix(text, fmt.Appendf(nil, `,"sum":"%s"}`, sum))
	switch {
	case sum == "" && !r.summed:
		return nil
	case sum == "":
		return errors.New("the checksum is missing")
	case !ok || !bytes.Equal(withSum(before, append(bytes.Clone(rest), '}')), text):
		return errors.New("the checksum is wrong: this or an earlier line was changed")
	}
	r.summed = true
	return nil
}

// state checks that a state in the log follows from the scores.
func (r *reader) state(had json.RawMessage) error {
	want := stateOf(r.method)
	if bytes.Equal(had, want) {
		return nil
	}
	if had == nil {
		return errors.New("the state is missing")
	}
	return fmt.Errorf("the scores lead to another state than the one beside them, %.60s…: one of them was changed", had)
}

// stateOf returns the state of a method as a log has it, or nil.
func stateOf(m method) json.RawMessage {
	if m.state() == nil {
		return nil
	}
	text, err := json.Marshal(m.state())
	if err != nil {
		panic(err) // finite numbers only
	}
	return text
}

// settings reads the first line.
func (r *reader) settings(text []byte) error {
	var line settingsLine
	if err := json.Unmarshal(text, &line); err != nil {
		return jsonl.Damage(err)
	}
	if r.want != nil {
		// Not said before the checksums show that the line is not damaged.
		r.differs = differences(line.Settings, r.want)
	}
	if err := line.Settings.check(); err != nil {
		return jsonl.Damage(err)
	}
	r.have = line.Settings
	r.method = r.have.newMethod()
	return nil
}

// readLog reads a log that some process may be writing, and returns its method
// in the state at its end.
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
	last, err := log.Rest(logBegin)
	if err != nil {
		return nil, nil, err
	}
	if last != nil {
		if err := r.line(last); err != nil {
			return nil, nil, fmt.Errorf("%s: the last line: %w", name, err)
		}
	}
	if r.have == nil {
		return nil, nil, fmt.Errorf("%s: the log is empty", name)
	}
	return r.have, r.method, nil
}

// A journal is a log open for appending. Only one process can hold it.
type journal struct {
	*jsonl.Writer
	records int
	sum     uint32 // of all lines
}

// openJournal opens a log to append to, or begins one, and returns its method
// in the state at its end. It refuses a log of other settings, naming all
// differences.
func openJournal(name string, s *settings) (*journal, method, error) {
	r := reader{want: s}
	log, err := jsonl.Open(name, jsonl.Options{Lock: jsonl.LockName(name), Begin: logBegin}, r.line)
	if err != nil {
		return nil, nil, err
	}
	j := &journal{log, r.records, r.sum}
	if r.differs != "" {
		return nil, nil, errors.Join(fmt.Errorf("%s:1: %s", name, r.differs), j.Close())
	}
	if r.have != nil {
		return j, r.method, nil
	}
	first, err := json.Marshal(settingsLine{s})
	if err == nil {
		err = j.append(first)
	}
	if err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, s.newMethod(), nil
}

// logBegin is how every log begins.
const logBegin = `{"tune":{`

// add appends the scores that a method has taken.
func (j *journal) add(m method, scores []int) error {
	return j.record(record{Scores: scores, State: stateOf(m)})
}

// extend extends a finished run to that many pairs.
func (j *journal) extend(m method, pairs int) error {
	if err := extend(m, pairs); err != nil {
		return err
	}
	return j.record(record{Extend: pairs})
}

func (j *journal) record(r record) error {
	j.records++
	r.Number = j.records
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return j.append(withSum(j.sum, text))
}

func (j *journal) append(text []byte) error {
	j.sum = sumLine(j.sum, text)
	return j.Append(text)
}
