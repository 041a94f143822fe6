package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowedImports is the package graph: what each package may import besides
// the standard library. A new package fails the test until it is listed.
var allowedImports = map[string][]string{
	"kumiko/engine/board":       {},
	"kumiko/engine/notation":    {"kumiko/engine/board"},
	"kumiko/engine/pattern":     {"kumiko/engine/board"},
	"kumiko/engine/pattern/fit": {"kumiko/engine/board", "kumiko/engine/pattern", "kumiko/nn/replay"},
	"kumiko/nn":                 {},
	"kumiko/weights":            {},
	"kumiko/engine":             {"kumiko/engine/board", "kumiko/engine/pattern", "kumiko/nn"},
	"kumiko/protocol":           {"kumiko/engine", "kumiko/engine/board"},
	"kumiko/nn/replay":          {"kumiko/engine/board"},
	"kumiko/tournament": {"kumiko/engine/board", "kumiko/engine/notation", "kumiko/tournament/check", "kumiko/tournament/config", "kumiko/tournament/game",
		"kumiko/tournament/journal", "kumiko/tournament/opening", "kumiko/tournament/process",
		"kumiko/tournament/report", "kumiko/tournament/schedule", "kumiko/tournament/stats", "kumiko/tournament/watch",
		"github.com/rs/zerolog", "github.com/spf13/pflag", "golang.org/x/term"},
	"kumiko/tournament/stats":     {},
	"kumiko/tournament/opening":   {"kumiko/engine/board", "kumiko/engine/notation"},
	"kumiko/tournament/schedule":  {},
	"kumiko/tournament/telemetry": {},
	"kumiko/tournament/process":   {"golang.org/x/sys/unix", "golang.org/x/sys/windows"},
	"kumiko/tournament/check":     {"kumiko/tournament/process"},
	"kumiko/tournament/config": {"kumiko/engine/board", "kumiko/tournament/schedule", "kumiko/tournament/stats",
		"github.com/google/shlex", "github.com/pelletier/go-toml/v2", "github.com/spf13/pflag"},
	"kumiko/tournament/journal": {"kumiko/engine/board", "kumiko/tournament/config", "kumiko/tournament/schedule",
		"kumiko/tournament/telemetry", "github.com/gofrs/flock"},
	"kumiko/tournament/game": {"kumiko/engine/board", "kumiko/engine/notation", "kumiko/tournament/config", "kumiko/tournament/journal",
		"kumiko/tournament/process", "kumiko/tournament/telemetry"},
	"kumiko/tournament/report": {"kumiko/engine/board", "kumiko/engine/notation", "kumiko/tournament/config", "kumiko/tournament/journal",
		"kumiko/tournament/schedule", "kumiko/tournament/stats", "kumiko/tournament/telemetry"},
	"kumiko/tournament/watch": {"kumiko/engine/board", "kumiko/tournament/config", "kumiko/tournament/journal",
		"kumiko/tournament/report", "kumiko/tournament/stats", "kumiko/tournament/telemetry", "charm.land/bubbletea/v2", "charm.land/lipgloss/v2"},
	"kumiko/tournament/selfplay": {"kumiko/engine", "kumiko/engine/board", "kumiko/engine/pattern", "kumiko/nn/replay", "kumiko/tournament/opening"},
	"kumiko/tournament/tune": {"kumiko/engine", "kumiko/engine/board", "kumiko/tournament/config", "kumiko/tournament/opening",
		"kumiko/tournament/stats", "github.com/gofrs/flock", "github.com/spf13/pflag"},
	"kumiko": {"kumiko/engine", "kumiko/engine/board", "kumiko/engine/pattern", "kumiko/engine/pattern/fit",
		"kumiko/protocol", "kumiko/tournament", "kumiko/tournament/selfplay", "kumiko/tournament/tune",
		"kumiko/weights"},
}

// allowedIn are packages of the standard library that only some may import.
var allowedIn = map[string][]string{
	"C":             {},
	"unsafe":        {},
	"log":           {}, // standard error may be a manager's reply pipe
	"os/exec":       {"kumiko/tournament", "kumiko/tournament/process"},
	"simd/archsimd": {"kumiko/nn"},
}

// allowedWords are names that only some packages may use: text leaves the
// program at its edges.
var allowedWords = map[string][]string{
	"os.Stdin":    {"kumiko", "kumiko/protocol"},
	"os.Stdout":   {"kumiko", "kumiko/protocol"},
	"os.Stderr":   {"kumiko"},
	"fmt.Print":   {},
	"fmt.Printf":  {},
	"fmt.Println": {},
	"print":       {},
	"println":     {},
}

// TestImports checks every file of every package, whatever its build tags.
// Tests may import and print what they like, but for C and unsafe.
func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); dir != "." && (name == "testdata" || name[0] == '.' || name[0] == '_') {
			return fs.SkipDir // as the go command does
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			return err
		}
		pkg := path.Join("kumiko", filepath.ToSlash(dir))
		allowed, ok := allowedImports[pkg]
		if !ok {
			t.Errorf("package %s is not listed in imports_test.go: say what it may import", pkg)
			return nil
		}
		for _, file := range files {
			for _, fault := range checkFile(t, pkg, allowed, file, nil) {
				t.Error(fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkFile returns what is wrong with a file of package pkg. The source is
// read from the file if src is nil.
func checkFile(t *testing.T, pkg string, allowed []string, file string, src any) (faults []string) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	isTest := strings.HasSuffix(file, "_test.go")
	report := func(n ast.Node, what string) {
		faults = append(faults, fmt.Sprintf("%v: %s is not for package %s", set.Position(n.Pos()), what, pkg))
	}
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if only, restricted := allowedIn[name]; restricted {
			if !slices.Contains(only, pkg) && (!isTest || name == "C" || name == "unsafe") {
				report(spec, "import of "+name)
			}
		} else if !isTest && !isStandard(name) && !slices.Contains(allowed, name) {
			report(spec, "import of "+name)
		}
	}
	if isTest {
		return faults
	}
	ast.Inspect(f, func(n ast.Node) bool {
		word := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				word = x.Name + "." + n.Sel.Name
			}
		case *ast.CallExpr:
			if x, ok := n.Fun.(*ast.Ident); ok {
				word = x.Name
			}
		}
		if only, restricted := allowedWords[word]; restricted && !slices.Contains(only, pkg) {
			report(n, word)
		}
		return true
	})
	return faults
}

// isStandard reports whether an import path is one of the standard library.
func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first != "kumiko" && path.Ext(first) == ""
}

// TestCheckFile makes sure that the check above notices something.
func TestCheckFile(t *testing.T) {
	tests := []struct {
		pkg, file, src string
		faults         int
	}{
		{"kumiko/engine", "a.go", `import "fmt"; func f() { fmt.Fprintln(w, "os.Stdout") } // fmt.Println`, 0},
		{"kumiko/engine", "a.go", `import "fmt"; func f() { fmt.Println(); println() }`, 2},
		{"kumiko/engine", "a.go", `import "os"; var w = os.Stdout`, 1},
		{"kumiko/protocol", "a.go", `import "os"; var r, w, e = os.Stdin, os.Stdout, os.Stderr`, 1},
		{"kumiko/engine", "a.go", `import ("kumiko/protocol"; "kumiko/engine/board"; "math/rand/v2")`, 1},
		{"kumiko/engine", "a.go", `import ("golang.org/x/term"; "log"; "os/exec"; "simd/archsimd"; "unsafe"; "C")`, 6},
		{"kumiko/engine", "a_test.go", `import ("kumiko/protocol"; "os/exec"; "unsafe"); func f() { println() }`, 1},
		{"kumiko/nn", "a.go", `import "simd/archsimd"`, 0},
	}
	for _, tt := range tests {
		got := checkFile(t, tt.pkg, allowedImports[tt.pkg], tt.file, "package p; "+tt.src)
		if len(got) != tt.faults {
			t.Errorf("%s: %s: faults %q, want %d", tt.pkg, tt.src, got, tt.faults)
		}
	}
}
