package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/protocol/cli/golden"
)

// newBoard returns a board after some moves.
func newBoard(t *testing.T, width, height int, points string) *board.Board {
	t.Helper()
	b, err := board.New(width, height, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := board.ParseMoves(points)
	if err == nil {
		err = b.PlaceAll(moves)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func svgOf(t *testing.T, d *Diagram) string {
	t.Helper()
	var out strings.Builder
	if err := d.WriteSVG(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func pngOf(t *testing.T, d *Diagram, pixels int) image.Image {
	t.Helper()
	var out bytes.Buffer
	if err := d.WritePNG(&out, pixels); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

const wonGame = "h8h9i8i9g8g9f8f9e8"

func TestSVG(t *testing.T) {
	d := New(newBoard(t, 15, 15, wonGame), true)
	d.Marks = []Mark{{board.Pt(3, 3), "A"}, {board.Pt(7, 8), ""}}
	text := svgOf(t, d)
	golden.Compare(t, "testdata/won.svg", text)
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Every stone has its color in both formats, at any size.
func TestPNG(t *testing.T) {
	for _, tt := range []struct{ width, height, pixels int }{{15, 15, 48}, {9, 12, MinPixels}, {32, 32, 20}, {6, 5, MaxPixels}} {
		b := newBoard(t, tt.width, tt.height, "a1b2c3b4")
		if err := b.Setup([]board.Stone{{Move: board.Pt(0, 0), Cell: board.BlackStone}, {Move: board.Pt(tt.width-1, tt.height-1), Cell: board.WhiteStone},
			{Move: board.Pt(2, 1), Cell: board.DeadStone}}, board.Black); err != nil {
			t.Fatal(err)
		}
		for _, dark := range []bool{false, true} {
			d := New(b, false)
			d.Dark = dark
			img := pngOf(t, d, tt.pixels)
			if want := image.Pt(tt.pixels*(tt.width+1), tt.pixels*(tt.height+1)); img.Bounds().Size() != want {
				t.Errorf("%v: size %v, want %v", tt, img.Bounds().Size(), want)
			}
			p := d.palette()
			for y := range tt.height {
				for x := range tt.width {
					m := board.Pt(x, y)
					want := p[[...]string{board.BlackStone: "black", board.WhiteStone: "white", board.DeadStone: "wood-line", board.Empty: "wood-line"}[b.At(m)]]
					at := (float64(x+1)*unit + border) * float64(tt.pixels) / unit
					down := (float64(y+1)*unit + border) * float64(tt.pixels) / unit
					if got := hex(img.At(int(at), int(down))); got != want {
						t.Errorf("%v, dark %v: %v is %s, want %s", tt, dark, m, got, want)
					}
				}
			}
		}
	}
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// Numbers, marks and rings are painted, too.
func TestPNGInk(t *testing.T) {
	b := newBoard(t, 15, 15, wonGame)
	plain := pngOf(t, New(b, false), 48)
	for _, tt := range []struct {
		what string
		d    func() *Diagram
		at   board.Move // where it differs
	}{
		{"number", func() *Diagram { return New(b, true) }, board.Pt(7, 7)},
		{"letter", func() *Diagram {
			d := New(b, false)
			d.Marks = []Mark{{board.Pt(1, 1), "B"}}
			return d
		}, board.Pt(1, 1)},
		{"ring", func() *Diagram {
			d := New(b, false)
			d.Marks = []Mark{{board.Pt(7, 7), ""}}
			return d
		}, board.Pt(7, 7)},
		{"five", func() *Diagram {
			d := New(b, false)
			for i := range d.Stones {
				d.Stones[i].Five = false
			}
			return d
		}, board.Pt(5, 7)},
		{"last", func() *Diagram {
			d := New(b, false)
			for i := range d.Stones {
				d.Stones[i].Last = false
			}
			return d
		}, board.Pt(4, 7)},
	} {
		img := pngOf(t, tt.d(), 48)
		var where []image.Point
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if img.At(x, y) != plain.At(x, y) {
					where = append(where, image.Pt((x-6+24)/48-1, (y-6+24)/48-1))
				}
			}
		}
		if !slices.Contains(where, image.Pt(tt.at.X(), tt.at.Y())) {
			t.Errorf("%s: nothing changes on %v", tt.what, tt.at)
		}
	}
}

func TestFive(t *testing.T) {
	d := New(newBoard(t, 15, 15, wonGame), true)
	var five, last []string
	for _, s := range d.Stones {
		if s.Five {
			five = append(five, s.At.String())
		}
		if s.Last {
			last = append(last, fmt.Sprint(s.At, s.Number))
		}
	}
	if got := strings.Join(five, " "); got != "e8 f8 g8 h8 i8" || !slices.Equal(last, []string{"e8 9"}) {
		t.Errorf("five %s, last %v", got, last)
	}
	b, err := board.Parse(board.Standard, "......\nooooo.\n......\n......\n......")
	if err != nil || len(Five(b)) != 5 {
		t.Errorf("a five that was set up: %v, %v", Five(b), err)
	}
	if five := Five(newBoard(t, 15, 15, "h8h9")); five != nil {
		t.Errorf("no five: %v", five)
	}
}

func TestRowsFromBottom(t *testing.T) {
	d := New(newBoard(t, 15, 15, "h1"), true)
	if text := svgOf(t, d); !strings.Contains(text, "black: h1;") {
		t.Errorf("from the top: %s", text)
	}
	d.FromBottom = true
	if text := svgOf(t, d); !strings.Contains(text, "black: h15;") || strings.Index(text, ">15<") > strings.Index(text, ">14<") {
		t.Errorf("from the bottom: %s", text)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		d    Diagram
		want string
	}{
		{Diagram{Width: 4, Height: 4}, "board size 4x4"},
		{Diagram{Width: 5, Height: 5, Stones: []Stone{{At: board.Pt(5, 0)}}}, "stone on f1 is off the board"},
		{Diagram{Width: 5, Height: 5, Marks: []Mark{{At: board.Pt(0, 5)}}}, "mark on a6 is off the board"},
		{Diagram{Width: 5, Height: 5, Marks: []Mark{{Text: "abc"}}}, `mark "abc" has 3 characters`},
	} {
		var out bytes.Buffer
		for _, err := range []error{tt.d.Check(), tt.d.WriteSVG(&out), tt.d.WritePNG(&out, 48)} {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		}
		if out.Len() > 0 {
			t.Errorf("%s: something was written", tt.want)
		}
	}
	for _, pixels := range []int{MinPixels - 1, MaxPixels + 1} {
		if err := (&Diagram{Width: 5, Height: 5}).WritePNG(io.Discard, pixels); err == nil || !strings.Contains(err.Error(), "pixels must be 8 to 200") {
			t.Errorf("%d pixels: %v", pixels, err)
		}
	}
}

// The script and the style sheet use the same measures and colors as this package.
func TestPages(t *testing.T) {
	script := []string{
		fmt.Sprintf("this.unit = %v;", unit),
		fmt.Sprintf("viewBox: `%v %v ${(width + 1) * u} ${(height + 1) * u}`", -border, -border),
		fmt.Sprintf("r: u * %v }", radius/unit),
		fmt.Sprintf("r: %v })", starRadius),
		"y: u * 0.3 }", "x: u * 0.25,", "width >= 13 ? 3 : 2", "text.length > 2",
	}
	for _, text := range script {
		if !strings.Contains(JS, text) {
			t.Errorf("board.js has no %s", text)
		}
	}
	style := []string{
		fmt.Sprintf("font-size: %vpx; text-anchor", coordSize), fmt.Sprintf("font-size: %vpx; font-variant", textSize), fmt.Sprintf(".long { font-size: %vpx", longSize),
		".black text { fill: #f4f1ea; }", ".white text { fill: #1d1d1f; }",
		"stroke-width: 2; stroke-dasharray: 4 2.5;", "stroke-width: 3; stroke-dasharray: none;",
	}
	for _, text := range style {
		if !strings.Contains(CSS, text) {
			t.Errorf("board.css has no %s", text)
		}
	}
	light, dark := (&Diagram{}).palette(), (&Diagram{Dark: true}).palette()
	for _, m := range regexp.MustCompile(`--([a-z-]+): #`).FindAllStringSubmatch(CSS, -1) {
		if light[m[1]] == "" || dark[m[1]] == "" || light[m[1]] == dark[m[1]] {
			t.Errorf("color %s: light %q, dark %q", m[1], light[m[1]], dark[m[1]])
		}
	}
	if len(light) < 7 {
		t.Errorf("only %d colors: %v", len(light), light)
	}
}
