package tune

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kumiko/engine"
	"kumiko/engine/board"
)

// differences returns the flags by which settings differ, or "" if a run with
// one can be continued with the other. The number of pairs of spsa does not
// count: a finished run can be extended.
func differences(had, want *settings) string {
	if had.Method != want.Method {
		return fmt.Sprintf("a log of %s, not of %s", had.Method, want.Method)
	}
	h, w := settingFlags(had), settingFlags(want)
	var with, not []string
	for i := range max(len(h), len(w)) {
		if i >= len(h) || i >= len(w) || h[i] != w[i] {
			with, not = append(with, at(h, i)...), append(not, at(w, i)...)
		}
	}
	for _, p := range had.Params {
		if !slices.Contains(want.Params, p) {
			with = append(with, "--params "+p.String())
		}
	}
	for _, p := range want.Params {
		if !slices.Contains(had.Params, p) {
			not = append(not, "--params "+p.String())
		}
	}
	if with == nil && not == nil {
		if slices.Equal(had.Params, want.Params) {
			return ""
		}
		with, not = []string{"--params in this order"}, []string{"in another"}
	}
	return fmt.Sprintf("made with %s, not with %s", text(with), text(not))
}

// at returns a slice with element i of a list, if it exists.
func at(list []string, i int) []string {
	if i < len(list) {
		return list[i : i+1]
	}
	return nil
}

func text(list []string) string {
	if list == nil {
		return "these"
	}
	return strings.Join(list, " ")
}

// settingFlags returns the flags that produce settings, except --params. Values
// that a log knows only by hash are in words.
func settingFlags(s *settings) []string {
	list := []any{"rule", s.Rule, "size", board.FormatSize(s.Width, s.Height), "nodes", s.Nodes, "seed", s.Seed}
	switch {
	case s.SPSA != nil:
		list = append(list, "batch", s.SPSA.Batch, "r", s.SPSA.R, "alpha", s.SPSA.Alpha, "gamma", s.SPSA.Gamma, "A", s.SPSA.A)
	case s.Genetic != nil:
		g := s.Genetic
		list = append(list, "population", g.Population, "pairs", g.Pairs, "elites", g.Elites, "immigrants", g.Immigrants,
			"tournament", g.Tournament, "mutation", g.Mutation, "sigma", g.Sigma)
	case s.Match != nil:
		var values []string
		for i, v := range s.Match.Values {
			if i < len(s.Params) {
				values = append(values, fmt.Sprintf("%s=%d", s.Params[i].Name, v))
			}
		}
		list = append(list, "values", strings.Join(values, ","), "net", hashText(s.Match.Net, "in use"),
			"against", hashText(s.Match.Against, "in use"), "against-nodes", s.Match.AgainstNodes, "search", searchName(s.Match.Search), "against-search", searchName(s.Match.AgainstSearch), "sprt", s.Match.SPRT != nil)
		if t := s.Match.SPRT; t != nil {
			list = append(list, "elo0", t.Elo0, "elo1", t.Elo1, "alpha", t.Alpha, "beta", t.Beta, "model", t.Model)
		}
	}
	var flags []string
	for i := 0; i < len(list); i += 2 {
		flags = append(flags, fmt.Sprintf("--%s %v", list[i], list[i+1]))
	}
	return append(flags,
		"--openings "+hashText(s.Openings, "random ones"),
		"the engine's parameters "+hashText(s.Table, ""),
		"its pattern tables "+hashText(s.Patterns, "made by hand"),
		"its network "+hashText(s.Net, "unused"))
}

// hashText describes a hashed value, or returns none if there is no hash.
func hashText(hash, none string) string {
	if hash == "" {
		return none
	}
	return "of hash " + hash
}

// searchName returns the name of a search, which logs leave out if it is alpha-beta.
func searchName(name string) string { return cmp.Or(name, engine.AlphaBeta.String()) }
