package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/protocol"
	"kumiko/protocol/cli/golden"
)

// releaseTool runs the program that makes releases.
func releaseTool(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./.release"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNotices fails if a module is linked into the program on any platform of
// a release and its license is not in the notices.
func TestNotices(t *testing.T) {
	have, err := os.ReadFile(".release/NOTICES.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, releaseTool(t, "notices")) {
		t.Error(".release/NOTICES.txt is out of date: run make notices")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || len(info.Deps) < 10 {
		t.Fatal("no usable build info in the test binary")
	}
	for _, m := range info.Deps {
		if !bytes.Contains(have, []byte("\n"+m.Path+" "+m.Version+": ")) {
			t.Errorf(".release/NOTICES.txt has no license of %s %s", m.Path, m.Version)
		}
	}
}

// TestChangelog checks that the newest version in it that has been released is
// the program's.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile(".release/CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "## "); ok && !strings.HasPrefix(v, "Unreleased") {
			v, _, _ = strings.Cut(strings.TrimSpace(v), " ")
			versions = append(versions, v)
		}
	}
	if len(versions) == 0 || versions[0] != protocol.Version {
		t.Errorf("versions %q in .release/CHANGELOG.md, want %s first", versions, protocol.Version)
	}
}

// TestRelease packs stand-ins for the programs twice and inspects the archives.
func TestRelease(t *testing.T) {
	programs := map[string]string{
		"kumiko-linux-amd64.tar.gz": "linux-amd64/pbrain-kumiko", "kumiko-linux-arm64.tar.gz": "linux-arm64/pbrain-kumiko",
		"kumiko-macos-amd64.tar.gz": "darwin-amd64/pbrain-kumiko", "kumiko-macos-arm64.tar.gz": "darwin-arm64/pbrain-kumiko",
		"kumiko.zip": "windows-amd64/pbrain-kumiko64.exe",
	}
	first, second := t.TempDir(), t.TempDir()
	for i, dir := range []string{first, second} {
		for _, name := range programs {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("the program "+name), 0o666); err != nil {
				t.Fatal(err)
			}
			when := time.Now().Add(time.Duration(i) * time.Hour)
			if err := os.Chtimes(file, when, when); err != nil {
				t.Fatal(err)
			}
		}
		releaseTool(t, "pack", dir)
	}
	var sums strings.Builder
	for _, archive := range []string{"kumiko-linux-amd64.tar.gz", "kumiko-linux-arm64.tar.gz", "kumiko-macos-amd64.tar.gz", "kumiko-macos-arm64.tar.gz", "kumiko.zip"} {
		data := golden.Read(t, filepath.Join(first, archive))
		if !bytes.Equal(data, golden.Read(t, filepath.Join(second, archive))) {
			t.Errorf("%s is not the same when it is packed again", archive)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), archive)
		files := unpack(t, archive, data)
		program := programs[archive]
		want := []string{"CHANGELOG.md 644", "NOTICES.txt 644", filepath.Base(program) + " 755"}
		var got []string
		for name, text := range files {
			got = append(got, name)
			switch base, _, _ := strings.Cut(name, " "); base {
			case "CHANGELOG.md", "NOTICES.txt":
				if text != string(golden.Read(t, filepath.Join(".release", base))) {
					t.Errorf("%s: another %s", archive, base)
				}
			default:
				if text != "the program "+program {
					t.Errorf("%s: the program is %q", archive, text)
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", archive, got, want)
		}
	}
	if got := string(golden.Read(t, filepath.Join(first, "SHA256SUMS"))); got != sums.String() {
		t.Errorf("checksums\n%s\nwant\n%s", got, sums.String())
	}
	notes := string(golden.Read(t, filepath.Join(first, "NOTES.md")))
	if !strings.HasPrefix(notes, "## ") || strings.Count(notes, "\n## ") > 0 || !strings.Contains(string(golden.Read(t, ".release/CHANGELOG.md")), notes) {
		t.Errorf("the release notes are\n%s", notes)
	}
}

// unpack returns the texts of files by name and mode, without the folder.
func unpack(t *testing.T, name string, archive []byte) map[string]string {
	t.Helper()
	files := map[string]string{}
	add := func(name string, mode os.FileMode, r io.Reader) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[fmt.Sprintf("%s %o", strings.TrimPrefix(name, "kumiko/"), mode.Perm())] = string(text)
	}
	if strings.HasSuffix(name, ".zip") {
		r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), in)
		}
		return files
	}
	zipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(zipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		add(header.Name, header.FileInfo().Mode(), r)
	}
}
