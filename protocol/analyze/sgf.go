package analyze

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"kumiko/engine/board"
	"kumiko/engine/notation"
)

// writeSGF writes a report as a game with variations, comments and marks. What
// viewers show by themselves: GB and GW say for whom a position is good, DO and BM
// that a move is doubtful or bad, LB labels the best moves, V is the win rate of
// black, in percent above 50.
func writeSGF(w io.Writer, r *report) error {
	if err := checkSGF(r.record); err != nil {
		return err
	}
	s := sgfTree{r}
	out, err := notation.AppendTree(nil, s.tree())
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// checkSGF returns an error if SGF cannot hold a record.
func checkSGF(r *record) error {
	for y := range r.start.Height() {
		for x := range r.start.Width() {
			if m := board.Pt(x, y); r.start.At(m) == board.DeadStone {
				return fmt.Errorf("SGF has no dead stones, such as that on %s", r.name(m))
			}
		}
	}
	return nil
}

// An sgfTree builds the tree of a report.
type sgfTree struct{ *report }

func property(name string, values ...string) notation.Property {
	return notation.Property{Name: name, Values: values}
}

// tree returns the tree. Its main line is the record; the variations begin after the
// positions that were searched.
func (s sgfTree) tree() *notation.GameTree {
	root := &notation.GameTree{Nodes: []notation.Node{s.root()}}
	at := root
	next := 0 // index of the next position that was searched
	for ply := 0; ply <= len(s.record.moves); ply++ {
		if ply > 0 {
			node := moveNode(s.colorOf(ply-1), s.record.moves[ply-1])
			if len(at.Branches) > 0 {
				child := &notation.GameTree{Nodes: []notation.Node{node}}
				at.Branches = append([]*notation.GameTree{child}, at.Branches...)
				at = child
			} else {
				at.Nodes = append(at.Nodes, node)
			}
		}
		if next < len(s.positions) && s.positions[next].ply == ply {
			s.annotate(at, next)
			next++
		}
	}
	if len(at.Branches) > 0 { // so that nobody takes the first variation for moves that were played
		end := &notation.GameTree{Nodes: []notation.Node{{property("N", "end of the record")}}}
		at.Branches = append([]*notation.GameTree{end}, at.Branches...)
	}
	return root
}

// colorOf returns the color of a move by its index.
func (s sgfTree) colorOf(i int) board.Color {
	return board.Color((int(s.record.start.Side()) + i) % 2)
}

// root returns the root with what is known of the game.
func (s sgfTree) root() notation.Node {
	r := s.record
	b := r.start
	size := strconv.Itoa(b.Width())
	if b.Width() != b.Height() {
		size += ":" + strconv.Itoa(b.Height())
	}
	n := notation.Node{property("FF", "4"), property("CA", "UTF-8"), property("GM", "4"), property("SZ", size),
		property("RU", strconv.Itoa(b.Rule().Code())), property("AP", "Kumiko")}
	for name, value := range [...]string{r.names[board.Black], r.names[board.White], r.result} {
		if value != "" {
			n = append(n, property([...]string{"PB", "PW", "RE"}[name], value))
		}
	}
	return append(n, setupOf(b)...)
}

// setupOf returns the properties of the stones on a board before the first move.
func setupOf(b *board.Board) (n notation.Node) {
	points := map[board.Cell][]string{}
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.Pt(x, y)
			points[b.At(m)] = append(points[b.At(m)], notation.PointText(m))
		}
	}
	if black := points[board.BlackStone]; black != nil {
		n = append(n, property("AB", black...))
	}
	if white := points[board.WhiteStone]; white != nil {
		n = append(n, property("AW", white...))
	}
	if n != nil || b.Side() == board.White {
		n = append(n, property("PL", "BW"[b.Side():][:1]))
	}
	return n
}

// moveNode returns the node of a move.
func moveNode(c board.Color, m board.Move) notation.Node {
	return notation.Node{property("BW"[c:][:1], notation.PointText(m))}
}

// annotate adds what is known of a position to the last node of a line, and the
// variations after it.
func (s sgfTree) annotate(t *notation.GameTree, i int) {
	p := s.positions[i]
	var comments []string
	var marks notation.Node
	if i > 0 {
		v := &s.verdicts[i-1]
		marks = append(marks, markProperty(v.mark)...)
		comments = append(comments, s.verdictText(v)...)
	}
	if p.ending == open {
		marks = append(marks, evaluation(p)...)
		marks = append(marks, property("LB", s.labels(p)...))
		comments = append(comments, s.positionText(p)...)
	} else {
		if p.ending == won {
			marks = append(marks, property([...]string{"GB", "GW"}[colorAt(p.board, p.five[0])], "2"))
		}
		w := textWriter{report: s.report}
		comments = append(comments, w.status(p))
	}
	node := &t.Nodes[len(t.Nodes)-1]
	*node = append(*node, marks...)
	*node = append(*node, property("C", strings.Join(comments, "\n")))
	for k, l := range p.lines {
		if s.record.game && len(p.lines) == 1 && p.ply < len(s.record.moves) && l.moves[0] == s.record.moves[p.ply] {
			continue // it was played
		}
		t.Branches = append(t.Branches, s.variation(p, l, k))
	}
	if p.fours != nil && !sameLine(p.fours, p.lines[0].moves) {
		t.Branches = append(t.Branches, s.variation(p, line{winIn(len(p.fours)), p.fours}, -1))
	}
}

func sameLine(a, b []board.Move) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// variation returns the branch of the k-th line of a position, or that of a victory
// by fours if k is negative.
func (s sgfTree) variation(p *position, l line, k int) *notation.GameTree {
	t := &notation.GameTree{}
	for i, m := range l.moves {
		c := board.Color((int(p.board.Side()) + i) % 2)
		t.Nodes = append(t.Nodes, moveNode(c, m))
	}
	name := "win by fours"
	if k >= 0 {
		name = fmt.Sprintf("line %d: %s, %s", k+1, scoreText(l.score), percent(l.score.WinRate()))
	}
	t.Nodes[0] = append(t.Nodes[0], property("N", name))
	return t
}

// markProperty returns the property for the mark of a move.
func markProperty(m mark) notation.Node {
	switch m {
	case doubtful:
		return notation.Node{property("DO", "")}
	case mistake:
		return notation.Node{property("BM", "1")}
	case blunder:
		return notation.Node{property("BM", "2")}
	}
	return nil
}

// Win rates of black from which a position is good, or very good, for a side.
const (
	goodRate     = 0.75
	veryGoodRate = 0.95
)

// evaluation returns the properties that say for whom a position is good.
func evaluation(p *position) notation.Node {
	black := p.lines[0].score.WinRate()
	if p.board.Side() == board.White {
		black = 1 - black
	}
	n := notation.Node{property("V", strconv.FormatFloat(100*round(black-0.5), 'f', 1, 64))}
	switch {
	case black >= veryGoodRate:
		return append(n, property("GB", "2"))
	case black >= goodRate:
		return append(n, property("GB", "1"))
	case black <= 1-veryGoodRate:
		return append(n, property("GW", "2"))
	case black <= 1-goodRate:
		return append(n, property("GW", "1"))
	case black > 0.45 && black < 0.55:
		return append(n, property("DM", "1"))
	}
	return append(n, property("UC", "1"))
}

// labels returns the labels of the best moves.
func (s sgfTree) labels(p *position) (list []string) {
	for i, l := range p.lines {
		if i < len(labels) {
			list = append(list, notation.PointText(l.moves[0])+":"+labels[i:i+1])
		}
	}
	return list
}

// verdictText returns what is said of a move.
func (s sgfTree) verdictText(v *verdict) []string {
	head := fmt.Sprintf("%v %s: win rate %s", v.color, s.record.name(v.move), percent(v.rate))
	if v.mark != unmarked {
		head += fmt.Sprintf(", %v: %s lost, best %s", v.mark, percent(v.lost), s.record.name(v.best.moves[0]))
	}
	return append([]string{head}, v.remarks(s.record)...)
}

// positionText returns what is said of a position.
func (s sgfTree) positionText(p *position) (list []string) {
	list = append(list, fmt.Sprintf("%v to move, depth %d-%d, %d nodes", p.board.Side(), p.depth, p.selDepth, p.nodes))
	for i, l := range p.lines {
		label := ""
		if i < len(labels) {
			label = labels[i:i+1] + " "
		}
		list = append(list, fmt.Sprintf("%s%s %s: %s", label, scoreText(l.score), percent(l.score.WinRate()), s.record.list(l.moves)))
	}
	return list
}
