package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/shlex"
	"github.com/spf13/cobra"

	"kumiko/protocol/cli"
	"kumiko/protocol/cli/golden"
)

// documents returns the files of Markdown and their texts.
func documents(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "dist" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if filepath.Ext(name) == ".md" {
			docs[filepath.ToSlash(name)] = string(golden.Read(t, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// TestReadmeLinks follows every link to a file.
func TestReadmeLinks(t *testing.T) {
	for name, text := range documents(t) {
		for _, link := range regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), link[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestReadme checks that the README is short, and that it has each command
// with its help.
func TestReadme(t *testing.T) {
	readme := string(golden.Read(t, "README.md"))
	if n := strings.Count(readme, "\n"); n > 200 {
		t.Errorf("README.md has %d lines: 200 are enough for a door", n)
	}
	for _, c := range commands().Commands() {
		row := regexp.MustCompile(`(?m)^\| (\[)?` + c.Name() + `(\]\([^)]+\))? \| ` + regexp.QuoteMeta(c.Short) + ` \|$`)
		if !row.MatchString(readme) {
			t.Errorf("README.md has no row for %s: %s", c.Name(), c.Short)
		}
	}
}

// TestReadingOrder checks that the README names every package, each behind
// those that it imports.
func TestReadingOrder(t *testing.T) {
	_, order, ok := strings.Cut(string(golden.Read(t, "README.md")), "\n## Reading order\n")
	if !ok {
		t.Fatal("README.md has no reading order")
	}
	place := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^- \[([a-z0-9/]+)\]\(([a-z0-9/]+)\): `).FindAllStringSubmatch(order, -1) {
		if m[1] != m[2] {
			t.Errorf("%s leads to %s", m[1], m[2])
		}
		if place[m[1]] > 0 {
			t.Errorf("%s is in the reading order twice", m[1])
		}
		place[m[1]] = len(place) + 1
	}
	for pkg, imports := range allowedImports {
		name := strings.TrimPrefix(pkg, "kumiko/")
		if pkg == "kumiko" || slices.Contains(testOnly, pkg) {
			continue
		}
		if place[name] == 0 {
			t.Errorf("package %s is not in the reading order of README.md", name)
		}
		for _, i := range imports {
			if other, ours := strings.CutPrefix(i, "kumiko/"); ours && place[other] > place[name] && place[name] > 0 {
				t.Errorf("%s imports %s, which comes later in the reading order", name, other)
			}
		}
		delete(place, name)
	}
	for name := range place {
		t.Errorf("there is no package %s", name)
	}
}

// A step is a command line of a document and the output that it shows.
type step struct {
	command string
	want    []string
	begin   int // of the output, in lines
	end     int
}

// A block is an indented session of a document.
type block struct {
	steps    []step
	recorded string // why it cannot be run, if so
}

const indent = "    "

// blocks returns the sessions of a document: runs of indented lines that begin
// with a prompt. The comment <!-- recorded: why --> before one says that it
// cannot be run here.
func blocks(text string) (list []block) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], indent+"$ ") {
			continue
		}
		b := block{}
		for j := i - 1; j >= max(0, i-2); j-- {
			if m := regexp.MustCompile(`^<!-- recorded: (.+) -->$`).FindStringSubmatch(lines[j]); m != nil {
				b.recorded = m[1]
			}
		}
		for i < len(lines) && (strings.HasPrefix(lines[i], indent) || lines[i] == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], indent)) {
			line := strings.TrimPrefix(lines[i], indent)
			i++
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				for strings.HasSuffix(command, "\\") && i < len(lines) {
					command += "\n" + strings.TrimPrefix(lines[i], indent)
					i++
				}
				b.steps = append(b.steps, step{command: command, begin: i, end: i})
				continue
			}
			s := &b.steps[len(b.steps)-1]
			s.want, s.end = append(s.want, line), i
		}
		list = append(list, b)
	}
	return list
}

// varying is what differs from one machine, or one run, to the next.
var varying = regexp.MustCompile(strings.Join([]string{
	`\b\d+(\.\d+)?(ns|µs|ms|m?s)\b`, `\b[\d.]+(/s| games a second)(, about \S+ to go)?`, `nodes/second \d+`, `n/s \d+`, `tm \d+`, `\b\d(\.\d+)?e\+\d+`, `kumiko-demo-\d+`,
	`\b\d\.\d{3} s\b`,
}, "|"))

// alike reports whether output is what a document shows. A line of … stands for
// any lines, and … in a line for any text.
func alike(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "…" {
		for n := range len(got) + 1 {
			if alike(want[1:], got[n:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && alikeLine(want[0], got[0]) && alike(want[1:], got[1:])
}

func alikeLine(want, got string) bool {
	mask := func(s string) string {
		return strings.Join(strings.Fields(varying.ReplaceAllString(s, "N")), " ")
	}
	form := strings.ReplaceAll(regexp.QuoteMeta(mask(want)), "…", ".*")
	return regexp.MustCompile("^" + form + "$").MatchString(mask(got))
}

// TestSessions runs what the documents show, each in an empty folder, and
// compares the output. With -update it writes what came out into the document,
// where nothing is left out.
func TestSessions(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.Symlink(self, filepath.Join(dir, "pbrain-kumiko")); err != nil {
				t.Skip(err) // as a plain user of Windows
			}
			lines, shift := strings.Split(text, "\n"), 0
			for _, b := range blocks(text) {
				if b.recorded != "" {
					continue
				}
				for _, s := range b.steps {
					got := runStep(t, dir, s.command)
					if alike(s.want, got) {
						continue
					}
					if !golden.Updating() || slices.Contains(s.want, "…") {
						t.Errorf("%s shows\n$ %s\n%s\nbut that gives\n%s", name, s.command, strings.Join(s.want, "\n"), strings.Join(got, "\n"))
						continue
					}
					for i := range got {
						got[i] = strings.TrimRight(indent+got[i], " ")
					}
					lines = slices.Replace(lines, s.begin+shift, s.end+shift, got...)
					shift += len(got) - (s.end - s.begin)
				}
			}
			if golden.Updating() && strings.Join(lines, "\n") != text {
				if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// runStep runs a command of a session and returns the lines of its output.
func runStep(t *testing.T, dir, command string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUMIKO_TEST_MAIN=1", "TMPDIR="+dir)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(out), "\n"), "\n")
}

// TestAlike checks the comparison of sessions.
func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		alike     bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a\nc", false},
		{"a\n…\nd", "a\nb\nc\nd", true},
		{"a\n…", "a", true},
		{"…\nd", "a\nb", false},
		{"a … c", "a b c", true},
		{"a … c", "a b d", false},
		{"took 3ms  (a)", "took 41.5s (a)", true},
		{"nodes 3", "nodes 4", false},
		{"", "a", false},
	} {
		if got := alike(strings.Split(tt.want, "\n"), strings.Split(tt.got, "\n")); got != tt.alike {
			t.Errorf("%q and %q: %v", tt.want, tt.got, got)
		}
	}
}

// TestCommandLines parses every command line that the documents and the
// Makefile show, so that none uses a command or flag that no longer exists.
func TestCommandLines(t *testing.T) {
	docs := documents(t)
	docs["Makefile"] = string(golden.Read(t, "Makefile"))
	n := 0
	for name, text := range docs {
		text = strings.ReplaceAll(text, "\\\n", " ")
		for _, m := range regexp.MustCompile(`(?m)^(?:    (?:\$ )?|\t)\./pbrain-kumiko ([a-z].*)$`).FindAllStringSubmatch(text, -1) {
			line, _, _ := strings.Cut(m[1], " | ")
			line, _, _ = strings.Cut(line, "||")
			if strings.Contains(line, "$@") || strings.Contains(line, "tourament") {
				continue // a placeholder, and the misspelled example
			}
			args, err := shlex.Split(line)
			if err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
				continue
			}
			n++
			if err := parseOnly(args); err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d command lines were found", n)
	}
}

// parseOnly parses a command line and runs nothing.
func parseOnly(args []string) error {
	root := commands()
	parsed := false
	var disarm func(c *cobra.Command)
	disarm = func(c *cobra.Command) {
		if c.RunE != nil {
			c.RunE = func(*cobra.Command, []string) error { parsed = true; return nil }
		}
		for _, sub := range c.Commands() {
			disarm(sub)
		}
	}
	disarm(root)
	var out bytes.Buffer
	err := cli.Execute(root.Context(), root, args, &out)
	if err == nil && !parsed && out.Len() == 0 {
		return fmt.Errorf("%q does nothing", args)
	}
	return err
}
