package train

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/nn/replay"
	"kumiko/protocol/cli"
)

// smallResidual are the flags of a quick training.
const smallResidual = "--blocks 1 --channels 8 --head 8 --batch 32 --epochs 2 "

// trainedResidual runs the command and returns what it printed.
func trainedResidual(ctx context.Context, args string) (string, error) {
	var out strings.Builder
	err := cli.Execute(ctx, ResidualCommand(func(board.Rule) *pattern.Tables { return nil }), strings.Fields(args), &out)
	return out.String(), err
}

// randomResidual returns a network without a zero weight.
func randomResidual(rng *rand.Rand) *nn.Residual {
	n := nn.NewResidual(nn.ResidualShape{Planes: board.NumPlanes, Blocks: 2, Channels: 8, Head: 8}, "test", rng)
	for _, t := range n.Tensors() {
		for j := range *t.Data {
			(*t.Data)[j] += float32(rng.NormFloat64()) / 8
		}
	}
	return n
}

// turnedSet returns positions on boards of several sizes in random symmetries, some
// with a last move and some with policies.
func turnedSet(t testing.TB, rng *rand.Rand, n int) *set {
	t.Helper()
	s := randomSet(t, rng, n)
	stones := s.stones
	s.stones = nil
	for i := range s.positions {
		p := &s.positions[i]
		end := len(stones)
		if i+1 < n {
			end = s.positions[i+1].stones
		}
		g := (&set{stones: stones}).grid(p)
		at := len(s.stones)
		s.stones = append(s.stones, stones[p.stones:end]...)
		p.stones, p.sym, p.last = at, uint8(rng.IntN(maxSymmetries)), board.NoMove
		if black := g.stones[0]; len(black) > 0 && rng.IntN(3) > 0 {
			p.last = board.Pt(int(black[0]), int(black[1]))
		}
		if p.move != board.NoMove && rng.IntN(2) == 0 {
			s.addPolicy(at, []replay.Weight{{Move: p.move, Share: 100}, {Move: empty(&g, p.move), Share: 300}})
		}
	}
	return s
}

// empty returns an empty point other than m.
func empty(g *grid, m board.Move) board.Move {
	taken := map[board.Move]bool{m: true}
	for _, stones := range g.stones {
		g.each(stones, 0, func(m board.Move) { taken[m] = true })
	}
	for i := range g.width * g.height {
		if p := board.Pt(i%g.width, i/g.width); !taken[p] {
			return p
		}
	}
	panic("no empty point")
}

// slowResidualLoss returns the mean loss of positions, one by one, on boards that are
// set up in the symmetry of the position.
func slowResidualLoss(t *testing.T, n *nn.Residual, s *set, policyWeight float64) float64 {
	t.Helper()
	tower := nn.NewTower(n, false)
	var w nn.TowerWorkspace
	var sum float64
	for i := range s.positions {
		p := &s.positions[i]
		g := s.grid(p)
		turn := func(m board.Move) board.Move {
			return board.Symmetry(m, g.width, g.height, int(p.sym)%board.Symmetries(g.width, g.height))
		}
		b, err := board.New(g.width, g.height, board.Renju)
		if err != nil {
			t.Fatal(err)
		}
		last := turn(p.last)
		var stones []board.Stone
		for c, points := range g.stones {
			for k := 0; k < len(points); k += 2 {
				stones = append(stones, board.Stone{Move: turn(board.Pt(int(points[k]), int(points[k+1]))), Cell: board.Color(c).Stone()})
			}
		}
		if err := b.Setup(stones, board.Color(p.side)); err != nil {
			t.Fatal(err)
		}
		var planes board.Planes
		planes.Set(b)
		if last != board.NoMove {
			planes.Last(last)
		}
		value, logits := make([]float32, 1), make([]float32, g.width*g.height)
		tower.Forward(value, logits, planes.Data, nn.Grid{Height: g.height, Width: g.width}, &w)
		q, target := 1/(1+math.Exp(-float64(value[0]))), float64(p.target)
		sum -= target*math.Log(q) + (1-target)*math.Log(1-q)
		if p.move == board.NoMove {
			continue
		}
		index := func(m board.Move) int { m = turn(m); return m.Y()*g.width + m.X() }
		want := map[int]float64{index(p.move): 1}
		if len(g.policy) > 0 {
			want = map[int]float64{index(p.move): 0.25, index(empty(&g, p.move)): 0.75}
		}
		var total float64
		for at, l := range logits {
			if b.Empty(board.Pt(at%g.width, at/g.width)) {
				total += math.Exp(float64(l))
			}
		}
		for at, share := range want {
			sum += policyWeight * share * (math.Log(total) - float64(logits[at]))
		}
	}
	return sum / float64(len(s.positions))
}

// TestResidualGradients compares the loss of a batch with that of boards set up one by
// one, and the gradient of every tensor with the slope in its direction.
func TestResidualGradients(t *testing.T) {
	const policyWeight = 0.3
	rng := rand.New(rand.NewPCG(11, 12))
	net := randomResidual(rng)
	s := turnedSet(t, rng, 90)
	b := newResidualBatch(net, policyWeight, 1)
	l := b.run(s, s.positions, true)
	got := (l.value + policyWeight*l.policy) / float64(len(s.positions))
	if want := slowResidualLoss(t, net, s, policyWeight); math.Abs(got-want) > 1e-5 {
		t.Errorf("loss %v, want %v", got, want)
	}
	grads := b.grad.Tensors()
	for i, tensor := range net.Tensors() {
		g, old := *grads[i].Data, slices.Clone(*tensor.Data)
		var square float64
		for _, v := range g {
			square += float64(v) * float64(v)
		}
		step := 2e-3 / math.Sqrt(square)
		loss := func(step float64) float64 {
			for j := range g {
				(*tensor.Data)[j] = old[j] + float32(step*float64(g[j]))
			}
			return slowResidualLoss(t, net, s, policyWeight)
		}
		slope := (loss(step) - loss(-step)) / (2 * step)
		loss(0)
		if !(math.Abs(slope-square) <= 0.03*square) {
			t.Errorf("%s: slope %v, want %v", tensor.Name, slope, square)
		}
	}
}

// TestResidualThreads computes the same bits with any number of threads, again and
// again.
func TestResidualThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	net := randomResidual(rng)
	s := turnedSet(t, rng, 150)
	one, four := newResidualBatch(net, 0.1, 1), newResidualBatch(net, 0.1, 4)
	for range 3 {
		if a, b := one.run(s, s.positions, true), four.run(s, s.positions, true); a != b {
			t.Errorf("losses %+v and %+v", a, b)
		}
		other := four.grad.Tensors()
		for k, tensor := range one.grad.Tensors() {
			for j, v := range *tensor.Data {
				if w := (*other[k].Data)[j]; math.Float32bits(v) != math.Float32bits(w) {
					t.Fatalf("%s[%d]: %v and %v", tensor.Name, j, v, w)
				}
			}
		}
	}
	if a, b := one.run(s, s.positions, false), one.run(s, s.positions, true); a != b {
		t.Errorf("losses %+v without the gradient, %+v with it", a, b)
	}
}

// TestPolicies collects policies from a record, and learns the move where there is none.
func TestPolicies(t *testing.T) {
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	game := &replay.Game{Opening: 1, Plies: []replay.Ply{
		{Move: board.Pt(7, 7)},
		{Move: board.Pt(8, 8), Policy: []replay.Weight{{Move: board.Pt(8, 7), Share: 1}, {Move: board.Pt(8, 8), Share: 6}, {Move: board.Pt(0, 0)}, {Move: board.Pt(6, 6), Share: 1}}},
		{Move: board.Pt(9, 9)},
		{Move: board.Pt(6, 8), Policy: []replay.Weight{{Move: board.Pt(1, 1)}}},
	}}
	at := func(x, y int) int { return y*15 + x }
	for _, policies := range []bool{true, false} {
		c := collector{lambda: 1, policies: policies, tables: func(board.Rule) *pattern.Tables { return nil }}
		if _, err := c.begin(replay.Settings{Width: 15, Height: 15, Rule: board.Freestyle}); err != nil {
			t.Fatal(err)
		}
		var s set
		c.game(&s, b, game)
		want := [][]share{{{at(8, 8), 0.75}, {at(8, 7), 0.125}, {at(6, 6), 0.125}}, {{at(9, 9), 1}}, {{at(6, 8), 1}}}
		if !policies {
			want[0] = []share{{at(8, 8), 1}}
		}
		last := []board.Move{board.Pt(7, 7), board.Pt(8, 8), board.Pt(9, 9)}
		for i := range s.positions {
			p := &s.positions[i]
			g := s.grid(p)
			if got := g.shares(nil, p); !slices.Equal(got, want[i]) {
				t.Errorf("position %d: shares %v, want %v", i, got, want[i])
			}
			if p.last != last[i] {
				t.Errorf("position %d: last move %v, want %v", i, p.last, last[i])
			}
		}
	}
}

// A countdown is a context that is canceled when it has been asked so often.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestResidualResume interrupts a training again and again, within epochs too: what
// comes out at the end are the bytes of a run in one go. A kill is an interrupt after
// which the state of some steps before is left.
func TestResidualResume(t *testing.T) {
	defer func(old time.Duration) { saveEvery = old }(saveEvery)
	record := writeRecord(t, board.Renju, 30, 1)
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if _, err := trainedResidual(t.Context(), smallResidual+"--out "+whole+" "+record); err != nil {
		t.Fatal(err)
	}
	saveEvery = 0
	var before []byte // the state of the last round but one
	within := 0
	for round := 0; ; round++ {
		if round > 100 {
			t.Fatal("no end")
		}
		if state, err := os.ReadFile(parts + ".state"); err == nil {
			if round%4 == 3 && before != nil {
				if err := os.WriteFile(parts+".state", before, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			before = state
		}
		ctx := &countdown{t.Context(), 4 + round%4}
		out, err := trainedResidual(ctx, smallResidual+"--out "+parts+" "+record)
		if strings.Contains(out, "% of the next") {
			within++
		}
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if within < 3 {
		t.Errorf("%d times resumed within an epoch", within)
	}
	if !bytes.Equal(readFile(t, whole), readFile(t, parts)) {
		t.Error("training in parts gives a different network")
	}
	n, err := nn.ReadResidual(bytes.NewReader(readFile(t, whole)))
	if err != nil || n.Name != "renju" || n.Planes != board.NumPlanes || n.Blocks != 1 || n.Channels != 8 {
		t.Errorf("network %+v, error %v", n, err)
	}
}

// TestResidualLearns learns from games scored by the patterns: losses fall.
func TestResidualLearns(t *testing.T) {
	record := writeRecord(t, board.Freestyle, 60, 2)
	dir := t.TempDir()
	csvFile := filepath.Join(dir, "losses.csv")
	out, err := trainedResidual(t.Context(), smallResidual+"--epochs 12 --validation 0.2 --out "+
		filepath.Join(dir, "net")+" --csv "+csvFile+" --svg "+filepath.Join(dir, "losses.svg")+" "+record)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(readFile(t, csvFile))).ReadAll()
	if err != nil || len(rows) != 13 {
		t.Fatalf("error %v, %d rows\n%s", err, len(rows), out)
	}
	if first, last := rows[1], rows[12]; !(last[1] < first[1]) || !(last[2] < first[2]) {
		t.Errorf("training loss %s, then %s; validation %s, then %s", first[1], last[1], first[2], last[2])
	}
}

// TestResidualErrors refuses what cannot be, before anything is lost.
func TestResidualErrors(t *testing.T) {
	dir := t.TempDir()
	record := writeRecord(t, board.Freestyle, 10, 4)
	out, net := filepath.Join(dir, "net"), filepath.Join(dir, "lines")
	if _, err := trained(t.Context(), small+"--out "+net+" "+record); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"--out " + net + " " + record, net + " exists and is not a residual network"},
		{"--out " + out + " --blocks 0 " + record, "blocks must be 1 to 40, got 0"},
		{"--out " + out + " --channels 12 " + record, "channels must be a multiple of 8 up to 256, got 12"},
		{"--out " + out + " --head 0 " + record, "head width must be"},
		{"--out " + out + " --batch 5000 " + record, "fewer than the 5000 of a batch"},
		{"--out " + out + " " + net, "not a record of games"},
	} {
		text, err := trainedResidual(t.Context(), tt.args)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %s\n%s", tt.args, err, tt.want, text)
		}
	}
	// The state of the other kind of network.
	ctx := &countdown{t.Context(), 5}
	if _, err := trainedResidual(ctx, smallResidual+"--out "+out+" "+record); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	state := readFile(t, out+".state")
	if _, err := trained(t.Context(), small+"--out "+out+" "+record); err == nil || !strings.Contains(err.Error(), out+".state: made with --blocks 1") {
		t.Errorf("the state of a residual network: error %v", err)
	}
	if !bytes.Equal(readFile(t, out+".state"), state) {
		t.Error("the state was changed")
	}
}

// BenchmarkResidualRun learns from positions as they are in training.
func BenchmarkResidualRun(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	net := nn.NewResidual(nn.ResidualShape{Planes: board.NumPlanes, Blocks: 4, Channels: 32, Head: 32}, "test", rng)
	s := &set{}
	bd, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		b.Fatal(err)
	}
	for range 256 {
		bd.Clear()
		for range 10 + rng.IntN(40) {
			if m := board.Pt(3+rng.IntN(9), 3+rng.IntN(9)); bd.Empty(m) {
				bd.Place(m)
			}
		}
		s.positions = append(s.positions, position{stones: len(s.stones), side: uint8(bd.Side()), target: rng.Float32(), move: board.Pt(0, 0), last: bd.Last()})
		s.add(bd)
	}
	batch := newResidualBatch(net, 0.3, 1)
	for b.Loop() {
		batch.run(s, s.positions, true)
	}
	b.ReportMetric(256*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}
