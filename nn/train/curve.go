package train

import (
	"fmt"
	"io"
	"math"
	"strings"

	"kumiko/tournament/outfile"
)

// curves writes the losses to the files that were asked for.
func (r *run) curves() error {
	if r.csv != "" {
		if err := outfile.Write(r.csv, func(w io.Writer) error { return writeCSV(w, r.points) }); err != nil {
			return err
		}
	}
	if r.svg != "" {
		return outfile.Write(r.svg, func(w io.Writer) error { return writeSVG(w, r.points) })
	}
	return nil
}

// writeCSV writes a line for each epoch. What was not measured is left out.
func writeCSV(w io.Writer, points []point) error {
	var b strings.Builder
	b.WriteString(csvHeader + "\n")
	for i, p := range points {
		fmt.Fprint(&b, i+1)
		for _, v := range []float64{p.Training, p.Validation, p.Policy, p.First, p.Third} {
			b.WriteByte(',')
			if v == v {
				fmt.Fprintf(&b, "%.6f", v)
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// How the files begin, by which they are recognized.
const (
	csvHeader = "epoch,training,validation,policy,first,first_three"
	svgHeader = `<svg xmlns="http://www.w3.org/2000/svg" aria-label="losses of a training"`
)

// The drawing, in its own units.
const (
	svgWidth, svgHeight = 640, 360
	svgLeft, svgBottom  = 64, 40
	svgTop, svgRight    = 16, 16
)

// writeSVG draws the losses of training and validation over the epochs.
func writeSVG(w io.Writer, points []point) error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		for _, v := range []float64{p.Training, p.Validation} {
			if v == v {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if high-low < 1e-6 {
		high, low = high+1e-3, low-1e-3
	}
	x := func(i int) float64 {
		return svgLeft + float64(svgWidth-svgLeft-svgRight)*float64(i)/float64(max(1, len(points)-1))
	}
	y := func(v float64) float64 {
		return svgTop + float64(svgHeight-svgTop-svgBottom)*(high-v)/(high-low)
	}
	var b strings.Builder
	fmt.Fprintf(&b, svgHeader+` viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", svgWidth, svgHeight)
	for i := range 5 {
		v := low + (high-low)*float64(i)/4
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.4f</text>`+"\n",
			svgLeft, y(v), svgWidth-svgRight, svgLeft-6, y(v)+4, v)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">epoch 1</text><text x="%d" y="%d" text-anchor="end">epoch %d</text>`+"\n",
		svgLeft, svgHeight-12, svgWidth-svgRight, svgHeight-12, len(points))
	for i, c := range []struct {
		name, color string
		value       func(point) float64
	}{
		{"training", "#1f77b4", func(p point) float64 { return p.Training }},
		{"validation", "#d62728", func(p point) float64 { return p.Validation }},
	} {
		var path strings.Builder
		for k, p := range points {
			if v := c.value(p); v == v {
				fmt.Fprintf(&path, "%.1f,%.1f ", x(k), y(v))
			}
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.TrimSpace(path.String()), c.color)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", svgWidth/2+110*i, svgHeight-12, c.color, c.name)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
