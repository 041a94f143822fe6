package play

import (
	"fmt"
	"path/filepath"

	"kumiko/tournament/config"
	"kumiko/tournament/opening"
)

// ReadBook returns the openings of the book that c names, with this text,
// and what is wrong with other lines of it. That there are neither is an error.
func ReadBook(text []byte, c *config.Config) (list []opening.Opening, faults []error, err error) {
	format, err := opening.ParseFormat(c.Openings.Type)
	if err != nil {
		return nil, nil, err
	}
	list, err = opening.Read(filepath.Base(c.Openings.File), text, opening.Options{
		Format: format, Width: c.Width, Height: c.Height, Rule: c.Rule.Rule, Plies: c.Openings.Plies,
	})
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		faults = joined.Unwrap()
	} else if err != nil {
		faults = []error{err}
	}
	if len(list)+len(faults) == 0 {
		return nil, nil, fmt.Errorf("%s has no openings", c.Openings.File)
	}
	return list, faults, nil
}
