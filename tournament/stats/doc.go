// Package stats estimates playing strength from counts of results: differences
// in Elo with confidence intervals, normalized Elo, the likelihood of
// superiority, sequential tests, and ratings of many engines with errors that
// account for pairs. Its functions are pure.
//
// The unit is an item: a game, or two games of one opening with colors
// exchanged. The games of a pair depend on each other, so whole pairs, where
// there are any, are the right items. The formulas are those of fishtest,
// fastchess, Ordo and BayesElo, whose published numbers serve as tests.
package stats
