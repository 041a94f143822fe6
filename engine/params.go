package engine

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
)

// A paramID names a tunable number of the search.
type paramID int

// Margins are in score units, depths and reductions in units of 1/onePly ply.
const (
	aspirationDelta paramID = iota
	razorDepth
	razorBase
	razorSlope
	futilityDepth
	futilityMargin
	countBase
	countPower
	trivialDepth
	forcedExtension
	threatExtension
	singularDepth
	singularTTDepth
	singularMargin
	singularDouble
	lmrFactor
	lmrPVBonus
	lmrImproving
	lmrCut
	lmrScoreBase
	lmrScoreDiv
	lmrScoreMax
	lmrHistoryDiv
	lmrAttack
	pvTTFactor
	failHighDepth
	failHighMargin
	historyMax
	historyWeight
	malusShare
	followWeight
	correctionLast
	correctionThreats
	alphaReduction
	iirDepth
	iirReduction
	quietDepth
	quietBase
	quietSlope
	histPruneDepth
	histPrune
	lmrGap
	countWorsening
	singularTest
	singularExtension
	singularDoubleExt
	singularNegative
	counterBonus
	leafFours
	leafNodes
	numParams
)

// A Param is a tunable number: its default for an evaluation and the range that a
// tuner may try.
type Param struct {
	Name              string
	Default, Min, Max int
}

// params is the table of all tunable numbers.
var params = [numParams]Param{
	aspirationDelta:   {"AspirationDelta", 25, 5, 100},
	razorDepth:        {"RazorDepth", 145, 0, 400},
	razorBase:         {"RazorBase", 30, 0, 400},
	razorSlope:        {"RazorSlope", 42, 0, 200},
	futilityDepth:     {"FutilityDepth", 572, 64, 1280},
	futilityMargin:    {"FutilityMargin", 52, 10, 200},
	countBase:         {"CountBase", 5, 1, 20},
	countPower:        {"CountPower", 134, 80, 220},
	trivialDepth:      {"TrivialDepth", 280, 0, 640},
	forcedExtension:   {"ForcedExtension", 78, 0, 128},
	threatExtension:   {"ThreatExtension", 46, 0, 128},
	singularDepth:     {"SingularDepth", 588, 256, 900},
	singularTTDepth:   {"SingularTTDepth", 122, 64, 320},
	singularMargin:    {"SingularMargin", 81, 10, 300},
	singularDouble:    {"SingularDouble", 25, 0, 100},
	lmrFactor:         {"LMRFactor", 61, 30, 200},
	lmrPVBonus:        {"LMRPVBonus", 48, 0, 128},
	lmrImproving:      {"LMRImproving", 69, 0, 128},
	lmrCut:            {"LMRCut", 102, 0, 200},
	lmrScoreBase:      {"LMRScoreBase", 100, 0, 300},
	lmrScoreDiv:       {"LMRScoreDiv", 42, 5, 125},
	lmrScoreMax:       {"LMRScoreMax", 213, 0, 400},
	lmrHistoryDiv:     {"LMRHistoryDiv", 160, 40, 400},
	lmrAttack:         {"LMRAttack", 31, 0, 128},
	pvTTFactor:        {"PVTTFactor", 25, 0, 100},
	failHighDepth:     {"FailHighDepth", 219, 64, 640},
	failHighMargin:    {"FailHighMargin", 20, 0, 100},
	historyMax:        {"HistoryMax", 10297, 1000, 16000},
	historyWeight:     {"HistoryWeight", 179, 10, 500},
	malusShare:        {"MalusShare", 109, 0, 200},
	followWeight:      {"FollowWeight", 67, 0, 256},
	correctionLast:    {"CorrectionLast", 73, 0, 200},
	correctionThreats: {"CorrectionThreats", 20, 0, 200},
	alphaReduction:    {"AlphaReduction", 38, 0, 128},
	iirDepth:          {"IIRDepth", 219, 64, 640},
	iirReduction:      {"IIRReduction", 25, 0, 128},
	quietDepth:        {"QuietDepth", 148, 0, 640},
	quietBase:         {"QuietBase", 138, 0, 400},
	quietSlope:        {"QuietSlope", 69, 0, 200},
	histPruneDepth:    {"HistPruneDepth", 107, 0, 640},
	histPrune:         {"HistPrune", 3799, 0, 10000},
	lmrGap:            {"LMRGap", 3, 0, 200},
	countWorsening:    {"CountWorsening", 53, 10, 100},
	singularTest:      {"SingularTest", 50, 30, 70},
	singularExtension: {"SingularExtension", 63, 0, 128},
	singularDoubleExt: {"SingularDoubleExtension", 25, 0, 96},
	singularNegative:  {"SingularNegative", 65, 0, 160},
	counterBonus:      {"CounterBonus", 34, 0, 200},
	leafFours:         {"LeafFours", 15, 2, 40},
	leafNodes:         {"LeafNodes", 43, 4, 204},
}

// netDefaults are the defaults with a network, where they differ.
var netDefaults = map[paramID]int{}

// Params returns the table of tunable numbers, with the defaults for an evaluation.
func Params(e Evaluation) []Param {
	list := append([]Param(nil), params[:]...)
	if e == ByNet {
		for id, v := range netDefaults {
			list[id].Default = v
		}
	}
	return list
}

// A Tuning holds the values that a search uses: some given ones, and for all other
// numbers the defaults for what evaluates. It is immutable, so engines may share one.
type Tuning struct {
	of [numEvaluations]tuned
}

// tuned are the values for one evaluation, and tables computed from them.
type tuned struct {
	v [numParams]int

	// reductions[d][n] is the late-move reduction of the n-th move at d plies.
	reductions [64][256]int
	// counts[d] is the number of moves searched at d plies before the rest are
	// pruned, if the side to move is improving; half of it otherwise.
	counts [64]int
}

// NewTuning returns a tuning with the given values of parameters, by name, and
// the defaults for all others. An error names every unknown parameter and every
// value out of range.
func NewTuning(values map[string]int) (*Tuning, error) {
	t := &Tuning{}
	for e := range t.of {
		for i, p := range Params(Evaluation(e)) {
			t.of[e].v[i] = p.Default
		}
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(params[:], func(p Param) bool { return p.Name == name })
		if i < 0 {
			faults = append(faults, fmt.Errorf("engine: no parameter %q", name))
			continue
		}
		p, v := params[i], values[name]
		if v < p.Min || v > p.Max {
			faults = append(faults, fmt.Errorf("engine: %s %d is not within %d to %d", name, v, p.Min, p.Max))
			continue
		}
		for e := range t.of {
			t.of[e].v[i] = v
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	for e := range t.of {
		t.of[e].derive()
	}
	return t, nil
}

// defaultTuning returns the defaults.
var defaultTuning = sync.OnceValue(func() *Tuning {
	t, err := NewTuning(nil)
	if err != nil {
		panic(err) // there are no values that could be wrong
	}
	return t
})

func (t *tuned) derive() {
	var logs [256]float64
	for n := 1; n < len(logs); n++ {
		logs[n] = math.Log(float64(n))
	}
	for d := range t.reductions {
		t.counts[d] = t.v[countBase] + int(math.Round(math.Pow(float64(d), float64(t.v[countPower])/100)))
		for n := range t.reductions[d] {
			if d > 0 && n > 0 {
				t.reductions[d][n] = int(math.Round(float64(t.v[lmrFactor]) / 100 * onePly * logs[d] * logs[n]))
			}
		}
	}
}

// SetTuning sets the values for later searches; nil means the defaults. It keeps
// what earlier searches have learned; see Reset.
func (e *Engine) SetTuning(t *Tuning) {
	if t == nil {
		t = defaultTuning()
	}
	e.tuning = t
}
