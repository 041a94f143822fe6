package tournament

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/tournament/journal"
)

// TestOutputs refuses to write over the files of a tournament and over what is
// not of the kind that a command writes, and writes its own kinds again.
func TestOutputs(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "bb")
	at := func(name string) string { return filepath.Join(base, name) }
	mustRun(t, runArgs(t, dir, "--rounds=1")...)
	if err := os.WriteFile(at("notes"), []byte("milk\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"empty", "psq"} {
		if err := os.Mkdir(at(d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(dir, journal.FileName)
	if os.Symlink(log, at("soft")) != nil || os.Link(log, at("hard")) != nil {
		t.Skip("no links")
	}
	want, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("copy"), want, 0o666); err != nil {
		t.Fatal(err)
	}
	bad := []string{log, at("copy"), filepath.Join(dir, "lock"), filepath.Join(dir, "harness.log"), at("soft"), at("hard"), at("notes")}
	for _, name := range bad {
		before, _ := os.ReadFile(name)
		for _, args := range [][]string{
			{"resume", dir, "--json-events", name},
			twoEngines("run", "--rounds=1", "--out", at("other"), "--json-events", name),
			{"report", dir, "--html", name}, {"report", dir, "--json", name}, {"report", dir, "--csv", name}, {"report", log, "--csv", name},
			{"export", dir, "--format=pgn", "--out", name}, {"export", dir, "--format=sgf", "--out", name},
			{"export", dir, "--format=csv", "--out", name}, {"export", dir, "--format=offset", "--out", name},
			{"compat", "-engine", "name=A", "cmd=" + fakeCommand(), "-engine", "name=B", "cmd=" + fakeCommand(), "-out", at("other"), "-pgn", name},
			{"compat", "-engine", "name=A", "cmd=" + fakeCommand(), "-engine", "name=B", "cmd=" + fakeCommand(), "-out", at("other"), "-sample", "freq=1", "file=" + name},
		} {
			err := execute(context.Background(), args, new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), "choose another name") || !strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("%q: error %v", args, err)
			}
			if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, before) {
				t.Fatalf("%q changed the file, %v", args, err)
			}
		}
	}
	for _, name := range []string{log, at("soft"), at("hard"), filepath.Join(dir, "lock"), filepath.Join(at("empty"), journal.FileName)} {
		args := twoEngines("run", "--rounds=1", "--out", at("empty"), "--engine", "name=X stderr="+quoteWord(name)+" cmd="+quoteWord(fakeCommand()))
		if err := execute(context.Background(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "engine X: stderr file: "+name) {
			t.Errorf("stderr=%s: error %v", name, err)
		}
	}
	for _, name := range []string{journal.FileName, "lock", "harness.log"} {
		args := twoEngines("run", "--rounds=1", "--out", at("empty"), "--json-events", filepath.Join(at("empty"), name))
		if err := execute(context.Background(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "choose another name") {
			t.Errorf("%s of the new tournament: error %v", name, err)
		}
	}
	if list, err := os.ReadDir(at("empty")); err != nil || len(list) > 0 {
		t.Errorf("a refused tournament leaves %v, %v", list, err)
	}
	if err := execute(context.Background(), []string{"report", dir, "--html", at("x"), "--csv", at("x")}, new(bytes.Buffer)); err == nil {
		t.Error("one file for two formats")
	}
	if text, err := os.ReadFile(log); err != nil || !bytes.Equal(text, want) {
		t.Fatalf("the log has changed, %v", err)
	}
	for range 2 {
		mustRun(t, "report", dir, "--html", at("r.html"), "--json", at("r.json"), "--csv", at("r.csv"))
		for _, format := range []string{"pgn", "sgf", "csv", "offset", "psq"} {
			mustRun(t, "export", dir, "--format", format, "--out", at(format))
		}
	}
	if err := os.WriteFile(filepath.Join(at("psq"), "000002.psq"), []byte("milk"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := execute(context.Background(), []string{"export", dir, "--format=psq", "--out", at("psq")}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "000002.psq exists and is not a game") {
		t.Errorf("psq: error %v", err)
	}
	for range 2 { // errors in the folder itself, and events again
		mustRun(t, "resume", dir, "--json-events", at("events"))
	}
	mustRun(t, twoEngines("run", "--rounds=1", "--out", at("empty"), "--engine", "name=X stderr="+quoteWord(filepath.Join(at("empty"), "err"))+" cmd="+quoteWord(fakeCommand()))...)
}
