package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

// Resume prepares a tournament that was interrupted. Settings returns the new
// settings, given the old ones; changes that affect results must be in accepted.
func Resume(dir string, settings func(old *config.Config) (config.Config, error), accepted []string) (*Tournament, error) {
	log, state, err := journal.Append(dir)
	if err != nil {
		return nil, err
	}
	t, err := resume(dir, state, settings, accepted)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	again := &journal.Resume{At: time.Now(), Config: t.cfg, Hash: t.hash, Accept: accepted}
	if err := state.Add(again); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	log.Add(again)
	t.state, t.log = state, log
	if n := log.Cut(); n > 0 {
		t.warn("%d bytes of an unfinished line were cut off the log", n)
	}
	return t, nil
}

// resume returns the tournament without a log.
func resume(dir string, state *journal.Log, settings func(old *config.Config) (config.Config, error), accepted []string) (*Tournament, error) {
	cfg, err := settings(&state.Config)
	if err != nil {
		return nil, err
	}
	t, err := prepare(cfg, dir)
	if err != nil {
		return nil, err
	}
	changed, err := changes(&state.Config, &t.cfg)
	if err != nil {
		return nil, err
	}
	changed = append(changed, hashChanges(&t.cfg, state.Hash, t.hash)...)
	slices.Sort(changed)
	now, err := settingsMap(&t.cfg)
	if err != nil {
		return nil, err
	}
	changed = slices.Compact(changed)
	if slices.Equal(changed, []string{"rounds"}) && !slices.Contains(accepted, "rounds") {
		return nil, fmt.Errorf("rounds must be at least %d, as many as the log has, got %d; to resume anyway: --accept-changed rounds",
			state.Config.Rounds, t.cfg.Rounds)
	}
	return t, refuse(changed, accepted, sortedKeys(now))
}

// free lists settings that may change when a tournament is resumed: they do not
// affect results, or only games not yet played.
var free = []string{"rounds", "concurrency", "rating_interval", "until_error", "transcripts", "on_failure", "max_failures"}

// changes names what differs between two configs: engines as engine NAME,
// settings as the log calls them. It omits settings that do not affect results,
// and more rounds.
func changes(old, now *config.Config) ([]string, error) {
	var list []string
	a, err := settingsMap(old)
	if err != nil {
		return nil, err
	}
	b, err := settingsMap(now)
	if err != nil {
		return nil, err
	}
	if now.Rounds < old.Rounds {
		list = append(list, "rounds")
	}
	for _, key := range sortedKeys(a, b) {
		if a[key] != b[key] {
			list = append(list, key)
		}
	}
	return list, nil
}

// settingsMap returns settings by name, as JSON.
func settingsMap(c *config.Config) (map[string]string, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	m := make(map[string]string)
	for k, v := range fields {
		if k != "engines" && !slices.Contains(free, k) {
			m[k] = string(v)
		}
	}
	for i := range c.Engines {
		e, err := json.Marshal(c.Engines[i])
		if err != nil {
			return nil, err
		}
		m["engine "+c.Engines[i].Name] = string(e)
	}
	m["engines"] = strings.Join(c.Names(), ", ")
	return m, nil
}

func sortedKeys(list ...map[string]string) []string {
	all := make(map[string]string)
	for _, m := range list {
		maps.Copy(all, m)
	}
	return slices.Sorted(maps.Keys(all))
}

// hashChanges names the programs and books that have changed.
func hashChanges(c *config.Config, old, now journal.Hashes) []string {
	var list []string
	for i := range c.Engines {
		if i >= len(old.Engines) || old.Engines[i] != now.Engines[i] {
			list = append(list, "engine "+c.Engines[i].Name)
		}
	}
	if old.Openings != now.Openings {
		list = append(list, "openings")
	}
	return list
}

// refuse returns an error that names changes not accepted. The engine NAME may
// be accepted as NAME. The list of engines can never change, since games refer
// to them by index.
func refuse(changed, accepted, known []string) error {
	for _, name := range accepted {
		if !slices.Contains(known, name) && !slices.Contains(known, "engine "+name) {
			return fmt.Errorf("unknown engine or setting %q in --accept-changed, want one of %s", name, strings.Join(known, ", "))
		}
	}
	var left []string
	for _, name := range changed {
		if name == "engines" {
			return errors.New("the engines are not those of the log: begin a new tournament, or rate both logs together")
		}
		if !slices.Contains(accepted, name) && !slices.Contains(accepted, strings.TrimPrefix(name, "engine ")) {
			left = append(left, name)
		}
	}
	if left == nil {
		return nil
	}
	flags := make([]string, len(left))
	for i, name := range left {
		name = strings.TrimPrefix(name, "engine ")
		if strings.ContainsAny(name, " '\"\\$`") {
			name = "'" + strings.ReplaceAll(name, "'", `'"'"'`) + "'"
		}
		flags[i] = "--accept-changed " + name
	}
	return fmt.Errorf("changed since the log was written, so that results would mix: %s; to resume anyway: %s",
		strings.Join(left, ", "), strings.Join(flags, " "))
}
