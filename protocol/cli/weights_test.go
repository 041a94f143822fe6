package cli

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
)

// testWeights returns the files of tables and of a network.
func testWeights(t *testing.T) (tables, net []byte) {
	t.Helper()
	var a, b bytes.Buffer
	if err := pattern.Hand(board.Renju).Write(&a); err != nil {
		t.Fatal(err)
	}
	n := nn.New(nn.Shape{Reach: 4, Hidden: 8, Channels: 8, Dense: 8, Sides: 2}, "renju", rand.New(rand.NewPCG(1, 2)))
	if err := n.Write(&b); err != nil {
		t.Fatal(err)
	}
	return a.Bytes(), b.Bytes()
}

// TestWeights shows embedded weights and files, and names every one that is damaged.
func TestWeights(t *testing.T) {
	tables, net := testWeights(t)
	of := func(data []byte) func(string) []byte {
		return func(rule string) []byte {
			if rule == "renju" {
				return data
			}
			return nil
		}
	}
	out, err := run(t, Weights(of(tables), of(net)), "")
	lines := strings.Split(out, "\n")
	if err != nil || len(lines) != 3 || !strings.HasPrefix(lines[0], "tables for renju, ") ||
		!strings.HasPrefix(lines[1], "network for renju, ") || !strings.HasSuffix(lines[1], "reach 4, 8 hidden, 8 channels, 8 dense, 996 weights, a set for each side") {
		t.Errorf("error %v, output\n%s", err, out)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	damaged := bytes.Clone(net)
	damaged[len(damaged)/2] ^= 1
	good, bad, text := write("good", net), write("bad", damaged), write("text", []byte("a shopping list"))
	out, err = run(t, Weights(of(nil), of(nil)), strings.Join([]string{good, bad, text, filepath.Join(dir, "no")}, " "))
	if !strings.HasPrefix(out, good+": network for renju, ") || strings.Count(out, "\n") != 1 {
		t.Errorf("output\n%s", out)
	}
	for _, want := range []string{bad + ": nn: ", "checksum", text + ": neither pattern tables nor a network", "no: no such file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %s", err, want)
		}
	}
	var residual bytes.Buffer
	if err := nn.ZeroResidual(nn.ResidualShape{Planes: 4, Blocks: 2, Channels: 16, Head: 8}, "renju").Write(&residual); err != nil {
		t.Fatal(err)
	}
	good, bad = write("residual", residual.Bytes()), write("short", residual.Bytes()[:9000])
	out, err = run(t, Weights(of(nil), of(nil)), good+" "+bad)
	if !strings.HasPrefix(out, good+": residual network for renju, ") || !strings.HasSuffix(out, ": planes 4, blocks 2, channels 16, head 8, 10545 weights\n") ||
		err == nil || err.Error() != bad+": nn: the file ends after 9000 of 42206 bytes" {
		t.Errorf("error %v, output\n%s", err, out)
	}
	if _, err := run(t, Weights(of(tables), of(damaged)), ""); err == nil || !strings.Contains(err.Error(), "the weights for renju: ") {
		t.Errorf("embedded weights that are damaged: %v", err)
	}
}
