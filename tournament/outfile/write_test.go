package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// a fullDisk has room for so many bytes.
type fullDisk struct {
	f    *os.File
	room int
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	k, err := d.f.Write(p[:n])
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return k, err
}

// TestWrite fills disks of every size on the way to a file that is there,
// or is not.
func TestWrite(t *testing.T) {
	const text = "a page of HTML"
	write := func(w io.Writer) error {
		for _, part := range []string{text[:3], text[3:]} {
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
		return nil
	}
	defer func(old func(*os.File, func(io.Writer) error) error) { fill = old }(fill)
	for _, before := range []string{"", "what was there"} {
		for room := range len(text) {
			fill = func(f *os.File, write func(io.Writer) error) error {
				return errors.Join(write(&fullDisk{f, room}), f.Close())
			}
			dir := t.TempDir()
			name := filepath.Join(dir, "x.html")
			want := 0
			if before != "" {
				want = 1
				if err := os.WriteFile(name, []byte(before), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			if err := Write(name, write); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), name) {
				t.Errorf("room for %d: error %v", room, err)
			}
			if list, _ := os.ReadDir(dir); len(list) != want {
				t.Errorf("room for %d: %v is left", room, list)
			}
			if got, _ := os.ReadFile(name); string(got) != before {
				t.Errorf("room for %d: %q is left, want %q", room, got, before)
			}
		}
	}
}

// TestWriteModes keeps modes and links, and writes to devices as they are.
func TestWriteModes(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "x"), filepath.Join(dir, "link")
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	if err := Write(name, write("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("x", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, write("two")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	info, err2 := os.Stat(name)
	to, err3 := os.Readlink(link)
	if err := errors.Join(err, err2, err3); err != nil || string(got) != "two" || info.Mode().Perm() != 0o600 || to != "x" {
		t.Errorf("%q, mode %v, a link to %q, %v", got, info.Mode(), to, err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := Write("/dev/full", write("x")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("/dev/full: %v", err)
		}
		if err := Write("/dev/null", write("x")); err != nil {
			t.Error(err)
		}
	}
	if err := Write(filepath.Join(dir, "none", "x"), write("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: error %v, want fs.ErrNotExist", err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("left: %v", list)
	}
}
