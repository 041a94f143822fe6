package tune

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kumiko/engine"
)

// A param is a tunable number, with bounds no wider than the engine's.
type param struct {
	Name    string `json:"name"`
	Default int    `json:"default"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	// Step is a change with a noticeable effect: the last perturbation of SPSA,
	// and the unit of mutations.
	Step float64 `json:"step"`
}

// check reports a parameter that cannot be tuned.
func (p param) check() error {
	const most = 1 << 30
	if p.Min < -most || p.Max > most || p.Min >= p.Max || p.Default < p.Min || p.Default > p.Max {
		return fmt.Errorf("parameter %s: default %d is not within bounds %d to %d", p.Name, p.Default, p.Min, p.Max)
	}
	if !(p.Step > 0 && p.Step <= float64(p.Max-p.Min)) {
		return fmt.Errorf("parameter %s: step must be above 0 and at most %d, got %v", p.Name, p.Max-p.Min, p.Step)
	}
	return nil
}

// String returns the parameter in flag syntax, and its default.
func (p param) String() string {
	return fmt.Sprintf("%s=%d:%d:%v (default %d)", p.Name, p.Min, p.Max, p.Step, p.Default)
}

// steps is the default number of steps in a range.
const steps = 20

// parseParams parses a list of parameters such as LMRFactor,RazorBase=0:100:5:
// names out of known, each with optional narrower bounds and step. An empty list means
// all of known.
func parseParams(text string, known []engine.Param) ([]param, error) {
	var list []param
	if strings.TrimSpace(text) == "" {
		for _, p := range known {
			list = append(list, newParam(p))
		}
		return list, nil
	}
	for item := range strings.SplitSeq(text, ",") {
		p, err := parseParam(item, known)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(q param) bool { return q.Name == p.Name }) {
			return nil, fmt.Errorf("parameter %s is listed twice", p.Name)
		}
		list = append(list, p)
	}
	return list, nil
}

func newParam(p engine.Param) param {
	return param{p.Name, p.Default, p.Min, p.Max, defaultStep(p.Min, p.Max)}
}

// defaultStep returns at least ½: then the values on both sides of a number
// differ after rounding.
func defaultStep(least, most int) float64 { return max(0.5, float64(most-least)/steps) }

// parseParam parses NAME, NAME=MIN:MAX or NAME=MIN:MAX:STEP.
func parseParam(item string, all []engine.Param) (param, error) {
	name, bounds, bounded := strings.Cut(item, "=")
	name = strings.TrimSpace(name)
	known, err := lookUp(name, all)
	if err != nil {
		return param{}, err
	}
	p := newParam(known)
	if !bounded {
		return p, nil
	}
	fields := strings.Split(bounds, ":")
	if len(fields) != 2 && len(fields) != 3 {
		return param{}, fmt.Errorf("%s=%s: want %s=MIN:MAX or %s=MIN:MAX:STEP", name, bounds, name, name)
	}
	least, err1 := strconv.Atoi(strings.TrimSpace(fields[0]))
	most, err2 := strconv.Atoi(strings.TrimSpace(fields[1]))
	if err := errors.Join(err1, err2); err != nil {
		return param{}, fmt.Errorf("%s=%s: invalid bounds", name, bounds)
	}
	if least >= most || least < p.Min || most > p.Max {
		return param{}, fmt.Errorf("%s=%s: want bounds within %d to %d, the lower first", name, bounds, p.Min, p.Max)
	}
	if p.Default < least || p.Default > most {
		return param{}, fmt.Errorf("%s=%s: the default %d is not within the bounds", name, bounds, p.Default)
	}
	p.Min, p.Max, p.Step = least, most, defaultStep(least, most)
	if len(fields) == 3 {
		if p.Step, err = strconv.ParseFloat(strings.TrimSpace(fields[2]), 64); err != nil {
			return param{}, fmt.Errorf("%s=%s: invalid step %q", name, bounds, fields[2])
		}
	}
	return p, p.check()
}

// lookUp returns the parameter with a name.
func lookUp(name string, known []engine.Param) (engine.Param, error) {
	for _, p := range known {
		if p.Name == name {
			return p, nil
		}
	}
	return engine.Param{}, fmt.Errorf("unknown parameter %q", name)
}

// parseValues parses a list such as LMRFactor=83,RazorBase=38.
func parseValues(text string, known []engine.Param) (params []param, values []int, err error) {
	for item := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(item, "=")
		name = strings.TrimSpace(name)
		p, err := lookUp(name, known)
		if err != nil {
			return nil, nil, err
		}
		v, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil {
			return nil, nil, fmt.Errorf("%q: want NAME=VALUE", item)
		}
		if slices.ContainsFunc(params, func(q param) bool { return q.Name == name }) {
			return nil, nil, fmt.Errorf("parameter %s is listed twice", name)
		}
		params, values = append(params, newParam(p)), append(values, v)
	}
	_, err = engine.NewTuning(byName(params, values))
	return params, values, err
}

// byName maps the names of parameters to values.
func byName(params []param, values []int) map[string]int {
	m := make(map[string]int, len(params))
	for i, p := range params {
		m[p.Name] = values[i]
	}
	return m
}

// defaults returns the default of every parameter.
func defaults(params []param) []int {
	values := make([]int, len(params))
	for i, p := range params {
		values[i] = p.Default
	}
	return values
}

// clip returns x clipped to the bounds.
func clip[T cmp.Ordered](x, least, most T) T { return max(least, min(most, x)) }
