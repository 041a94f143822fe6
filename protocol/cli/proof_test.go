package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/engine"
)

func proveCommand(t *testing.T, args string) (string, error) {
	t.Helper()
	return run(t, Prove(func() engine.Options { return engine.Options{Memory: 32 << 20} }), args)
}

// verify accepts what prove writes, and prints the same.
func TestProveAndVerify(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, args, want string }{
		{"four", "--rule renju --moves h8a1i8a3j8a5", "renju 15x15, black wins in 3 plies: g8 f8 k8"},
		{"five", "--moves h8a1i8a3j8a5k8a7", "freestyle 15x15, black wins in 1 ply: g8"},
		{"white", "--rule caro5 --size 20x12 --moves a1h8a3h9a5h10c1", "caro5 20x12, white wins in 3 plies: h7 h6 h11"},
	} {
		file := filepath.Join(dir, tt.name+".json")
		text, err := proveCommand(t, tt.args)
		if err != nil || !strings.HasPrefix(text, `{"format":"kumiko proof","version":1,`) {
			t.Errorf("prove %s: %q, %v", tt.args, text, err)
		}
		said, err := proveCommand(t, tt.args+" --out "+file)
		if err != nil || said != file+": "+tt.want+"\n" {
			t.Errorf("prove %s --out: %q, want %s, %v", tt.args, said, tt.want, err)
		}
		if written, err := os.ReadFile(file); err != nil || string(written) != text {
			t.Errorf("prove %s: the file and the output differ, %v", tt.args, err)
		}
		if _, err := proveCommand(t, tt.args+" --out "+file); err != nil {
			t.Errorf("prove %s --out, again: %v", tt.args, err)
		}
		if got, err := run(t, Verify(), file+" "+file); got != strings.Repeat(said, 2) || err != nil {
			t.Errorf("verify: %q, want %q twice, %v", got, said, err)
		}
		bad := filepath.Join(dir, "bad.json")
		if err := os.WriteFile(bad, []byte(strings.Replace(text, `"rest":`, `"none":`, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := run(t, Verify(), bad); tt.name != "five" && (err == nil || !strings.Contains(err.Error(), `bad.json: line 1: json: unknown field "none"`)) {
			t.Errorf("verify of a file that is not a proof tree: %v", err)
		}
	}
}

func TestProofErrors(t *testing.T) {
	dir := t.TempDir()
	wrong := filepath.Join(dir, "wrong.json")
	if err := os.WriteFile(wrong, []byte(`{"format":"kumiko proof","version":1,"rule":"renju","size":"15x15","black":"h8 i8 j8","white":"a1","side":"black","win":{"move":"g8","rest":{"move":"f8"}}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(dir, "notes")
	if err := os.WriteFile(notes, []byte("milk\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if text, err := os.ReadFile(notes); err != nil || string(text) != "milk\n" {
			t.Errorf("a file that is not a proof now holds %q, %v", text, err)
		}
	}()
	for _, tt := range []struct{ command, args, want string }{
		{"prove", "--moves h8a1i8a3j8a5 --out " + notes, notes + " exists and is not a proof: choose another name"},
		{"verify", wrong, "wrong.json: after g8 f8: f8 is not legal"},
		{"verify", filepath.Join(dir, "none.json"), "none.json: no such file"},
		{"prove", "--nodes 0", "nodes must be at least 1, got 0"},
		{"prove", "--rule go", `unknown rule "go"`},
		{"prove", "--moves h8h8", "--moves: move 2: h8 is occupied"},
		{"prove", "--moves h8 --nodes 500", "no win proven in "},
		{"prove", "--moves h8a1i8a3j8a5 --out " + filepath.Join(dir, "no", "where.json"), "no such file or directory"},
	} {
		command := Verify()
		if tt.command == "prove" {
			command = Prove(func() engine.Options { return engine.Options{Memory: 32 << 20} })
		}
		if _, err := run(t, command, tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: error %v, want %s", tt.command, tt.args, err, tt.want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".proof-*")); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}
