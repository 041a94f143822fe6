// Package engine chooses moves: given a position and limits, it returns a move.
// It prints nothing, reads no files and knows neither commands nor managers.
//
// # How a move is chosen
//
// [Engine.Search] copies the position. Before any search, root.go tries the
// following, in this order:
//
//  1. Is there nothing to search? It makes a five, gives the only answer to a
//     five, and plays the center of an empty board.
//  2. Does the side to move win by fours alone? Package solve looks for a
//     victory by continuous fours (VCF) of any length.
//  3. Does the side to move win by threats, fours or moves that threaten a VCF?
//     Package solve proves victories by continuous threats (VCT); threats.go
//     gives it a small share of the nodes, now and after every ply of depth.
//  4. Would the opponent win by fours if we passed? If so, only moves that
//     prevent it are searched. If he would win by threats, each move that comes
//     out best is tested against that.
//
// Otherwise the driver in iterate.go chooses among the remaining moves. It
// deepens the search one ply at a time until the time is used up (limits.go): a
// principal variation search with aspiration windows (search.go), a
// transposition table (tt.go), and moves ordered by their patterns and by their
// success elsewhere in the tree (movegen.go, history.go). The evaluation is
// corrected by what the search has learned about similar positions
// (correction.go).
//
// At every node, wins that the patterns prove are read off the board. Against a
// threat, only the moves that stop it and fours are generated. At the horizon,
// where nobody threatens a five, the side to move may still win by fours;
// otherwise an [Evaluator] scores the position (eval.go), by default from tables
// of line patterns, or by a network that corrects them.
//
// Instead of iterate.go, PUCT may choose among the remaining moves (puct.go): best first,
// guided by the network's policy and the patterns that order moves, in a tree (tree.go)
// that outlives a move. It proves and reports wins in the same way.
//
// A search that is cut short keeps the last finished iteration, unless the
// unfinished one has already proven another move better.
//
// # What is reported
//
// A search reports its lines in sets ([Info], report.go); the last set begins with
// the move that it returns. If several lines are requested, every legal move
// takes part, and what is known before the search only fixes its score.
//
// A won or lost score is reported only once the prover (prove.go) has confirmed
// it and built the proof tree from which the PV is read; the prover trusts
// neither the search nor the threat solver. For a win, [Result.Proof] holds the
// tree; package proof checks it independently of this package.
//
// # State
//
// A thread is a goroutine that searches. It owns its searcher and everything
// in it. The main thread decides and reports; helpers (threads.go), if any,
// search the same position and leave what they find in the transposition table,
// which belongs to the Engine and outlives a move. The threads share that
// table, the control that ends the search, and the state of the team. Other
// goroutines touch only the stop flag in control, set when the context ends.
//
// # What gained what
//
// Elo gained over the previous version, with 95% confidence bounds, at the given
// number of nodes per move for both sides; TESTLOG.md lists every test, failures
// included, and an ablation of each part.
//
//	pattern values fitted to self-play           +255 [+211, +307]   3,000 nodes
//	two threads                                  +117 [+66, +174]   15,000 each
//	tables fitted to games with side lines        +64 [+40, +90]     3,000
//	fewer VCF searches at the horizon             +33 ± 21          10,000
//	IIR, continuation and correction history,
//	  the table's score as estimate, quiet moves
//	  pruned, root moves reduced like others,
//	  and all numbers tuned by SPSA               +34 ± 19          10,000
//	only fours close to the last move there       +23 ± 18          10,000
//	all numbers retuned by SPSA on renju: renju   +35 ± 20           8,000
//	  and freestyle                               +26 ± 18           8,000
//	renju: values fitted to search trees          +31 ± 22           8,000
//	standard: the same                            +31 ± 21           8,000
//	freestyle: the same                           +16 ± 16      8 to 10,000
//	VCT at the root                               +15 ± 23          10,000
//
// # Sources
//
// The search uses the techniques of modern chess engines (for the terms, see
// chessprogramming.org) and those of the strongest five-in-a-row engines: exact
// defence sets, wins read from patterns, and razoring into a VCF search. Every
// tunable number is in params.go.
package engine
