package engine

import (
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/engine/solve"
)

// onePly is one ply in the units of depths, extensions and reductions.
const onePly = 64

// maxPly bounds the length of a line.
const maxPly = 200

// pollEvery is the number of nodes between two checks of the clock, well under a
// millisecond's worth.
const pollEvery = 256

// A frame is the search's state for one ply of the current line.
type frame struct {
	move     board.Move  // the move being searched from here
	shape    board.Shape // what that move makes
	eval     Score       // static, or a substitute if a five threatens
	raw      Score       // eval before correction
	excluded board.Move  // by the singular test
}

// searcher holds the state of one searching goroutine.
type searcher struct {
	b     *board.Board
	ctl   *control
	tt    *table
	t     *tuned
	order *pattern.Order
	eval  Evaluator // this searcher's own, made when first needed
	vcf   *solve.VCF
	vct   *solve.VCT
	hist  *history
	corr  correction

	nodes    int64
	counted  int64 // of nodes, added to ctl
	pollAt   int64
	selDepth int
	stopped  bool

	// frames[4] is the root, so that frames before it exist.
	frames [maxPly + 6]frame
	moves  []scoredMove // candidate lists of the whole line
	used   int          // how much of moves is in use
	pv     [maxPly + 2][]board.Move
}

func (s *searcher) frame(ply int) *frame { return &s.frames[ply+4] }

// poll counts a node and checks the clock periodically.
func (s *searcher) poll() bool {
	s.nodes++
	if s.nodes >= s.pollAt {
		s.stopped = s.stopped || s.expired(0)
		s.pollAt = s.nodes + pollEvery
		if s.ctl.nodes > 0 {
			s.pollAt = min(s.pollAt, s.ctl.nodes)
		}
	}
	return s.stopped
}

// search returns the score of the position for the side to move, exact if it lies
// between alpha and beta, else a bound. depth is in units of 1/onePly ply; cut is
// set if a score of beta or more is expected.
//
// The score is a win or loss only if it follows from forced play. If s.stopped is
// set, the result is meaningless. s.pv[ply] is the line of an exact score.
func (s *searcher) search(alpha, beta Score, depth, ply int, cut bool) Score {
	b := s.b
	c := b.Side()
	o := c.Opponent()
	f := s.frame(ply)
	isPV := beta-alpha > 1
	s.pv[ply] = s.pv[ply][:0]
	if s.poll() {
		return 0
	}
	s.selDepth = max(s.selDepth, ply)

	// Step 1. The end of the game, and wins that can be read off the board.
	if b.Full() {
		return 0
	}
	if v := s.readWin(ply); v != noScore {
		return v
	}
	threatened := b.Count(o, board.ShapeFive) > 0
	if ply >= maxPly || len(s.moves)-s.used < points {
		if threatened {
			return 0
		}
		return s.eval.Evaluate(b)
	}

	// Step 2. Mate-distance pruning: no win from here is shorter than a known one.
	alpha = max(alpha, matedIn(ply+2))
	beta = min(beta, mateIn(ply+3))
	if alpha >= beta {
		return alpha
	}

	// Step 3. Transposition table.
	hash := b.Hash()
	excluded := f.excluded
	if excluded != board.NoMove {
		hash ^= uint64(excluded)*0x9e3779b97f4a7c15 | 1
	}
	entry, ttScore, hit := s.tt.probe(hash, ply)
	ttMove := board.NoMove
	ttDepth := 0
	if hit {
		ttMove = entry.move
		if ttMove != board.NoMove && !b.Empty(ttMove) {
			ttMove = board.NoMove // hash collision
		}
		ttDepth = int(entry.depth) * onePly / depthGrain
		if !isPV && excluded == board.NoMove && ttDepth >= depth &&
			(entry.bound == exactBound || entry.bound == lowerBound && ttScore >= beta ||
				entry.bound == upperBound && ttScore <= alpha) {
			return ttScore
		}
	}

	// Step 4. At the horizon: a VCF or the evaluation. Fives are answered first.
	if depth <= 0 && !threatened {
		return s.leaf(beta, ply, hash, entry, ttScore, hit)
	}

	// Step 5. Static evaluation. Against a five, use the negated evaluation of the
	// ply before, so that it is always defined.
	tuned := &s.t.v
	switch {
	case threatened:
		f.eval = -s.frame(ply - 1).eval
	case hit && Score(entry.eval) != noEval:
		f.eval = Score(entry.eval)
	default:
		f.eval = s.eval.Evaluate(b)
	}
	if !threatened {
		f.raw = f.eval
		f.eval = s.corrected(f.raw)
	}
	improving := 0
	if f.eval > s.frame(ply-2).eval {
		improving = 1
	}
	// The table's score is a better estimate, if its bound allows.
	estimate := f.eval
	if hit && !threatened && ttScore > -MateBound && ttScore < MateBound && improves(entry.bound, ttScore, estimate) {
		estimate = ttScore
	}

	if !isPV && !threatened && excluded == board.NoMove {
		// Step 6. Razoring: far below alpha near the horizon, only a VCF can
		// help.
		if depth < tuned[razorDepth] &&
			estimate+Score(tuned[razorBase]+tuned[razorSlope]*depth/onePly) < alpha {
			return s.leaf(beta, ply, hash, entry, ttScore, hit)
		}
		// Step 7. Reverse futility: so far above beta that even a bad move will
		// do. Not during an attack by fours, where the evaluation misleads.
		attacking := s.frame(ply-2).shape >= board.ShapeFour && s.frame(ply-4).shape >= board.ShapeFour
		if depth < tuned[futilityDepth] && !attacking && beta > -MateBound && estimate < MateBound &&
			estimate-Score(tuned[futilityMargin]*(depth-onePly*improving)/onePly) >= beta {
			return estimate
		}
	}

	// Step 8. Reduce on the principal variation if the table has a shallower
	// entry; without a table move; and if beta seems safe.
	if isPV && hit && ttMove != board.NoMove && ttDepth < depth {
		depth -= min((depth-ttDepth)*tuned[pvTTFactor]/100, 3*onePly)
	}
	if ttMove == board.NoMove && depth > tuned[iirDepth] && excluded == board.NoMove && !threatened {
		depth -= tuned[iirReduction]
	}
	if cut && !threatened && excluded == board.NoMove && depth > tuned[failHighDepth] &&
		estimate >= beta+Score(tuned[failHighMargin]*depth/onePly) {
		depth -= onePly
	}

	// Step 9. Moves.
	p := s.generate(ttMove)
	end := s.used // callers free the list by restoring their own end
	if len(p.list) == 0 {
		switch p.forced {
		case board.ShapeFive:
			return matedIn(ply + 2)
		case board.ShapeOpenFour:
			return matedIn(ply + 4)
		}
		return 0 // black has no legal move
	}

	plies := min(max(depth/onePly, 0), 63)
	maxMoves := s.t.counts[plies]
	if improving == 0 {
		maxMoves = (maxMoves*tuned[countWorsening] + 50) / 100
	}
	best := -infinite
	bestMove := board.NoMove
	var tried [64]scoredMove
	n := 0
	raised := 0     // reduction of the moves after one that raised alpha
	top := int16(0) // the greatest worth of a move
	for {
		sm, ok := p.pick()
		if !ok {
			break
		}
		m := sm.move
		if m == excluded {
			continue
		}
		shape := b.Shape(m, c)
		n++
		top = max(top, sm.worth)

		// Step 10. Prune late moves and moves without purpose, once some move is
		// known not to lose and no five threatens.
		if ply > 0 && best > -MateBound && p.forced == board.ShapeNone && n > 1 {
			if n > maxMoves && !isPV || n > 3*maxMoves {
				break
			}
			if depth < tuned[trivialDepth] && shape == board.ShapeNone && b.Shape(m, o) == board.ShapeNone &&
				sm.worth < 24 {
				continue
			}
			// Futility and history pruning of quiet moves.
			if !isPV && shape < board.ShapeThree && b.Shape(m, o) < board.ShapeThree {
				d := max(0, depth-s.t.reductions[plies][min(n, 255)])
				if d < tuned[quietDepth] && f.eval+Score(tuned[quietBase]+tuned[quietSlope]*d/onePly) <= alpha ||
					d < tuned[histPruneDepth] && s.learned(c, m, shape) < -tuned[histPrune]*d/onePly {
					continue
				}
			}
		}

		// Step 11. Extensions: the only answer to a five, in part the answers to
		// an open three, and a singular table move.
		extension := 0
		if p.forced == board.ShapeFive && len(p.list) == 1 {
			extension = tuned[forcedExtension]
		} else if p.forced == board.ShapeOpenFour && shape < board.ShapeFour {
			extension = tuned[threatExtension]
		} else if m == ttMove && excluded == board.NoMove && ply > 0 && depth >= tuned[singularDepth] &&
			entry.bound != upperBound && ttDepth >= depth-tuned[singularTTDepth] && ttScore < MateBound && ttScore > -MateBound {
			margin := Score(tuned[singularMargin] * depth / onePly / 100)
			target := ttScore - margin
			f.excluded = m
			v := s.search(target-1, target, depth*tuned[singularTest]/100, ply, cut)
			f.excluded = board.NoMove
			s.used = end
			if s.stopped {
				return 0
			}
			switch {
			case v < target:
				extension = tuned[singularExtension]
				if !isPV && v < target-Score(tuned[singularDouble]) {
					extension += tuned[singularDoubleExt]
				}
			case target >= beta && v < MateBound:
				return target // multi-cut: several moves reach beta
			case ttScore >= beta:
				extension = -tuned[singularNegative]
			}
			s.pv[ply] = s.pv[ply][:0]
		}
		next := depth - onePly + extension

		// Step 12. Late-move reductions.
		reduction := 0
		if n > 1 && depth >= 2*onePly && p.forced != board.ShapeFive {
			reduction = s.reduction(sm, shape, plies, n, ply, isPV, improving == 1, cut, c)
			reduction += raised + int(top-sm.worth)*tuned[lmrGap]/100
			reduction = max(0, min(reduction, next))
		}

		// Step 13. Search: the first move with the full window, the others with a
		// null window and again if they fail high.
		f.move, f.shape = m, shape
		b.Place(m)
		var v Score
		switch {
		case n == 1 && isPV:
			v = -s.search(-beta, -alpha, next, ply+1, false)
		case n == 1:
			v = -s.search(-beta, -alpha, next, ply+1, !cut)
		default:
			v = -s.search(-alpha-1, -alpha, next-reduction, ply+1, reduction > 0 || !cut)
			s.used = end
			if v > alpha && reduction > 0 && !s.stopped {
				v = -s.search(-alpha-1, -alpha, next, ply+1, !cut)
				s.used = end
			}
			if v > alpha && v < beta && isPV && !s.stopped {
				v = -s.search(-beta, -alpha, next, ply+1, false)
			}
		}
		b.Undo()
		s.used = end
		if s.stopped {
			return 0
		}
		if v > best {
			best = v
			if v > alpha {
				bestMove = m
				s.setPV(ply, m)
				if v >= beta {
					break
				}
				alpha = v
				if depth > 2*onePly && depth < 12*onePly && v < MateBound && v > -MateBound {
					raised += tuned[alphaReduction]
				}
			}
		}
		if n <= len(tried) {
			tried[n-1] = scoredMove{m, int16(shape), 0}
		}
	}
	if n == 0 {
		return alpha // no move but the excluded one
	}

	// Step 14. Update the history.
	if best >= beta && p.forced != board.ShapeFive && excluded == board.NoMove {
		s.learn(c, bestMove, f.shape, tried[:min(n-1, len(tried))], plies)
	}
	if excluded == board.NoMove {
		bd := upperBound
		switch {
		case best >= beta:
			bd = lowerBound
		case bestMove != board.NoMove:
			bd = exactBound
		}
		eval := f.raw
		if threatened {
			eval = noEval
		} else if best < MateBound && best > -MateBound && improves(bd, best, f.eval) {
			s.correct(best-f.eval, depth)
		}
		s.tt.store(hash, ply, bestMove, best, eval, bd, depth)
	}
	return best
}

// noEval marks a table entry without evaluation.
const noEval = Score(-32768)

// readWin returns the score of a win that the patterns prove, or noScore:
//
//	a five                                          1 ply
//	an open four, if the opponent has no five       3
//	a four-three that leads to an open four         5
//	two open threes, if the opponent has no four    5
func (s *searcher) readWin(ply int) Score {
	b := s.b
	c := b.Side()
	o := c.Opponent()
	switch {
	case b.Count(c, board.ShapeFive) > 0:
		return mateIn(ply + 1)
	case b.Count(o, board.ShapeFive) > 0:
		return noScore
	case b.Count(c, board.ShapeOpenFour) > 0:
		return mateIn(ply + 3)
	case b.Count(c, board.ShapeFourThree) > 0 && s.fourThreeWins():
		return mateIn(ply + 5)
	case b.Count(c, board.ShapeThreeThree) > 0 && !b.HasFour(o):
		return mateIn(ply + 5)
	}
	return noScore
}

// fourThreeWins reports whether a four-three of the side to move wins: after
// every answer to the four there is an open four and no five against it.
func (s *searcher) fourThreeWins() bool {
	b := s.b
	c := b.Side()
	o := c.Opponent()
	// If no point can be forbidden and the opponent has no four to gain, every
	// four-three wins.
	if s.exactFourThree(c) && !b.HasFour(o) {
		return true
	}
	var buf [64]board.Move
	for _, m := range b.Find(buf[:0], c, board.ShapeFourThree) {
		b.Place(m)
		won := true
		var answers [16]board.Move
		for _, r := range b.FiveDefences(answers[:0], c) {
			if !b.Legal(r) {
				continue
			}
			b.Place(r)
			won = b.Count(c, board.ShapeFive) > 0 ||
				b.Count(o, board.ShapeFive) == 0 && b.Count(c, board.ShapeOpenFour) > 0
			b.Undo()
			if !won {
				break
			}
		}
		b.Undo()
		if won {
			return true
		}
	}
	return false
}

// leaf scores a position at the horizon, where nobody threatens a five: by a VCF,
// else by the evaluation.
func (s *searcher) leaf(beta Score, ply int, hash uint64, entry ttEntry, ttScore Score, hit bool) Score {
	b := s.b
	eval := noEval
	if hit {
		if entry.depth >= 0 && entry.bound == exactBound {
			// Already scored as a leaf.
			return ttScore
		}
		eval = Score(entry.eval)
	}
	if eval == noEval {
		eval = s.eval.Evaluate(b)
	}
	fixed := s.corrected(eval)
	if fixed >= beta && beta < MateBound {
		// Good enough without a VCF search.
		if !hit {
			s.tt.store(hash, ply, board.NoMove, fixed, eval, lowerBound, 0)
		}
		return fixed
	}
	v := fixed
	if b.HasFour(b.Side()) {
		n := s.vcf.GlanceNear(b, s.ownLast(), s.t.v[leafFours], int64(s.t.v[leafNodes]))
		s.nodes += s.vcf.Nodes()
		if n > 0 {
			v = mateIn(ply + n)
		}
	}
	if !hit || entry.depth <= 0 {
		s.tt.store(hash, ply, board.NoMove, v, eval, exactBound, 0)
	}
	return v
}

// reduction returns the late-move reduction of the n-th move.
func (s *searcher) reduction(sm scoredMove, mine board.Shape, plies, n, ply int, isPV, improving, cut bool, c board.Color) int {
	t := &s.t.v
	r := s.t.reductions[plies][min(n, 255)]
	if isPV {
		r -= t[lmrPVBonus]
	}
	if !improving && r > onePly {
		r += t[lmrImproving]
	}
	if cut {
		r += t[lmrCut]
	}
	// Reduce moves of low pattern worth more.
	r += max(0, min(t[lmrScoreMax], t[lmrScoreBase]-int(sm.worth)*t[lmrScoreDiv]/100))
	r -= s.learned(c, sm.move, mine) * onePly / (t[lmrHistoryDiv] * 64)
	// A move that continues the player's attack.
	if mine >= board.ShapeThree && s.frame(ply-2).shape >= board.ShapeThree {
		r -= t[lmrAttack]
	}
	return r
}

// learn rewards the move that caused a cutoff and penalizes those tried before it.
func (s *searcher) learn(c board.Color, m board.Move, shape board.Shape, tried []scoredMove, plies int) {
	limit := s.t.v[historyMax]
	bonus := min(25*plies*plies+105*plies-60, limit*5/6)
	if bonus <= 0 {
		bonus = 20
	}
	last, own := s.b.Last(), s.ownLast()
	malus := bonus * s.t.v[malusShare] / 100
	s.hist.add(c, m, last, own, shape, bonus, limit)
	for _, t := range tried {
		if t.move != m {
			s.hist.add(c, t.move, last, own, board.Shape(t.worth), -malus, limit)
		}
	}
	if last != board.NoMove {
		s.hist.counter[c.Opponent()][last%points] = m
	}
}

// setPV sets the line of ply to m, followed by the line of the next ply.
func (s *searcher) setPV(ply int, m board.Move) {
	s.pv[ply] = append(append(s.pv[ply][:0], m), s.pv[ply+1]...)
}

// learned returns the history score of the move m of c, the side to move, that
// makes s.
func (s *searcher) learned(c board.Color, m board.Move, shape board.Shape) int {
	return s.hist.get(c, m, s.b.Last(), s.ownLast(), shape, s.t.v[followWeight])
}

// ownLast returns the last move of the side to move, or NoMove.
func (s *searcher) ownLast() board.Move {
	h := s.b.History()
	if len(h) < 2 {
		return board.NoMove
	}
	return h[len(h)-2]
}

// improves reports whether a score with its bound improves on an estimate.
func improves(bd bound, score, estimate Score) bool {
	return bd == exactBound || bd == lowerBound && score > estimate || bd == upperBound && score < estimate
}
