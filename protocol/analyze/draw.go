package analyze

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/engine/diagram"
	"kumiko/engine/notation"
	"kumiko/tournament/outfile"
)

// Draw returns the command draw, which writes pictures of positions.
func Draw() *cobra.Command {
	c := &cobra.Command{
		Use:   "draw POSITION|FILE|- [flags]",
		Short: "Draw a position or a game as a picture",
		Long: `Draw a position, or a game after its last move, as SVG or PNG: numbered stones, the last one ringed,
and a winning five. Without --out the picture goes to standard output, as SVG.

` + inputHelp,
		Args: cobra.ExactArgs(1),
	}
	in := addInput(c)
	f := c.Flags()
	out := f.String("out", "", "`file` for the picture, its name ending in .svg or .png")
	plain := f.Bool("no-numbers", false, "draw stones without the numbers of their moves")
	marks := f.String("mark", "", "`points` to mark, such as h8i9: empty ones by letters, stones by rings")
	dark := f.Bool("dark", false, "use the colors for dark pages")
	pixels := f.Int("pixels", diagram.DefaultPixels, "`pixels` between two lines, in PNG")
	c.RunE = func(c *cobra.Command, args []string) error {
		kind, err := pictureKind(*out)
		if err != nil {
			return err
		}
		if *pixels < diagram.MinPixels || *pixels > diagram.MaxPixels {
			return fmt.Errorf("pixels must be %d to %d, got %d", diagram.MinPixels, diagram.MaxPixels, *pixels)
		}
		if err := outfile.CheckLater(*out, kind); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		r, err := in.read(args[0], c.InOrStdin())
		if err != nil {
			return err
		}
		d := diagram.New(r.at(len(r.moves)), !*plain)
		d.Dark, d.FromBottom = *dark, r.rows == notation.FromBottom
		if d.Marks, err = marksOf(r, *marks); err != nil {
			return fmt.Errorf("--mark: %w", err)
		}
		write := d.WriteSVG
		if kind.Name == pngFile.Name {
			write = func(w io.Writer) error { return d.WritePNG(w, *pixels) }
		}
		if *out == "" {
			return write(c.OutOrStdout())
		}
		return outfile.Write(*out, write)
	}
	return c
}

// pictureKind returns the kind of picture that a name ends for.
func pictureKind(name string) (outfile.Kind, error) {
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case name == "" || ext == ".svg":
		return svgFile, nil
	case ext == ".png":
		return pngFile, nil
	}
	return outfile.Kind{}, fmt.Errorf("--out: %s ends neither in .svg nor in .png", name)
}

// marksOf reads points to mark. Empty ones get letters, in turn.
func marksOf(r *record, points string) (list []diagram.Mark, err error) {
	b := r.at(len(r.moves))
	moves, err := notation.ParsePosition(points, b.Width(), b.Height(), r.rows)
	if err != nil {
		return nil, err
	}
	letters := labels
	for _, m := range moves {
		mark := diagram.Mark{At: m}
		if b.Empty(m) {
			if letters == "" {
				return nil, errors.New("more than " + fmt.Sprint(len(labels)) + " empty points")
			}
			mark.Text, letters = letters[:1], letters[1:]
		}
		list = append(list, mark)
	}
	return list, nil
}
