package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/protocol/cli/golden"
)

// TestEmbedding builds the program that the README shows, in a module of its
// own that knows this one by a replace directive, and runs it. It may load no
// other module.
func TestEmbedding(t *testing.T) {
	_, text, ok := strings.Cut(string(golden.Read(t, "README.md")), "<!-- TestEmbedding builds and runs this. -->\n\n")
	if !ok {
		t.Fatal("README.md shows no program to embed the engine in")
	}
	var program strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, indent) && line != "\n" {
			break
		}
		program.WriteString(strings.TrimPrefix(line, indent))
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(golden.Read(t, "go.mod"))
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":  "module outside\n\ngo " + string(version[1]) + "\n\nrequire kumiko v0.0.0\n\nreplace kumiko => " + here + "\n",
		"main.go": strings.TrimRight(program.String(), "\n") + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil || !regexp.MustCompile(`^[a-o]\d+ -?\d+\n$`).Match(out) {
		t.Errorf("%v\n%s", err, out)
	}
	if data, err := exec.CommandContext(t.Context(), "gofmt", "-l", filepath.Join(dir, "main.go")).Output(); err != nil || len(data) > 0 {
		t.Errorf("gofmt changes the program of the README: %v", err)
	}
}
