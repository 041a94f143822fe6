package outfile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck refuses what belongs to a tournament and what is of another kind,
// under any name.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for name, text := range map[string]string{
		"bb/log.jsonl": "{", "bb/lock": "", "bb/harness.log": "", "mine": "note: one", "notes": "milk", "empty": "", "log.jsonl.txt": "note: ",
	} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	link := func(make func(old, name string) error, old, name string) {
		if err := make(old, at(name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Mkdir(at("new"), 0o777); err != nil {
		t.Fatal(err)
	}
	link(os.Symlink, at("bb/log.jsonl"), "soft")
	link(os.Symlink, at("new/log.jsonl"), "dangling")
	link(os.Symlink, "new", "newlink")
	link(os.Symlink, at("nowhere"), "fresh")
	link(os.Link, at("bb/lock"), "hard")
	kind := Kind{"a note", func(start []byte) bool { return bytes.HasPrefix(start, []byte("note: ")) }}
	const belongs, foreign = "of a tournament: choose another name", "exists and is not a note: choose another name, or remove"
	for name, want := range map[string]string{
		"bb/log.jsonl": belongs, "bb/lock": belongs, "bb/harness.log": belongs, "bb/../bb/lock": belongs, "soft": belongs, "hard": belongs,
		"new/log.jsonl": belongs, "new/harness.log": belongs, "dangling": belongs, "newlink/lock": belongs,
		"notes": foreign, "mine": "", "empty": "", "fresh": "", "new/other": "", "bb/other": "", "log.jsonl.txt": "", "new": "", "none/x": "",
	} {
		err := Check(at(name), kind, at("bb"), at("new"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) && !strings.Contains(name, "..")) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"", "-", os.DevNull} {
		if err := Check(name, kind); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := Check(at("bb/lock"), kind); err == nil {
		t.Error("the lock of another tournament may be written")
	}
}
