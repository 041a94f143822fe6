// Package engine chooses moves: a position goes in, a move comes out. It
// prints nothing, reads no files and knows neither commands nor managers.
//
// # How a move is chosen
//
// [Engine.Search] copies the position. What is done at the root before any
// search is in root.go, in this order:
//
//  1. Is there nothing to search? A five is made, the only answer to a five is
//     given, an empty board gets its center.
//  2. Does the side to move win by fours alone? Package solve looks for a
//     victory by continuous fours (VCF) of any length.
//  3. Does the side to move win by threats, fours or moves that threaten a VCF?
//     Package solve proves victories by continuous threats (VCT); threats.go
//     gives it a small part of the nodes, now and after every ply of depth.
//  4. Would the opponent win by fours if we passed? Then only the moves after
//     which he no longer does are searched. If he would win by threats, each
//     move that comes out best is put to that test.
//
// Otherwise the driver in iterate.go chooses among the moves that are left. It
// searches the position deeper and deeper, one ply at a time, until the clock
// (limits.go) has had enough: a principal variation search with aspiration
// windows (search.go), a transposition table (tt.go), and moves in the order of
// their patterns and of what they achieved elsewhere in the tree (movegen.go,
// history.go). The evaluation is corrected by what the search has learned about
// similar positions (correction.go).
//
// At every position of that search, wins that the patterns prove are read off
// the board. Against a threat exactly those moves are generated that stop it,
// and fours. At the horizon, where nobody threatens a five, the side to move
// may still win by fours; otherwise an [Evaluator] scores the position
// (eval.go), by default from tables of line patterns (package pattern).
//
// A search that is cut short keeps the last finished iteration, unless the
// unfinished one has already proven a move to be better.
//
// # What is told
//
// A search tells its lines in sets ([Info], tell.go), the last of which begins
// with the move that it returns. Where several lines are asked for, every legal
// move takes part, and what is known before any search only fixes its score.
//
// A score that names a win or a loss is not told before the prover of prove.go
// has accepted it, which trusts neither the search nor the solver of threats,
// and has built the proof tree from which the PV is read. [Result.Proof] is
// that of a win; package proof checks it without any of this package.
//
// # State
//
// A thread is a goroutine that searches. It owns its searcher and everything
// in it. The main thread decides and reports; helpers (threads.go), if there
// are any, search the same position with it and leave what they find in the
// transposition table, which belongs to the Engine and outlives a move. The
// threads share that table, the control that ends the search, and the notes
// of the team. The only thing that other goroutines touch is the stop flag in
// control, set when the context ends.
//
// # What gained what
//
// Elo over the state before, with 95 % bounds, at so many nodes a move on both
// sides; TESTLOG.md has all tests, also of what did not gain, and what each
// part of the search is worth when it is taken away.
//
//	values of patterns fitted to self-play       +255 [+211, +307]   3,000 nodes
//	two threads                                  +117 [+66, +174]   15,000 each
//	tables fitted to games with side lines        +64 [+40, +90]     3,000
//	fewer looks at the fours at the horizon       +33 ± 21          10,000
//	IIR, continuation and correction history,
//	  the table's score as estimate, quiet moves
//	  dropped, root moves reduced like others,
//	  and all numbers by SPSA                     +34 ± 19          10,000
//	only fours close to the last move there       +23 ± 18          10,000
//	all numbers by SPSA anew, on renju: there     +35 ± 20           8,000
//	  and on freestyle                            +26 ± 18           8,000
//	renju: values fitted to positions of trees    +31 ± 22           8,000
//	exact five: the same                          +31 ± 21           8,000
//	freestyle: the same                           +16 ± 16      8 to 10,000
//	victories by threats at the root              +15 ± 23          10,000
//
// # Sources
//
// The parts are those of the chess engines of the last decades, on whose
// names see chessprogramming.org, with what the strongest five-in-a-row
// engines have added: exact sets of defences, wins read from patterns, and
// razoring into a search for fours. The numbers are in one table, params.go.
package engine
