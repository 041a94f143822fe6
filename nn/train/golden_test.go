package train

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/nn"
	"kumiko/nn/nntest"
)

// TestGoldenGradients compares the loss of a batch and the gradient of every tensor with
// PyTorch's.
func TestGoldenGradients(t *testing.T) {
	const policyWeight, tolerance = 0.3, 1e-5
	golden := nntest.Read(t, "testdata/grads.golden")
	for _, name := range []string{"plain", "marked"} {
		f, err := os.Open("../testdata/" + name + ".net")
		if err != nil {
			t.Fatal(err)
		}
		net, err := nn.Read(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		s := &set{}
		for i := range 4 {
			b, err := board.New(9-i, 6+i, board.Freestyle)
			if err != nil {
				t.Fatal(err)
			}
			get := func(key string) []float32 { return golden.Get(fmt.Sprintf("%s.%d.%s", name, i, key)) }
			var stones []board.Stone
			point := func(at int) board.Move { return board.Pt(at%b.Width(), at/b.Width()) }
			for at, v := range get("black") {
				if v != 0 {
					stones = append(stones, board.Stone{Move: point(at), Cell: board.BlackStone})
				} else if get("white")[at] != 0 {
					stones = append(stones, board.Stone{Move: point(at), Cell: board.WhiteStone})
				}
			}
			side := board.Color(i % 2)
			if err := b.Setup(stones, side); err != nil {
				t.Fatal(err)
			}
			s.positions = append(s.positions, position{
				stones: len(s.stones), side: uint8(side), prior: get("prior")[0], target: get("target")[0], move: point(int(get("move")[0])),
			})
			s.add(b)
		}
		b := newBatch(net, policyWeight, 1)
		l := b.run(s, s.positions, true)
		golden.Compare(name+".loss", []float32{float32((l.value + policyWeight*l.policy) / float64(len(s.positions)))}, tolerance)
		for i := range b.grad.Sets {
			for _, tensor := range b.grad.Sets[i].Tensors(net.Shape) {
				if tensor.Size > 0 {
					golden.Compare(fmt.Sprintf("%s.set%d.%s", name, i, strings.ReplaceAll(tensor.Name, " ", "_")), *tensor.Data, tolerance)
				}
			}
		}
	}
}
