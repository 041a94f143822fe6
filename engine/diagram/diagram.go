// Package diagram draws positions: as SVG and PNG, and, by the style sheet and the
// script that it holds, as the boards of pages. All of them look the same: the
// colors come from the style sheet, and the measures from the script.
package diagram

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kumiko/engine/board"
)

// The drawing for pages. The script needs html/dom.js of package tournament/report.
var (
	//go:embed board.css
	CSS string
	//go:embed board.js
	JS string
)

// A Diagram is a position to draw.
type Diagram struct {
	Width, Height int
	Stones        []Stone
	Marks         []Mark
	Dark          bool // in the colors for dark pages
	FromBottom    bool // rows are numbered from the bottom
}

// A Stone is a stone of a diagram.
type Stone struct {
	At     board.Move
	Cell   board.Cell
	Number int  // of its move, 0 for none
	Five   bool // part of a winning run
	Last   bool // the last move
}

// A Mark is a text of one or two characters on an empty point, or a ring if there is
// no text or a stone on the point.
type Mark struct {
	At   board.Move
	Text string
}

// New returns the diagram of a position, with the winning runs marked. The moves of
// its history have numbers, if wanted.
func New(b *board.Board, numbers bool) *Diagram {
	d := &Diagram{Width: b.Width(), Height: b.Height()}
	number := map[board.Move]int{}
	for i, m := range b.History() {
		number[m] = i + 1
	}
	five := map[board.Move]bool{}
	for _, m := range Five(b) {
		five[m] = true
	}
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.Pt(x, y)
			if b.At(m) == board.Empty {
				continue
			}
			s := Stone{At: m, Cell: b.At(m), Five: five[m], Last: m == b.Last()}
			if numbers {
				s.Number = number[m]
			}
			d.Stones = append(d.Stones, s)
		}
	}
	return d
}

// Five returns the stones of a winning run, in line order, or nil. It prefers one
// through the last move to one that was set up.
func Five(b *board.Board) []board.Move {
	if five := b.Five(); five != nil {
		return five
	}
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.Pt(x, y)
			if c := b.At(m); c != board.BlackStone && c != board.WhiteStone {
				continue
			}
			if five := b.FiveAt(m); five != nil {
				return five
			}
		}
	}
	return nil
}

// The measures of a drawing, the same as in board.js and board.css.
const (
	unit       = 32.0 // between two lines
	border     = 4.0  // the picture begins so far before the origin
	radius     = unit * 0.46
	starRadius = 3.0
	coordSize  = 11.0
	textSize   = 13.0
	longSize   = 10.5 // of numbers with three digits
)

// A shape is part of a drawing.
type shape interface{ svg(b *strings.Builder) }

// A segment is a line from one point to another.
type segment struct {
	x1, y1, x2, y2 float64
	color          string
}

// A disc is a circle, filled unless fill is empty.
type disc struct {
	x, y, r      float64
	fill, stroke string
	width        float64
	dash, gap    float64 // lengths along the stroke, 0 for a solid one
}

// A label is a text with its center at a point.
type label struct {
	x, y, size float64
	text       string
	color      string
}

// size returns the width and the height of the picture.
func (d *Diagram) size() (width, height float64) {
	return unit * float64(d.Width+1), unit * float64(d.Height+1)
}

// shapes returns the shapes of the drawing, in the order in which to paint them.
func (d *Diagram) shapes(p palette) (list []shape) {
	w, h := float64(d.Width), float64(d.Height)
	for x := 1.0; x <= w; x++ {
		list = append(list, segment{x * unit, unit, x * unit, h * unit, p["wood-line"]})
	}
	for y := 1.0; y <= h; y++ {
		list = append(list, segment{unit, y * unit, w * unit, y * unit, p["wood-line"]})
	}
	for _, m := range d.stars() {
		x, y := center(m)
		list = append(list, disc{x: x, y: y, r: starRadius, fill: p["wood-line"]})
	}
	for x := range d.Width {
		name := strings.TrimRight(board.Pt(x, 0).String(), "0123456789")
		list = append(list, label{x: float64(x+1) * unit, y: unit * 0.3, size: coordSize, text: name, color: p["wood-ink"]})
	}
	for y := range d.Height {
		list = append(list, label{x: unit * 0.25, y: float64(y+1) * unit, size: coordSize, text: strconv.Itoa(d.row(y)), color: p["wood-ink"]})
	}
	occupied := map[board.Move]bool{}
	for _, s := range d.Stones {
		occupied[s.At] = true
		list = append(list, s.shapes(p)...)
	}
	for _, m := range d.Marks {
		list = append(list, m.shapes(p, occupied[m.At])...)
	}
	return list
}

// row returns the number of row y.
func (d *Diagram) row(y int) int {
	if d.FromBottom {
		return d.Height - y
	}
	return y + 1
}

// stars returns the points with a dot.
func (d *Diagram) stars() []board.Move {
	w, h := d.Width, d.Height
	if w%2 == 0 || h%2 == 0 || w < 9 || h < 9 {
		return nil
	}
	edge := 2
	if w >= 13 {
		edge = 3
	}
	return []board.Move{board.Pt(edge, edge), board.Pt(w-1-edge, edge), board.Pt(edge, h-1-edge),
		board.Pt(w-1-edge, h-1-edge), board.Pt((w-1)/2, (h-1)/2)}
}

// center returns where a point is in the drawing.
func center(m board.Move) (x, y float64) { return float64(m.X()+1) * unit, float64(m.Y()+1) * unit }

// shapes returns the shapes of a stone.
func (s Stone) shapes(p palette) []shape {
	x, y := center(s.At)
	d := disc{x: x, y: y, r: radius, stroke: p["stone-edge"], width: 1}
	ink := ""
	switch s.Cell {
	case board.BlackStone:
		d.fill, ink = p["black"], "#f4f1ea"
	case board.WhiteStone:
		d.fill, ink = p["white"], "#1d1d1f"
	default:
		d.fill = p["wood-line"]
	}
	switch {
	case s.Last:
		d.stroke, d.width = p["mark"], 3
	case s.Five:
		d.stroke, d.width, d.dash, d.gap = p["mark"], 2, 4, 2.5
	}
	list := []shape{d}
	if s.Last && s.Five { // the last stone of a five has both
		inner := disc{x: x, y: y, r: radius - 3.5, stroke: p["mark"], width: 1.5, dash: 4, gap: 2.5}
		list = append(list, inner)
	}
	if s.Number > 0 && ink != "" {
		text, size := strconv.Itoa(s.Number), textSize
		if len(text) > 2 {
			size = longSize
		}
		list = append(list, label{x: x, y: y, size: size, text: text, color: ink})
	}
	return list
}

// shapes returns the shapes of a mark.
func (m Mark) shapes(p palette, occupied bool) []shape {
	x, y := center(m.At)
	if occupied || m.Text == "" {
		return []shape{disc{x: x, y: y, r: radius * 0.55, stroke: p["mark"], width: 2}}
	}
	return []shape{
		disc{x: x, y: y, r: radius * 0.75, fill: p["wood"]}, // hides the lines behind the text
		label{x: x, y: y, size: textSize, text: m.Text, color: p["mark"]},
	}
}

// number formats a coordinate with as few digits as it needs.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
}

// A palette holds the colors of the style sheet by name, such as wood.
type palette map[string]string

// palette returns the colors of a diagram.
func (d *Diagram) palette() palette {
	light, dark, _ := strings.Cut(CSS, "@media")
	p := palette{}
	p.read(light)
	if d.Dark {
		rules, _, _ := strings.Cut(dark, "\n}")
		p.read(rules)
	}
	return p
}

// read adds the colors that some rules define.
func (p palette) read(rules string) {
	for rest := rules; ; {
		_, after, ok := strings.Cut(rest, "--")
		if !ok {
			return
		}
		name, value, ok := strings.Cut(after, ":")
		rest = after
		if value, _, end := strings.Cut(value, ";"); ok && end {
			if value = strings.TrimSpace(value); len(value) == 7 && value[0] == '#' {
				p[name] = value
			}
		}
	}
}

// Check returns an error for the first stone or mark that cannot be drawn.
func (d *Diagram) Check() error {
	if err := board.CheckSize(d.Width, d.Height); err != nil {
		return err
	}
	on := func(m board.Move) bool { return m != board.NoMove && m.X() < d.Width && m.Y() < d.Height }
	for _, s := range d.Stones {
		if !on(s.At) {
			return fmt.Errorf("stone on %v is off the board", s.At)
		}
	}
	for _, m := range d.Marks {
		if !on(m.At) {
			return fmt.Errorf("mark on %v is off the board", m.At)
		}
		if n := len([]rune(m.Text)); n > 2 {
			return fmt.Errorf("mark %.20q has %d characters, want at most 2", m.Text, n)
		}
	}
	return nil
}
