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

// importTable is the package graph: exactly what each package imports besides the
// standard library. The program itself is "."; packages of other modules have
// their full paths.
const importTable = `
.: engine engine/board engine/pattern engine/pattern/fit nn nn/train protocol protocol/analyze protocol/cli tournament tournament/selfplay tournament/tune weights github.com/spf13/cobra
engine: engine/board engine/memory engine/pattern engine/proof engine/solve nn
engine/board:
engine/board/boardtest:
engine/diagram: engine/board golang.org/x/image/font golang.org/x/image/font/gofont/goregular golang.org/x/image/font/opentype golang.org/x/image/math/fixed golang.org/x/image/vector
engine/enginetest: engine/board engine/board/boardtest
engine/memory:
engine/notation: engine/board
engine/pattern: engine/board
engine/pattern/fit: engine/board engine/pattern nn/replay tournament/outfile github.com/spf13/cobra
engine/proof: engine/board
engine/solve: engine/board
nn:
nn/nntest:
nn/replay: engine/board
nn/train: engine/board engine/pattern nn nn/replay tournament/jsonl tournament/outfile github.com/spf13/cobra
protocol: engine engine/board protocol/wire
protocol/analyze: engine engine/board engine/diagram engine/notation engine/proof engine/solve tournament/outfile github.com/spf13/cobra golang.org/x/term
protocol/cli: engine engine/board engine/pattern engine/proof nn protocol tournament/outfile github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term
protocol/cli/golden:
protocol/wire: engine/board
tournament: engine engine/board engine/notation tournament/check tournament/config tournament/journal tournament/opening tournament/outfile tournament/play tournament/process tournament/report tournament/stats tournament/telemetry tournament/watch github.com/spf13/cobra github.com/spf13/pflag
tournament/adjudicate:
tournament/check: tournament/process
tournament/config: engine/board tournament/opening tournament/schedule tournament/stats github.com/google/shlex github.com/pelletier/go-toml/v2 github.com/spf13/pflag
tournament/fakeengine: engine/board/boardtest golang.org/x/sys/unix
tournament/game: engine/board engine/notation tournament/adjudicate tournament/config tournament/journal tournament/process tournament/telemetry
tournament/journal: engine/board engine/notation tournament/config tournament/jsonl tournament/outfile tournament/schedule tournament/telemetry
tournament/jsonl: github.com/gofrs/flock
tournament/opening: engine/board engine/notation tournament/outfile tournament/work
tournament/outfile:
tournament/play: engine/board engine/notation tournament/adjudicate tournament/config tournament/game tournament/journal tournament/opening tournament/outfile tournament/process tournament/report tournament/schedule tournament/stats tournament/telemetry tournament/work github.com/rs/zerolog golang.org/x/term
tournament/process: tournament/telemetry golang.org/x/sys/unix golang.org/x/sys/windows
tournament/report: engine/board engine/diagram engine/notation tournament/config tournament/journal tournament/opening tournament/outfile tournament/schedule tournament/stats tournament/telemetry
tournament/schedule:
tournament/selfplay: engine engine/board engine/pattern nn nn/replay tournament/adjudicate tournament/jsonl tournament/opening tournament/work github.com/spf13/cobra github.com/spf13/pflag
tournament/stats:
tournament/telemetry:
tournament/tune: engine engine/board tournament/adjudicate tournament/config tournament/jsonl tournament/opening tournament/outfile tournament/stats tournament/work github.com/spf13/cobra github.com/spf13/pflag
tournament/watch: engine/board tournament/config tournament/journal tournament/report tournament/stats tournament/telemetry charm.land/bubbletea/v2 charm.land/lipgloss/v2
tournament/work:
weights:
`

// testOnly lists packages that only tests may import.
var testOnly = []string{
	"kumiko/engine/board/boardtest",
	"kumiko/engine/enginetest",
	"kumiko/nn/nntest",
	"kumiko/protocol/cli/golden",
	"kumiko/tournament/fakeengine",
}

// allowedImports is importTable by package, with full paths.
var allowedImports = func() map[string][]string {
	full := func(name string) string {
		switch first, _, _ := strings.Cut(name, "/"); {
		case name == ".":
			return "kumiko"
		case strings.Contains(first, "."):
			return name
		}
		return "kumiko/" + name
	}
	table := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(importTable)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), ":")
		table[full(pkg)] = []string{}
		for _, name := range strings.Fields(imports) {
			table[full(pkg)] = append(table[full(pkg)], full(name))
		}
	}
	return table
}()

// allowedIn lists standard packages that only some packages may import, and forAll
// those of them that not even tests elsewhere may import: no test needs the
// network.
var allowedIn = map[string][]string{
	"C":                 {},
	"unsafe":            {"kumiko/engine/memory"},
	"log":               {}, // standard error may be a manager's reply pipe
	"net":               {},
	"net/http":          {},
	"net/http/httptest": {},
	"os/exec":           {"kumiko/tournament/process"},
	"simd/archsimd":     {"kumiko/nn"},
}

var forAll = []string{"C", "unsafe", "net", "net/http", "net/http/httptest"}

// allowedWords lists names that only some packages may use: only the edges of the
// program print.
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

// TestImports checks every file of every package, regardless of build tags. Tests
// may print, and may import everything but forAll.
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
		used := map[string]bool{}
		for _, file := range files {
			for _, fault := range checkFile(t, pkg, allowed, used, file, nil) {
				t.Error(fault)
			}
		}
		for _, name := range allowed {
			if !used[name] {
				t.Errorf("package %s does not import %s: strike it from importTable", pkg, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestImportTable checks that the table is sorted, lists only existing packages,
// and lets only tests import test packages.
func TestImportTable(t *testing.T) {
	var names []string
	for line := range strings.Lines(strings.TrimSpace(importTable)) {
		name, _, found := strings.Cut(line, ":")
		if files, err := filepath.Glob(filepath.Join(filepath.FromSlash(name), "*.go")); !found || err != nil || len(files) == 0 {
			t.Errorf("no package %q", name)
		}
		names = append(names, name)
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("the packages are not in alphabetical order: %q", names)
	}
	for pkg, imports := range allowedImports {
		for _, name := range imports {
			if _, found := allowedImports[name]; !found && !strings.Contains(name, ".") {
				t.Errorf("%s: no package %q", pkg, name)
			}
			if slices.Contains(testOnly, name) && !slices.Contains(testOnly, pkg) {
				t.Errorf("%s may import %s, which is for tests", pkg, name)
			}
		}
	}
}

// checkFile returns the violations in a file of package pkg, and adds its imports
// to used. It reads the source from the file if src is nil.
func checkFile(t *testing.T, pkg string, allowed []string, used map[string]bool, file string, src any) (faults []string) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	inTest := strings.HasSuffix(file, "_test.go")
	isTest := inTest || slices.Contains(testOnly, pkg)
	report := func(n ast.Node, what string) {
		faults = append(faults, fmt.Sprintf("%v: %s is not for package %s", set.Position(n.Pos()), what, pkg))
	}
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if !inTest {
			used[name] = true
		}
		if only, restricted := allowedIn[name]; restricted {
			if !slices.Contains(only, pkg) && (!isTest || slices.Contains(forAll, name)) {
				report(spec, "import of "+name)
			}
		} else if !inTest && !isStandard(name) && !slices.Contains(allowed, name) {
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

// isStandard reports whether an import path belongs to the standard library.
func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first != "kumiko" && path.Ext(first) == ""
}

// TestCheckFile checks that checkFile detects violations.
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
		{"kumiko/protocol", "a_test.go", `import ("net"; "net/http"; "net/url")`, 2},
		{"kumiko/nn", "a.go", `import "simd/archsimd"`, 0},
	}
	for _, tt := range tests {
		got := checkFile(t, tt.pkg, allowedImports[tt.pkg], map[string]bool{}, tt.file, "package p; "+tt.src)
		if len(got) != tt.faults {
			t.Errorf("%s: %s: faults %q, want %d", tt.pkg, tt.src, got, tt.faults)
		}
	}
}
