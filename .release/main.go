// Release builds the program for every platform and packs it, with the release
// notes and the notices of what is linked into it, in dist. The same commit and
// the same version of Go make the same bytes.
//
//	go run ./.release            build and pack everything
//	go run ./.release notices    print the notices of third parties
//	go run ./.release pack DIR   pack what is already built in DIR
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A target is a platform and how the program is shipped for it.
type target struct{ system, processor, program, archive string }

// targets are those of a release. Gomocup takes the zip, and wants this name.
var targets = []target{
	{"linux", "amd64", "pbrain-kumiko", "kumiko-linux-amd64.tar.gz"},
	{"linux", "arm64", "pbrain-kumiko", "kumiko-linux-arm64.tar.gz"},
	{"darwin", "amd64", "pbrain-kumiko", "kumiko-macos-amd64.tar.gz"},
	{"darwin", "arm64", "pbrain-kumiko", "kumiko-macos-arm64.tar.gz"},
	{"windows", "amd64", "pbrain-kumiko64.exe", "kumiko.zip"},
}

// path returns where the program is built below dir.
func (t target) path(dir string) string {
	return filepath.Join(dir, t.system+"-"+t.processor, t.program)
}

// environment is that of Go commands for the target.
func (t target) environment() []string {
	return append(os.Environ(), "GOOS="+t.system, "GOARCH="+t.processor, "CGO_ENABLED=0", "GOFLAGS=")
}

// texts are the files that go into every archive.
var texts = []string{".release/CHANGELOG.md", ".release/NOTICES.txt"}

// built is the time of all files in archives.
var built = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 0:
		return release("dist")
	case len(args) == 1 && args[0] == "notices":
		text, err := notices()
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(text)
		return err
	case len(args) == 2 && args[0] == "pack":
		return pack(args[1])
	}
	return errors.New("usage: go run ./.release [notices | pack DIR]")
}

// release builds everything into dir and packs it.
func release(dir string) error {
	want, err := notices()
	if err != nil {
		return err
	}
	if have, err := os.ReadFile(".release/NOTICES.txt"); err != nil || !bytes.Equal(have, want) {
		return errors.Join(err, errors.New(".release/NOTICES.txt is out of date: run make notices"))
	}
	for _, t := range targets {
		cmd := exec.Command("go", "build", "-trimpath", "-o", t.path(dir), ".")
		cmd.Env, cmd.Stderr = t.environment(), os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s/%s: %w", t.system, t.processor, err)
		}
	}
	return pack(dir)
}

// An entry is a file in an archive.
type entry struct {
	name string
	mode os.FileMode
	data []byte
}

// pack makes the archives in dir, the newest release notes, and the checksums.
func pack(dir string) error {
	var sums bytes.Buffer
	for _, t := range targets {
		data, err := os.ReadFile(t.path(dir))
		if err != nil {
			return err
		}
		entries := []entry{{t.program, 0o755, data}}
		for _, file := range texts {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			entries = append(entries, entry{filepath.Base(file), 0o644, data})
		}
		write := writeTar
		if strings.HasSuffix(t.archive, ".zip") {
			write = writeZip
		}
		var archive bytes.Buffer
		if err := write(&archive, entries); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, t.archive), archive.Bytes(), 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive.Bytes()), t.archive)
	}
	changes, err := os.ReadFile(".release/CHANGELOG.md")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o666),
		os.WriteFile(filepath.Join(dir, "NOTES.md"), newest(changes), 0o666))
}

// newest returns the first section of a change log.
func newest(text []byte) []byte {
	_, rest, _ := bytes.Cut(text, []byte("\n## "))
	section, _, _ := bytes.Cut(rest, []byte("\n## "))
	return append([]byte("## "), append(bytes.TrimSpace(section), '\n')...)
}

func writeTar(w io.Writer, entries []entry) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zipped)
	for _, e := range entries {
		header := &tar.Header{Name: "kumiko/" + e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: built, Format: tar.FormatUSTAR}
		if err := out.WriteHeader(header); err != nil {
			return err
		}
		if _, err := out.Write(e.data); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), zipped.Close())
}

// writeZip leaves the folder out: managers look for the program at the top.
func writeZip(w io.Writer, entries []entry) error {
	out := zip.NewWriter(w)
	out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: built}
		header.SetMode(e.mode)
		f, err := out.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.data); err != nil {
			return err
		}
	}
	return out.Close()
}

// notices returns the licenses of everything that is linked into the program
// on any platform: of the modules and of Go itself.
func notices() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	sections := []section{{name: "Go, its standard library and runtime", files: licenses(strings.TrimSpace(string(root)))}}
	modules := map[string]*section{}
	for _, t := range targets {
		if err := addModules(modules, t); err != nil {
			return nil, err
		}
	}
	for _, s := range modules {
		sections = append(sections, *s)
	}
	slices.SortFunc(sections[1:], func(a, b section) int { return cmp.Compare(a.name, b.name) })
	var out bytes.Buffer
	fmt.Fprintf(&out, "Kumiko contains the work of others, under the terms below. Made by make notices.\n\n")
	for _, s := range sections {
		fmt.Fprintln(&out, " ", s.name)
	}
	for _, s := range sections {
		if len(s.files) == 0 {
			return nil, fmt.Errorf("%s has no license that can be found", s.name)
		}
		for _, file := range s.files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
			fmt.Fprintf(&out, "\n%s\n%s: %s\n%[1]s\n\n%[4]s\n", strings.Repeat("-", 80), s.name, filepath.Base(file), bytes.TrimSpace(text))
		}
	}
	return out.Bytes(), nil
}

// A section has the licenses of one work.
type section struct {
	name  string
	files []string
}

// addModules adds the modules that are linked into the program on a target,
// with the licenses of their roots and of the folders of linked packages.
func addModules(modules map[string]*section, t target) error {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}|{{.Dir}}|{{$.Dir}}{{end}}{{end}}", ".")
	cmd.Env, cmd.Stderr = t.environment(), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list for %s/%s: %w", t.system, t.processor, err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 3 {
			continue // of the standard library, or our own
		}
		if modules[f[0]] == nil {
			modules[f[0]] = &section{name: f[0], files: licenses(f[1])}
		}
		s := modules[f[0]]
		for dir := f[2]; len(dir) > len(f[1]); dir = filepath.Dir(dir) {
			for _, file := range licenses(dir) {
				if !slices.Contains(s.files, file) {
					s.files = append(s.files, file)
				}
			}
		}
		slices.Sort(s.files)
	}
	return nil
}

// licenses returns the files of a folder that state terms.
func licenses(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name, _, _ := strings.Cut(strings.ToUpper(e.Name()), ".")
		if !e.IsDir() && slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, name) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}
