package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/proof"
	"kumiko/tournament/outfile"
)

// Prove returns the command prove, which searches for a win with an engine with
// the given options, and writes its proof.
func Prove(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "prove [PICTURE] [flags]",
		Short: "Look for a win in a position and write its proof",
		Long: `Look for a win of the side to move and write its proof, a tree in JSON that verify checks.
The position is an empty board, the moves of --moves, or the picture of a board in a file.`,
		Args: cobra.MaximumNArgs(1),
	}
	position := positionFlags(c)
	nodes := c.Flags().Int64("nodes", 1_000_000, "`nodes` to search")
	out := c.Flags().String("out", "", "`file` for the proof (default standard output)")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := outfile.CheckLater(*out, proofFile); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if *nodes < 1 {
			return fmt.Errorf("nodes must be at least 1, got %d", *nodes)
		}
		b, err := position(args)
		if err != nil {
			return err
		}
		limits := engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: *nodes}
		res := engine.New(options()).Search(c.Context(), engine.Request{Board: b, Limits: limits}, nil)
		if err := c.Context().Err(); err != nil {
			return err
		}
		if res.Proof == nil {
			return fmt.Errorf("no win proven in %d nodes, score %v", res.Nodes, res.Score)
		}
		if *out == "" {
			return res.Proof.Write(c.OutOrStdout())
		}
		if err := outfile.Write(*out, res.Proof.Write); err != nil {
			return err
		}
		return printProof(c.OutOrStdout(), *out, res.Proof)
	}
	return c
}

// proofFile is the kind of file that prove writes.
var proofFile = outfile.Kind{Name: "a proof", Match: proof.IsFile}

// Verify returns the command verify, which checks proofs without search.
func Verify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check proofs of wins without any search",
		Long: `Check proofs of wins as written by prove: try every legal reply and find fives stone by stone,
without search or pattern tables.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				tree, err := readProof(name)
				if err == nil {
					_, err = tree.Verify(c.Context())
				}
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if err := printProof(c.OutOrStdout(), name, tree); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func readProof(name string) (*proof.Tree, error) {
	data, err := outfile.Read(name)
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, e.Err // the caller names the file
	}
	if err != nil {
		return nil, err
	}
	return proof.Read(bytes.NewReader(data))
}

// printProof prints what a tree proves.
func printProof(w io.Writer, name string, tree *proof.Tree) error {
	b, err := tree.Board()
	if err != nil {
		return err
	}
	var line []string
	for _, m := range tree.Win.Line(b) {
		line = append(line, m.String())
	}
	unit := "plies"
	if len(line) == 1 {
		unit = "ply"
	}
	_, err = fmt.Fprintf(w, "%s: %v %dx%d, %v wins in %d %s: %s\n", name, tree.Rule, tree.Width, tree.Height,
		tree.Side, tree.Win.Plies(), unit, strings.Join(line, " "))
	return err
}

// positionFlags adds the flags that specify a position. The returned function
// reads the position after they are parsed.
func positionFlags(c *cobra.Command) (read func(files []string) (*board.Board, error)) {
	rule := c.Flags().String("rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	size := c.Flags().String("size", "15", "`size` of the board, such as 15 or 20x15")
	moves := c.Flags().String("moves", "", "`moves` to play first, such as h8i9")
	return func(files []string) (*board.Board, error) {
		b, err := startBoard(*rule, *size, files)
		if err != nil {
			return nil, err
		}
		list, err := board.ParseMoves(*moves)
		if err == nil {
			err = b.PlaceAll(list)
		}
		if err != nil {
			return nil, fmt.Errorf("--moves: %w", err)
		}
		return b, nil
	}
}

// startBoard returns the board in the named picture file, or an empty board of the
// given size.
func startBoard(rule, size string, files []string) (*board.Board, error) {
	r, err := board.ParseRule(rule)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		width, height, err := board.ParseSize(size)
		if err != nil {
			return nil, err
		}
		return board.New(width, height, r)
	}
	picture, err := outfile.ReadUpTo(files[0], 1<<20)
	if err != nil {
		return nil, err
	}
	b, err := board.Parse(r, string(picture))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files[0], err)
	}
	return b, nil
}
