// Package nn is a small convolutional network over grids, written for evaluation
// inside a search on one core. It knows grids, line codes, channels and two sides;
// what the grid means is its callers' business.
//
// # The network
//
// Each point of a grid is empty or holds something of one of two sides. A line code
// describes a point and up to Reach points on either side of it in one of four
// directions; see [LineCode]. A view calls one side own and the other's other. The
// network computes
//
//	h1     = relu(Center[state] + Σ Tap[distance][state])       over both half lines
//	h2     = relu(MidBias + h1·Mid)
//	row    = RowBias + h2·Row, bounded by ±8
//	sum    = the rows of the four directions through a point, plus Mark if it is marked
//	f      = relu(sum)
//	pool   = 1/16 Σ (f − f0)                                    over all points of the grid
//	v1     = relu(B1 + [own view's pool, other view's pool]·V1)
//	v2     = relu(B2 + v1·V2)
//	value  = B3 + v2·V3 + Prior·prior                           a logit, for the side to move
//	policy = Policy·[own view's f, other view's f]              a logit for each point
//
// where f0 is f in the middle of an empty grid without end: points that nothing is
// near add nothing, so one network serves all sizes. The two half lines of a code
// share their weights, and so do the directions, so the eight symmetries of the
// grid hold by construction. The prior is an evaluation that the network corrects.
// Marks are a plane of points about which the caller knows what lines do not show.
//
// This is a convolution of width 2·Reach+1 along each direction, followed by two of
// width 1. As there are few codes, [Net.Bake] computes the rows of all of them
// beforehand, and an [Accumulator] updates the sums and the pool when codes change:
// the first layers of a network that a search evaluates position after position
// differ by little (Nasu 2018, Efficiently Updatable Neural-Network-based Evaluation
// Functions). Tables of lines instead of single points are the mixnets' of Jin 2025
// (Rapfi, arXiv 2503.13178), which learn a row for each line; here the rows come from
// a shared convolution, with a thousandth of the weights.
//
// # The residual network
//
// A [Residual] sees planes of a grid instead of line codes and computes policy and value
// of many positions at once, for a search that evaluates few:
//
//	x      = relu(Stem * planes + StemBias)                     by 3x3 convolution
//	x     := relu(x + Second * relu(First * x + Bias1) + Bias2) in every block
//	pool   = the mean and the maximum of x over all points
//	value  = V2Bias + relu(V1Bias + pool·V1)·V2                 a logit, for the side to move
//	policy = relu(P1Bias + pool·Pool + x·P1)·P2                 a logit for each point
//
// as AlphaGo Zero's (Silver and others 2017), with the heads of KataGo (Wu 2019), whose
// pools make one network serve all sizes. There is no normalization: the weights begin
// on a scale at which towers of any height learn, so evaluating needs no statistics and
// a position has the same bits in every batch; see [NewResidual]. The value is a single
// logit, like that of the network over line codes: scores of a search, from which it
// learns, are one number and do not tell draws from uncertainty. [Tower.Backward] has
// the gradients.
//
// # Layers
//
// Networks of another kind can be built of [Conv3x3], [Depthwise3x3], [Dense],
// [AddBias], [AddRelu], [PoolBoard] and [PoolRegions]. They are functions of flat
// slices, whose shapes stand in their comments: activations are
// [n][points][channels], with the points of a [Grid] by rows and a multiple of 8
// channels. Gradients with respect to activations replace what their slice held; those
// with respect to weights are added to it, so that batches can be taken in parts.
// The caller passes all slices, and to some a [Workspace], whose growth is all that
// layers allocate.
//
// # Exactness
//
// Rows are rounded to multiples of 2^-10 and bounded, so that the sums over a grid
// are exact in float32: they depend neither on the order of the changes nor on how
// many there were. The two half lines of a code are added to each other first, so a
// line and its mirror image give the same bits, too.
//
// Everything else is computed by kernels: matrix products in the order of the inner
// index, those of vectors in eight sums that take turns. The portable kernel is the
// definition; the vector kernels round as it does, because it computes a·b + c as
// float32(float64(a)·float64(b) + float64(c)), which is what a fused multiply-add
// gives except when both roundings fall on the same tie, about once in 2^29 steps.
// Convolutions are computed in the order of Winograd's algorithm by all kernels.
package nn
