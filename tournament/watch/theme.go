package watch

import "charm.land/lipgloss/v2"

// A theme defines styles and symbols. Stones differ in shape, so that nothing
// depends on color alone.
type theme struct {
	title, head, dim, good, bad lipgloss.Style

	stones [2]string // by color
	last   [2]string // the same, played last
	open   string    // the bracket around the last stone
	close  string
	empty  string
}

// newTheme returns the theme for a dark or light background, or one without
// colors.
func newTheme(dark, colors bool) *theme {
	pick := lipgloss.LightDark(dark)
	paint := func(light, dark string) lipgloss.Style {
		if !colors {
			return lipgloss.NewStyle()
		}
		return lipgloss.NewStyle().Foreground(pick(lipgloss.Color(light), lipgloss.Color(dark)))
	}
	ink := [2]lipgloss.Style{paint("#005f87", "#5fd7ff"), paint("#af5f00", "#ffd787")}
	mark := paint("#d70000", "#ff5f5f").Bold(true)
	t := &theme{
		title: lipgloss.NewStyle().Bold(true),
		head:  paint("#5f00af", "#af87ff").Bold(true),
		dim:   paint("#767676", "#8a8a8a"),
		good:  paint("#008700", "#5fd75f"),
		bad:   paint("#d70000", "#ff5f5f"),
		open:  mark.Render("["),
		close: mark.Render("]"),
	}
	t.empty = t.dim.Render("·")
	for c, glyph := range []string{"●", "○"} {
		t.stones[c] = ink[c].Render(glyph)
		t.last[c] = ink[c].Bold(true).Reverse(true).Render(glyph)
	}
	return t
}
