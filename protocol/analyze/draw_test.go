package analyze

import (
	"bytes"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/protocol/cli/golden"
)

func TestDraw(t *testing.T) {
	dir := t.TempDir()
	svg, picture := filepath.Join(dir, "a.svg"), filepath.Join(dir, "a.PNG")
	for range 2 { // again over its own files
		for _, out := range []string{svg, picture} {
			if text, err := run(t, Draw(), "testdata/game.psq", "--out", out, "--mark", "a1o15h8", "--pixels", "20"); err != nil || text != "" {
				t.Fatalf("%q, %v", text, err)
			}
		}
	}
	text := string(golden.Read(t, svg))
	for _, want := range []string{">27</text>", ">A</text>", ">B</text>", `stroke-dasharray="4 2.5"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if printed, err := run(t, Draw(), "testdata/game.psq", "--mark", "a1o15h8"); err != nil || printed != text {
		t.Errorf("standard output differs from the file: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(golden.Read(t, picture)))
	if err != nil || img.Bounds().Dx() != 16*20 {
		t.Errorf("PNG: %v, %v", img.Bounds(), err)
	}
	plain, err := run(t, Draw(), "testdata/game.psq", "--no-numbers", "--ply", "9")
	if err != nil || strings.Count(plain, "<circle") != 9+5 || strings.Contains(plain, `font-size="13"`) {
		t.Errorf("without numbers: %v, %s", err, plain)
	}
	dark, err := run(t, Draw(), "h8", "--dark", "--rows", "bottom", "--size", "9")
	if err != nil || !strings.Contains(dark, "#b59a6c") || !strings.Contains(dark, "black: h8;") {
		t.Errorf("dark: %v, %s", err, dark)
	}
}

func TestDrawErrors(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "notes.svg")
	golden.Write(t, notes, "mine")
	for _, tt := range []struct{ args, want string }{
		{"h8 --out a.gif", "--out: a.gif ends neither in .svg nor in .png"},
		{"h8 --out " + notes, "notes.svg"},
		{"h8 --out no/such/a.png", "no/such"},
		{"h8 --pixels 7", "pixels must be 8 to 200, got 7"},
		{"h8 --mark q1", "--mark: move 1: column 17, row 1 from the top is off the 15x15 board"},
		{"h8 --mark a1a1", "--mark: move 2: a1 is occupied"},
		{"h8 --mark x", "--mark: move 1: invalid point"},
		{"h8 --mark a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1a2b2c2d2e2f2g2h2i2j2", "--mark: more than 24 empty points"},
		{"h8h8", "move 2: h8 is occupied"},
	} {
		if out, err := run(t, Draw(), strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.want) || out != "" {
			t.Errorf("%s: %q, %v, want %s", tt.args, out, err, tt.want)
		}
	}
	if string(golden.Read(t, notes)) != "mine" {
		t.Error("another file was overwritten")
	}
}
