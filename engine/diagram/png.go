package diagram

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The pixels between two lines of a picture in PNG.
const (
	MinPixels     = 8
	MaxPixels     = 200
	DefaultPixels = 48
)

// WritePNG writes the diagram with a number of pixels between two lines.
func (d *Diagram) WritePNG(w io.Writer, pixels int) error {
	if err := d.Check(); err != nil {
		return err
	}
	if pixels < MinPixels || pixels > MaxPixels {
		return fmt.Errorf("pixels must be %d to %d, got %d", MinPixels, MaxPixels, pixels)
	}
	pal := d.palette()
	c := &canvas{scale: float64(pixels) / unit, faces: map[float64]font.Face{}}
	width, height := d.size()
	c.img = image.NewRGBA(image.Rect(0, 0, int(math.Round(width*c.scale)), int(math.Round(height*c.scale))))
	draw.Draw(c.img, c.img.Bounds(), paint(pal["wood"]), image.Point{}, draw.Src)
	for _, s := range d.shapes(pal) {
		if err := c.draw(s); err != nil {
			return err
		}
	}
	return png.Encode(w, c.img)
}

// A canvas is a picture being painted.
type canvas struct {
	img   *image.RGBA
	scale float64 // pixels for a unit of length
	faces map[float64]font.Face
}

// paint returns a color of the style sheet, such as #e6d2ab, as a uniform image.
func paint(hex string) image.Image {
	v, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		panic("diagram: invalid color " + hex) // in the program itself
	}
	return image.NewUniform(color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255})
}

// at converts a place of the drawing to pixels.
func (c *canvas) at(x, y float64) (float64, float64) {
	return (x + border) * c.scale, (y + border) * c.scale
}

// draw paints a shape.
func (c *canvas) draw(s shape) error {
	switch s := s.(type) {
	case segment:
		c.segment(s)
	case disc:
		c.disc(s)
	case label:
		return c.label(s)
	}
	return nil
}

// segment paints a horizontal or vertical line, one unit of length wide, sharp on
// the pixels.
func (c *canvas) segment(s segment) {
	x1, y1 := c.at(s.x1, s.y1)
	x2, y2 := c.at(s.x2, s.y2)
	width := max(1, math.Round(c.scale))
	left, top := math.Round(x1-width/2), math.Round(y1-width/2)
	right, bottom := math.Round(x2-width/2)+width, math.Round(y2-width/2)+width
	draw.Draw(c.img, image.Rect(int(left), int(top), int(right), int(bottom)), paint(s.color), image.Point{}, draw.Over)
}

// disc paints a circle.
func (c *canvas) disc(d disc) {
	if d.fill != "" {
		c.fill(d, paint(d.fill), func(r *path) { r.arc(0, 2*math.Pi, d.r, true) })
	}
	if d.width == 0 {
		return
	}
	stroke := paint(d.stroke)
	dashes, share := 1, 1.0
	if d.dash > 0 {
		dashes = int(math.Round(2 * math.Pi * d.r / (d.dash + d.gap)))
		share = d.dash / (d.dash + d.gap)
	}
	c.fill(d, stroke, func(r *path) {
		step := 2 * math.Pi / float64(dashes)
		for i := range dashes {
			from := step * float64(i)
			to := from + step*share
			r.arc(from, to, d.r+d.width/2, true)
			r.arc(to, from, d.r-d.width/2, dashes == 1) // back on the inside: a ring, or a piece of one
			r.ClosePath()
		}
	})
}

// A path is the outline of something round a center, in pixels from the corner of
// its box.
type path struct {
	*vector.Rasterizer
	x, y, scale float64
}

// arc adds an arc round the center. It begins a new outline or continues the last.
func (p *path) arc(from, to, r float64, begin bool) {
	n := int(math.Ceil(math.Abs(to-from)*r*p.scale/2)) + 4
	for i := range n + 1 {
		a := from + (to-from)*float64(i)/float64(n)
		x, y := float32(p.x+r*p.scale*math.Cos(a)), float32(p.y+r*p.scale*math.Sin(a))
		if i == 0 && begin {
			p.MoveTo(x, y)
		} else {
			p.LineTo(x, y)
		}
	}
}

// fill paints what outline encloses, in the box of a disc.
func (c *canvas) fill(d disc, src image.Image, outline func(*path)) {
	x, y := c.at(d.x, d.y)
	reach := (d.r+d.width)*c.scale + 1
	box := image.Rect(int(math.Floor(x-reach)), int(math.Floor(y-reach)), int(math.Ceil(x+reach)), int(math.Ceil(y+reach)))
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	outline(&path{r, x - float64(box.Min.X), y - float64(box.Min.Y), c.scale})
	r.ClosePath()
	r.Draw(c.img, box, src, image.Point{})
}

// label paints a text.
func (c *canvas) label(l label) error {
	face, err := c.face(l.size)
	if err != nil {
		return err
	}
	x, y := c.at(l.x, l.y)
	drawer := font.Drawer{Dst: c.img, Src: paint(l.color), Face: face}
	width := float64(drawer.MeasureString(l.text)) / 64
	drawer.Dot = fixed.Point26_6{X: fixed.Int26_6((x - width/2) * 64), Y: fixed.Int26_6((y + l.size*0.36*c.scale) * 64)}
	drawer.DrawString(l.text)
	return nil
}

// face returns the font in a size.
func (c *canvas) face(size float64) (font.Face, error) {
	if f, ok := c.faces[size]; ok {
		return f, nil
	}
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size * c.scale, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	c.faces[size] = f
	return f, nil
}
