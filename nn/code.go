package nn

// What a point holds in some view.
const (
	Empty = iota
	Own
	Other
)

// HalfLines returns the number of half lines of up to reach points.
func HalfLines(reach int) int {
	n := 1
	for range reach {
		n = 3*n + 1
	}
	return n
}

// HalfLine returns the number of the half line of points with the given contents,
// nearest to the center first: (3^n−1)/2 + Σ points[i]·3^i for n points. It has fewer
// points than the reach where the grid ends.
func HalfLine(points []int) int {
	n, power := 0, 1
	for _, p := range points {
		n += p * power
		power *= 3
	}
	return (power-1)/2 + n
}

// halfLinePoints is the inverse of HalfLine.
func halfLinePoints(number int) []int {
	length, power := 0, 1
	for number >= (3*power-1)/2 {
		power *= 3
		length++
	}
	number -= (power - 1) / 2
	points := make([]int, length)
	for i := range points {
		points[i] = number % 3
		number /= 3
	}
	return points
}

// NumCodes returns the number of line codes of a reach.
func NumCodes(reach int) int {
	h := HalfLines(reach)
	return 3 * h * (h + 1) / 2
}

// LineCode returns the code of a line with a center and two half lines, given by
// their numbers. A line and its mirror image have the same code.
func LineCode(reach, center, a, b int) uint32 {
	h := HalfLines(reach)
	a, b = max(a, b), min(a, b)
	return uint32(center*h*(h+1)/2 + a*(a+1)/2 + b)
}

// eachLine calls f for every code with its center and half lines.
func eachLine(reach int, f func(code uint32, center, a, b int)) {
	code := uint32(0)
	for center := range 3 {
		for a := range HalfLines(reach) {
			for b := range a + 1 {
				f(code, center, a, b)
				code++
			}
		}
	}
}

// Exchanged returns the code of every line in the view of the other side.
func Exchanged(reach int) []uint32 {
	swap := [3]int{Empty, Other, Own}
	half := make([]int, HalfLines(reach))
	for n := range half {
		points := halfLinePoints(n)
		for i, p := range points {
			points[i] = swap[p]
		}
		half[n] = HalfLine(points)
	}
	codes := make([]uint32, NumCodes(reach))
	eachLine(reach, func(code uint32, center, a, b int) {
		codes[code] = LineCode(reach, swap[center], half[a], half[b])
	})
	return codes
}
