package board

// Zobrist keys: a random number for every stone on every point, combined by
// exclusive or (A. Zobrist, A New Hashing Method with Application for Game
// Playing, 1970). They are fixed, so node counts are the same on every run and
// machine.
var (
	stoneKeys [4][stride * MaxSize]uint64
	sideKey   uint64
	baseKeys  [NumRules]uint64
)

func init() {
	seed := uint64(0x6b756d696b6f)
	for c := BlackStone; c <= DeadStone; c++ {
		for m := range stoneKeys[c] {
			stoneKeys[c][m] = splitmix(&seed)
		}
	}
	sideKey = splitmix(&seed)
	for r := range baseKeys {
		baseKeys[r] = splitmix(&seed)
	}
}

func stoneKey(c Cell, m Move) uint64 { return stoneKeys[c&3][m%(stride*MaxSize)] }

// baseKey is the hash of an empty board with black to move.
func baseKey(width, height int, r Rule) uint64 {
	seed := baseKeys[r] + uint64(width)<<8 + uint64(height)
	return splitmix(&seed)
}

// splitmix steps the generator of G. Steele, D. Lea and C. Flood, Fast
// Splittable Pseudorandom Number Generators, 2014.
func splitmix(seed *uint64) uint64 {
	*seed += 0x9e3779b97f4a7c15
	z := *seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
