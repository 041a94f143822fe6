package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"kumiko/tournament/opening"
)

// A Loader combines settings: defaults, then those of a file, then those of
// flags, in whatever order they are read.
type Loader struct {
	// Base holds the settings used where neither file nor flags say anything;
	// nil means Default.
	Base *Config

	file, flags source
	name        string // of the file
}

// A source holds the settings from one place, in their order.
type source struct {
	settings []assignment
	preset   string
	each     []assignment
	engines  []engineSource
	openings []assignment
	sprt     optional
	draw     optional
	resign   optional
}

// An optional is a group whose mere presence changes something.
type optional struct {
	said bool
	keys []assignment
}

type engineSource struct {
	keys []assignment
	args []string // instead of the key cmd; only in files
}

// AddFlags adds the flags of a tournament to fs. Parsing records them; Config
// checks them.
func (l *Loader) AddFlags(fs *pflag.FlagSet) {
	add := func(name, arg, help string, set func(string) error) {
		f := fs.VarPF(flagValue{set, arg}, name, "", help)
		if arg == "" {
			f.NoOptDefVal = "true"
		}
	}
	group := func(dst *[]assignment) func(string) error {
		return func(s string) error {
			list, err := splitGroup(s)
			*dst = append(*dst, list...)
			return err
		}
	}
	add("engine", "keys", "an engine: 'name=A cmd=\"./pbrain-a -x\" tc=match/turn+increment …' (repeatable)", func(s string) error {
		list, err := splitGroup(s)
		l.flags.engines = append(l.flags.engines, engineSource{keys: list})
		return err
	})
	add("each", "keys", "keys for all engines", group(&l.flags.each))
	add("preset", "name", "limits of Gomocup: gomocup-fast, gomocup or gomocup-final", func(s string) error { l.flags.preset = s; return nil })
	add("openings", "keys", openingsHelp(), group(&l.flags.openings))
	for _, o := range []struct {
		name, help string
		dst        *optional
	}{
		{"sprt", groupHelp(sprtKeys, DefaultSPRT()) + ": end with a verdict on the first engine against the second", &l.flags.sprt},
		{"draw", groupHelp(drawKeys, DefaultDraw()) + ": a draw once the scores of count moves in a row of both engines are within score of 0, after number moves of each", &l.flags.draw},
		{"resign", groupHelp(resignKeys, DefaultResign()) + ": an engine loses once its scores of count moves in a row are at -score or below, after number moves of each", &l.flags.resign},
	} {
		add(o.name, "keys", o.help, func(s string) error {
			o.dst.said = true
			return group(&o.dst.keys)(s)
		})
	}
	dflt := Default()
	for _, st := range settings {
		add(st.name, st.arg, st.explain(&dflt), func(s string) error {
			l.flags.settings = append(l.flags.settings, assignment{st.name, s})
			return nil
		})
	}
}

// A flagValue passes on the value of a flag.
type flagValue struct {
	set func(string) error
	arg string
}

func (f flagValue) Set(s string) error { return f.set(s) }
func (f flagValue) String() string     { return "" }
func (f flagValue) Type() string {
	if f.arg == "" {
		return "bool"
	}
	return f.arg
}

// ReadFile reads a TOML file. Errors name it.
func (l *Loader) ReadFile(name string, text []byte) error {
	file, err := decode(text)
	if err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	l.file, l.name = source{}, name
	for _, st := range settings {
		if value, ok := file[st.name]; ok {
			s, err := scalar(value)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", name, st.name, err)
			}
			l.file.settings = append(l.file.settings, assignment{st.name, s})
		}
	}
	return l.readGroups(name, file)
}

// readGroups reads a file's groups of settings.
func (l *Loader) readGroups(name string, file map[string]any) (err error) {
	if v, ok := file["preset"]; ok {
		if l.file.preset, err = scalar(v); err != nil {
			return fmt.Errorf("%s: preset: %w", name, err)
		}
	}
	_, l.file.sprt.said = file["sprt"]
	_, l.file.draw.said = file["draw"]
	_, l.file.resign.said = file["resign"]
	for _, g := range []struct {
		key string
		dst *[]assignment
	}{{"each", &l.file.each}, {"openings", &l.file.openings}, {"sprt", &l.file.sprt.keys}, {"draw", &l.file.draw.keys}, {"resign", &l.file.resign.keys}} {
		if v, ok := file[g.key]; ok {
			src, err := group(v.(map[string]any))
			if err == nil && src.args != nil {
				err = errors.New("args are for a single engine")
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", name, g.key, err)
			}
			*g.dst = src.keys
		}
	}
	list, _ := file["engine"].([]map[string]any)
	for i, m := range list {
		src, err := group(m)
		if err != nil {
			return fmt.Errorf("%s: engine %d: %w", name, i+1, err)
		}
		l.file.engines = append(l.file.engines, src)
	}
	return nil
}

// group converts a table of a file into assignments.
func group(m map[string]any) (src engineSource, err error) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch v := m[key].(type) {
		case map[string]any:
			if key != "env" && key != "info" {
				_, err := scalar(v)
				return src, fmt.Errorf("%s: %w", key, err)
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				s, err := scalar(v[k])
				if err != nil {
					return src, fmt.Errorf("%s.%s: %w", key, k, err)
				}
				src.keys = append(src.keys, assignment{key + "." + k, s})
			}
		case []any:
			words := make([]string, len(v))
			for i := range v {
				if words[i], err = scalar(v[i]); err != nil {
					return src, fmt.Errorf("%s: %w", key, err)
				}
			}
			if key == "args" {
				src.args = words
			} else {
				src.keys = append(src.keys, assignment{key, strings.Join(words, ",")})
			}
		default:
			s, err := scalar(v)
			if err != nil {
				return src, fmt.Errorf("%s: %w", key, err)
			}
			src.keys = append(src.keys, assignment{key, s})
		}
	}
	return src, nil
}

// scalar formats a value as flags write it.
func scalar(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	text := fmt.Sprint(v)
	if strings.Contains(text, "map[") {
		text = "with a table"
	}
	return "", fmt.Errorf("invalid value %s, want a string, a number, true or false", text)
}

// Config returns the settings. Flags override the file, and keys of an engine
// override those of each. An engine in the flags with the name of one in the
// file changes it; others follow those of the file.
func (l *Loader) Config() (Config, error) {
	c := Default()
	if l.Base != nil {
		c = l.Base.clone()
	}
	engines := c.Engines
	c.Engines = nil
	if err := l.file.apply(&c); err != nil {
		return c, fmt.Errorf("%s: %w", l.name, err)
	}
	if err := l.flags.apply(&c); err != nil {
		return c, err
	}
	preset := cmp.Or(l.flags.preset, l.file.preset)
	if _, ok := presets[preset]; preset != "" && !ok {
		return c, fmt.Errorf("unknown preset %q, want one of %q", preset, slices.Sorted(maps.Keys(presets)))
	}
	sources := l.engines()
	for i := range engines { // engines of Base that only each changes
		if !slices.ContainsFunc(sources, func(src engineSource) bool { return src.name() == engines[i].Name }) {
			sources = append(sources, engineSource{keys: []assignment{{"name", engines[i].Name}}})
		}
	}
	base := len(engines)
	for _, src := range sources {
		i := slices.IndexFunc(engines[:base], func(e Engine) bool { return e.Name == src.name() })
		if i < 0 {
			engines = append(engines, defaultEngine())
			i = len(engines) - 1
		}
		e := &engines[i]
		if preset != "" {
			e.TC, _ = ParseTC(presets[preset])
			e.Margin = gomocupMargin
		}
		if err := src.apply(e, l.file.each, l.flags.each); err != nil {
			return c, fmt.Errorf("engine %s: %w", cmp.Or(e.Name, strconv.Itoa(i+1)), err)
		}
	}
	c.Engines = engines
	if o := &c.Openings; o.Type == "" && o.File != "" && o.File != NoBook {
		o.Type = opening.GuessFormat(o.File).String()
	}
	return c, c.Check()
}

// apply applies the tournament's settings of a source.
func (src *source) apply(c *Config) error {
	for _, a := range src.settings {
		if err := assign(settings, c, a); err != nil {
			return err
		}
	}
	for _, a := range src.openings {
		if err := assign(openingKeys, &c.Openings, a); err != nil {
			return fmt.Errorf("openings: %w", err)
		}
	}
	return errors.Join(
		applyOptional("sprt", sprtKeys, &c.SPRT, DefaultSPRT, src.sprt),
		applyOptional("draw", drawKeys, &c.Draw, DefaultDraw, src.draw),
		applyOptional("resign", resignKeys, &c.Resign, DefaultResign, src.resign),
	)
}

// applyOptional applies the settings of an optional group.
func applyOptional[T any](name string, keys []key[T], dst **T, dflt func() T, src optional) error {
	if src.said && *dst == nil {
		t := dflt()
		*dst = &t
	}
	for _, a := range src.keys {
		if err := assign(keys, *dst, a); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// engines returns the engines of both sources.
func (l *Loader) engines() []engineSource {
	list := slices.Clone(l.file.engines)
	for _, e := range l.flags.engines {
		i := slices.IndexFunc(l.file.engines, func(old engineSource) bool { return e.name() != "" && old.name() == e.name() })
		if i < 0 {
			list = append(list, e)
			continue
		}
		list[i].keys = slices.Concat(list[i].keys, e.keys)
	}
	return list
}

// has reports whether the source sets a key.
func (e *engineSource) has(key string) bool {
	return slices.ContainsFunc(e.keys, func(a assignment) bool { return a.key == key })
}

// name returns the name a source gives the engine, or "".
func (e *engineSource) name() string {
	for _, a := range e.keys {
		if a.key == "name" {
			return a.value
		}
	}
	return ""
}

// apply applies the settings for all engines, in order, then those of this one.
func (e *engineSource) apply(dst *Engine, each ...[]assignment) error {
	for _, list := range append(each, e.keys) {
		for _, a := range list {
			if err := dst.set(a); err != nil {
				return err
			}
		}
	}
	if e.args != nil && e.has("cmd") {
		return errors.New("cmd and args are mutually exclusive")
	} else if e.args != nil {
		dst.Args = e.args
	}
	if dst.Name == "" && len(dst.Args) > 0 {
		dst.Name = nameOf(dst.Args[0])
	}
	return nil
}
