package diagram

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"kumiko/engine/board"
)

// WriteSVG writes the diagram as a picture that needs neither style sheet nor script.
func (d *Diagram) WriteSVG(w io.Writer) error {
	if err := d.Check(); err != nil {
		return err
	}
	p := d.palette()
	width, height := d.size()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%s" height="%s" role="img">`+"\n",
		number(-border), number(-border), number(width), number(height), number(width), number(height))
	fmt.Fprintf(&b, "<title>%s</title>\n", d.title())
	fmt.Fprintf(&b, `<rect x="%s" y="%s" width="%s" height="%s" rx="4" fill="%s"/>`+"\n", number(-border), number(-border), number(width), number(height), p["wood"])
	b.WriteString(`<g font-family="system-ui, sans-serif" text-anchor="middle">` + "\n")
	for _, s := range d.shapes(p) {
		s.svg(&b)
	}
	b.WriteString("</g>\n</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// title says in words what the picture shows, for those who do not see it.
func (d *Diagram) title() string {
	var black, white []string
	for _, s := range d.Stones {
		switch s.Cell {
		case board.BlackStone:
			black = append(black, d.name(s.At))
		case board.WhiteStone:
			white = append(white, d.name(s.At))
		}
	}
	return fmt.Sprintf("Board of %d columns and %d rows; black: %s; white: %s", d.Width, d.Height, points(black), points(white))
}

// name returns the name of a point.
func (d *Diagram) name(m board.Move) string { return board.Pt(m.X(), d.row(m.Y())-1).String() }

func points(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " ")
}

func (s segment) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<path d="M%s %sL%s %s" stroke="%s"/>`+"\n", number(s.x1), number(s.y1), number(s.x2), number(s.y2), s.color)
}

func (d disc) svg(b *strings.Builder) {
	fill := d.fill
	if fill == "" {
		fill = "none"
	}
	fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" fill="%s"`, number(d.x), number(d.y), number(d.r), fill)
	if d.width > 0 {
		fmt.Fprintf(b, ` stroke="%s" stroke-width="%s"`, d.stroke, number(d.width))
	}
	if d.dash > 0 {
		fmt.Fprintf(b, ` stroke-dasharray="%s %s"`, number(d.dash), number(d.gap))
	}
	b.WriteString("/>\n")
}

// The text hangs on its base line: not every viewer knows how to center it.
func (l label) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" fill="%s">`, number(l.x), number(l.y+l.size*0.35), number(l.size), l.color)
	xml.EscapeText(b, []byte(l.text)) // a Builder does not fail
	b.WriteString("</text>\n")
}
