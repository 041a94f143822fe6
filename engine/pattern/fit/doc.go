// Package fit fits the weights of package pattern to games that the engine played
// against itself.
//
// It extracts two sets of samples from records of games (package replay). Values
// are positions with the winning probability of the side to move: a blend of the
// result of the game and the score of the search, or the score alone in side
// lines. Most side lines come from search trees, from which an evaluation learns
// more than from games (compare Veness and others 2009, Bootstrapping from Game
// Tree Search). Orders are positions with all candidate moves and the one that the
// search chose. Both models are linear in the counts of the patterns, a logistic
// and a multinomial logistic regression, so their losses are convex and L-BFGS
// finds the minimum.
//
// Most codes are rare. A table is therefore not fitted entry by entry: each entry
// is a sum of parameters shared with other codes, one for each of its lines, each
// pair of lines and its shape, plus one of its own. Gaussian priors pull all of
// them toward zero, or toward given tables, the more strongly the more specific
// they are; see [design].
//
// The result is deterministic: the same records and flags give the same tables.
package fit
