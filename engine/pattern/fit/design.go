package fit

import (
	"math"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// The prior standard deviations of a table's parameters, in logits. Parameters
// shared by many codes may be large; those of a single code need strong evidence.
const (
	sigmaLine   = 0.5
	sigmaShape  = 0.5
	sigmaPair   = 0.15
	sigmaCode   = 0.15
	sigmaPlayer = 0.1 // of the differences between the players
	sigmaTempo  = 1
	sigmaThreat = 0.5
)

// A design defines the numbers of some tables, in order, as sums of parameters.
type design struct {
	terms [][]int32 // by number, the parameters in its sum
	sigma []float64 // by parameter, its standard deviation
	start []float64 // by number, a constant added to the sum; nil for zeros
}

// parameter adds a parameter and returns its number.
func (d *design) parameter(sigma float64) int32 {
	d.sigma = append(d.sigma, sigma)
	return int32(len(d.sigma) - 1)
}

// expand computes the numbers from the parameters, which are in units of their
// standard deviations.
func (d *design) expand(numbers, params []float64) {
	for i, terms := range d.terms {
		v := 0.0
		if d.start != nil {
			v = d.start[i]
		}
		for _, t := range terms {
			v += float64(d.sigma[t] * params[t])
		}
		numbers[i] = v
	}
}

// collect converts a gradient by the numbers to one by the parameters.
func (d *design) collect(params, numbers []float64) {
	clear(params)
	for i, terms := range d.terms {
		if numbers[i] == 0 {
			continue
		}
		for _, t := range terms {
			params[t] += float64(d.sigma[t] * numbers[i])
		}
	}
}

// codeTables adds a table by code for each player that has its own, with
// parameters for the lines of a code, their pairs, its shape and the code itself.
// In renju the players share these; for codes that make a shape each also has
// parameters of his own. For all other codes, which cover most points of a board,
// small differences would add up.
func (d *design) codeTables(r board.Rule) {
	b, err := board.New(board.MinSize, board.MinSize, r)
	if err != nil {
		panic(err) // every rule has a board
	}
	lines := newShared(d, sigmaLine)
	pairs := newShared(d, sigmaPair)
	shapes := newShared(d, sigmaShape)
	alone := newShared(d, sigmaCode)
	tables := tablesOf(r)
	for t := range tables {
		own := newShared(d, sigmaPlayer)
		for k, code := range codes() {
			shape := int(b.ShapeOf(code, board.Color(t)))
			terms := []int32{shapes.get(shape), alone.get(k)}
			for i := range 4 {
				line := code.Line(i)
				terms = append(terms, lines.get(int(line)))
				for j := range i {
					other := code.Line(j)
					terms = append(terms, pairs.get(int(min(line, other))<<4|int(max(line, other))))
				}
			}
			if tables > 1 && shape != int(board.ShapeNone) {
				terms = append(terms, own.get(-1-shape), own.get(k))
			}
			d.terms = append(d.terms, terms)
		}
	}
}

// threatTable adds a table by threat mask, with parameters for having the
// move, each threat, their pairs and the mask itself.
func (d *design) threatTable() {
	tempo := d.parameter(sigmaTempo)
	bits := newShared(d, sigmaThreat)
	pairs := newShared(d, sigmaPair)
	for mask := range pattern.NumThreats {
		terms := []int32{tempo}
		for i := 0; mask>>i != 0; i++ {
			if mask>>i&1 == 0 {
				continue
			}
			terms = append(terms, bits.get(i))
			for j := range i {
				if mask>>j&1 != 0 {
					terms = append(terms, pairs.get(i<<4|j))
				}
			}
		}
		terms = append(terms, d.parameter(sigmaCode))
		d.terms = append(d.terms, terms)
	}
}

// shared hands out one parameter for each key.
type shared struct {
	d     *design
	sigma float64
	byKey map[int]int32
}

func newShared(d *design, sigma float64) *shared {
	return &shared{d, sigma, map[int]int32{}}
}

func (s *shared) get(key int) int32 {
	p, ok := s.byKey[key]
	if !ok {
		p = s.d.parameter(s.sigma)
		s.byKey[key] = p
	}
	return p
}

// codes returns one code of each index.
func codes() []board.Code {
	list := make([]board.Code, pattern.NumCodes)
	for i := range 1 << 16 {
		code := board.Code(i)
		if isCode(code) {
			list[pattern.Index(code)] = code
		}
	}
	return list
}

// isCode reports whether all lines of a code are valid patterns.
func isCode(code board.Code) bool {
	for dir := range 4 {
		if code.Line(dir) > board.LineDoubleFour {
			return false
		}
	}
	return true
}

// tolerance is the norm of the gradient at which a fit ends.
const tolerance = 1e-6

// A dataset measures how well numbers, in logits, explain its samples.
type dataset interface {
	// size returns the number of samples.
	size() int
	// loss returns the mean loss and, if grad is not nil, adds its gradient.
	loss(numbers, grad []float64) float64
}

// objective returns the mean loss of a dataset plus the cost of the priors, as a
// function of the parameters. strength is the weight of a prior in samples.
func (d *design) objective(s dataset, strength float64) objective {
	numbers := make([]float64, len(d.terms))
	grad := make([]float64, len(d.terms))
	weight := strength / math.Max(1, float64(s.size()))
	return func(params, g []float64) float64 {
		d.expand(numbers, params)
		clear(grad)
		v := s.loss(numbers, grad)
		d.collect(g, grad)
		addScaled(g, weight, params)
		return v + weight/2*dot(params, params)
	}
}

// fit returns the numbers that best explain the samples, given the priors.
func (d *design) fit(s dataset, strength float64, steps int, report func(step int, value float64) bool) []float64 {
	params := make([]float64, len(d.sigma))
	minimize(d.objective(s, strength), params, steps, tolerance, report)
	numbers := make([]float64, len(d.terms))
	d.expand(numbers, params)
	return numbers
}
