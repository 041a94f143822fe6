// Package fit fits the numbers of package pattern to games that the engine
// played against itself.
//
// A record of games (package replay) becomes two sets of samples. Values:
// positions with the winning chance of the side to move, a blend of the result
// of the game and the score of the search, or the latter alone in side lines,
// most of which come from the trees of searches: what an evaluation learns from
// there serves it better than what it learns from games (compare Veness and
// others 2009, Bootstrapping from Game Tree Search). Orders: positions with all
// candidate moves and the one that the search chose. Both models are linear
// in the counts of the patterns, a logistic and a multinomial logistic
// regression, so that their losses are convex and L-BFGS finds the least.
//
// Most codes are rare. A table is therefore not fitted number by number: each
// number is a sum of parameters that it shares with other codes, one for each
// of its lines, each pair of lines and its shape, plus a remainder of its own.
// All are held towards zero, or towards the numbers of other tables, by Gaussian
// priors, the more so the more specific they are; see [design].
//
// Everything is computed in a fixed order: the same records and flags give the
// same tables.
package fit
