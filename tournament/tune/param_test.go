package tune

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"kumiko/engine"
)

func TestParseParams(t *testing.T) {
	all, err := parseParams(" ", engine.Params(engine.ByTables))
	if err != nil || len(all) != len(engine.Params(engine.ByTables)) {
		t.Errorf("%d parameters, error %v, want all %d", len(all), err, len(engine.Params(engine.ByTables)))
	}
	for i, p := range engine.Params(engine.ByTables) {
		q := all[i]
		if q.Name != p.Name || q.Default != p.Default || q.Min != p.Min || q.Max != p.Max {
			t.Errorf("%+v is not %+v", q, p)
		}
		if err := q.check(); err != nil {
			t.Error(err)
		}
	}
	known := func(name string) engine.Param {
		p, err := lookUp(name, engine.Params(engine.ByTables))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	factor, base := known("LMRFactor"), known("CountBase")
	tests := []struct {
		text string
		want []param
	}{
		{"LMRFactor", []param{newParam(factor)}},
		{"CountBase, LMRFactor = 50 : 110", []param{
			{"CountBase", base.Default, base.Min, base.Max, 0.95},
			{"LMRFactor", factor.Default, 50, 110, 3},
		}},
		{"LMRFactor=50:110:2.5", []param{{"LMRFactor", factor.Default, 50, 110, 2.5}}},
	}
	for _, tt := range tests {
		if got, err := parseParams(tt.text, engine.Params(engine.ByTables)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %+v, error %v, want %+v", tt.text, got, err, tt.want)
		}
	}
}

func TestParseParamsErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"LMRFactor,", `unknown parameter ""`},
		{"lmrfactor", `unknown parameter "lmrfactor"`},
		{"LMRFactor,LMRFactor=50:110", "LMRFactor is listed twice"},
		{"LMRFactor=50", "want LMRFactor=MIN:MAX"},
		{"LMRFactor=50:60:7:8", "want LMRFactor=MIN:MAX"},
		{"LMRFactor=x:90", "invalid bounds"},
		{"LMRFactor=90:50", "want bounds within 30 to 200"},
		{"LMRFactor=29:90", "want bounds within 30 to 200"},
		{"LMRFactor=50:201", "want bounds within 30 to 200"},
		{"LMRFactor=30:31", "is not within the bounds"},
		{"LMRFactor=50:110:x", `invalid step "x"`},
		{"LMRFactor=50:110:0", "step must be above 0 and at most 60, got 0"},
		{"LMRFactor=50:110:NaN", "step must be above 0 and at most 60, got NaN"},
		{"LMRFactor=50:110:61", "step must be above 0 and at most 60, got 61"},
	} {
		if _, err := parseParams(tt.text, engine.Params(engine.ByTables)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one that says %s", tt.text, err, tt.want)
		}
	}
}

func TestParseValues(t *testing.T) {
	params, values, err := parseValues("LMRFactor=83, RazorBase = 38", engine.Params(engine.ByTables))
	if err != nil || len(params) != 2 || params[1].Name != "RazorBase" || !slices.Equal(values, []int{83, 38}) {
		t.Errorf("%+v, %v, error %v", params, values, err)
	}
	for _, tt := range []struct{ text, want string }{
		{"", `unknown parameter ""`},
		{"Razor=1", `unknown parameter "Razor"`},
		{"RazorBase", `want NAME=VALUE`},
		{"RazorBase=1.5", `want NAME=VALUE`},
		{"RazorBase=1,RazorBase=1", "RazorBase is listed twice"},
		{"RazorBase=401,RazorSlope=-1", "RazorBase 401 is not within 0 to 400"},
		{"RazorBase=401,RazorSlope=-1", "RazorSlope -1 is not within 0 to 200"},
	} {
		if _, _, err := parseValues(tt.text, engine.Params(engine.ByTables)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one that says %s", tt.text, err, tt.want)
		}
	}
}

// FuzzParams checks that lists of parameters and of values are refused or can
// be used.
func FuzzParams(f *testing.F) {
	for _, s := range []string{"", "LMRFactor", "LMRFactor=50:110,HistoryShift=6:8:1", "RazorBase=40", "RazorBase=1,RazorSlope=2", "=,:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		params, err := parseParams(text, engine.Params(engine.ByTables))
		if err == nil && len(params) == 0 {
			t.Errorf("%q: no parameters", text)
		}
		for _, p := range params {
			if err := p.check(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			for _, v := range []int{p.Min, p.Max} {
				if _, err := engine.NewTuning(map[string]int{p.Name: v}); err != nil {
					t.Errorf("%q: %v", text, err)
				}
			}
		}
		params, values, err := parseValues(text, engine.Params(engine.ByTables))
		if err != nil {
			return
		}
		if _, err := engine.NewTuning(byName(params, values)); err != nil || len(params) != len(values) {
			t.Errorf("%q: %d parameters, %d values, error %v", text, len(params), len(values), err)
		}
	})
}
