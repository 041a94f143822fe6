package report

import (
	"regexp"
	"strings"

	"kumiko/tournament/config"
)

// absolutePath matches the folder of an absolute path in a text: a slash, a
// drive or a share at the start of a word, and everything up to the last
// separator.
var absolutePath = regexp.MustCompile(`(^|[\s"'=(\[{<:,;|])(?:/[^\s"'<>|:,;(){}\[\]=/]|[A-Za-z]:[\\/]|\\\\)[^\s"'<>|:,;(){}\[\]=]*[\\/]`)

// absolute matches an absolute path.
var absolute = regexp.MustCompile(`^(?:/|[A-Za-z]:[\\/]|\\\\).`)

// hidePaths returns a function that removes the folders of absolute paths from
// a text: a page may be passed on, and paths reveal whose machine it was. Paths
// in the settings may have blanks.
func hidePaths(c *config.Config) func(text string) string {
	var list []string
	hide := func(path string) {
		path = strings.TrimRight(path, `/\`)
		folder := path[:strings.LastIndexAny(path, `/\`)+1]
		if absolute.MatchString(path) {
			list = append(list, path, path[len(folder):])
			if len(folder) > 1 {
				list = append(list, folder, "")
			}
		}
	}
	for i := range c.Engines {
		e := &c.Engines[i]
		for _, a := range e.Args {
			hide(a)
			if _, value, ok := strings.Cut(a, "="); ok {
				hide(value)
			}
		}
		hide(e.Stderr)
		hide(e.Dir)
	}
	hide(c.Openings.File)
	known := strings.NewReplacer(list...)
	return func(text string) string { return absolutePath.ReplaceAllString(known.Replace(text), "$1") }
}
