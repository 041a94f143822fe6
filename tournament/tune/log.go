package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// A record is a line of a log behind the settings: the scores of the pairs
// that a method has asked for, in half points from 0 to 4.
type record struct {
	Number int   `json:"n"` // from 1
	Scores []int `json:"scores"`
	State  any   `json:"state,omitempty"` // what the method made of them; for readers
}

// parseLog reads a log. Without an error, end is where its last whole line
// ends; what follows was not finished when its writer was interrupted. The log
// may be empty; settings are nil then.
func parseLog(data []byte) (settings []byte, records []record, end int, err error) {
	for line := 1; ; line++ {
		n := bytes.IndexByte(data[end:], '\n')
		if n < 0 {
			return settings, records, end, nil
		}
		text := data[end : end+n]
		if line == 1 {
			settings = text
			err = json.Unmarshal(text, new(settingsLine))
		} else {
			var r record
			if err = json.Unmarshal(text, &r); err == nil {
				err = r.check(line - 1)
			}
			records = append(records, r)
		}
		if err != nil {
			return nil, nil, 0, fmt.Errorf("line %d: %w", line, err)
		}
		end += n + 1
	}
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

// A journal is a log that is appended to. Only one process can.
type journal struct {
	file    *os.File
	lock    *flock.Flock
	records int
}

// openJournal opens a log to append to, or begins one, and returns the records
// that it holds. A piece of a line at its end is cut off. A log of other
// settings is refused, with all differences named.
func openJournal(name string, s *settings) (*journal, []record, error) {
	lock := flock.New(name + ".lock") // the log itself could not be read then on Windows
	ok, err := lock.TryLock()
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return nil, nil, fmt.Errorf("%s: %w", name, errLocked)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Unlock())
	}
	j := &journal{file: f, lock: lock}
	records, err := j.resume(s)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), j.close())
	}
	return j, records, nil
}

var errLocked = errors.New("another process writes this log")

// resume reads the log and puts its file behind the last whole line.
func (j *journal) resume(s *settings) ([]record, error) {
	data, err := io.ReadAll(j.file)
	if err != nil {
		return nil, err
	}
	had, records, end, err := parseLog(data)
	if err != nil {
		return nil, err
	}
	want, err := json.Marshal(settingsLine{s})
	if err != nil {
		return nil, err
	}
	if had != nil {
		if d := differences(had, want); len(d) > 0 {
			return nil, fmt.Errorf("the log has other settings:\n  %s", strings.Join(d, "\n  "))
		}
	}
	j.records = len(records)
	if err := j.file.Truncate(int64(end)); err != nil {
		return nil, err
	}
	if _, err := j.file.Seek(int64(end), io.SeekStart); err != nil {
		return nil, err
	}
	if had == nil {
		return nil, j.write(settingsLine{s})
	}
	return records, nil
}

// add appends a record and sees to it that it is on the disk.
func (j *journal) add(scores []int, state any) error {
	j.records++
	return j.write(record{j.records, scores, state})
}

func (j *journal) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() error { return errors.Join(j.file.Close(), j.lock.Unlock()) }

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

// readLog reads the log of a file that nobody need be writing.
func readLog(name string) (*settings, []record, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	text, records, _, err := parseLog(data)
	if err == nil && text == nil {
		err = errors.New("the log is empty")
	}
	var line settingsLine
	if err == nil {
		err = json.Unmarshal(text, &line)
	}
	if err == nil {
		err = line.Settings.check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return line.Settings, records, nil
}
