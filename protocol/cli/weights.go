package cli

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/tournament/outfile"
)

// Weights returns the command weights, which shows embedded weights, given by rule, or
// those of files.
func Weights(tables, nets func(rule string) []byte) *cobra.Command {
	c := &cobra.Command{
		Use:   "weights [FILE…]",
		Short: "Show and check embedded weights, or those of files",
		Args:  cobra.ArbitraryArgs,
		Long:  "Show and check pattern tables and networks: those of this program, or those of files.",
	}
	c.RunE = func(c *cobra.Command, files []string) error {
		w := c.OutOrStdout()
		if len(files) == 0 {
			return embedded(w, tables, nets)
		}
		var faults []error
		for _, name := range files {
			data, err := outfile.Read(name)
			var text string
			if err == nil {
				if text, err = describeWeights(data); err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
			}
			if err != nil {
				faults = append(faults, err)
				continue
			}
			if _, err := fmt.Fprintf(w, "%s: %s\n", printable(name), text); err != nil {
				return err
			}
		}
		return errors.Join(faults...)
	}
	return c
}

// embedded shows the weights of the program.
func embedded(w io.Writer, tables, nets func(rule string) []byte) error {
	for r := range board.Rule(board.NumRules) {
		for _, data := range [][]byte{tables(r.String()), nets(r.String())} {
			if data == nil {
				continue
			}
			text, err := describeWeights(data)
			if err != nil {
				return fmt.Errorf("the weights for %v: %w", r, err)
			}
			if _, err := fmt.Fprintln(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// describeWeights checks a file of weights and says what it is.
func describeWeights(data []byte) (string, error) {
	switch {
	case nn.IsFile(data):
		n, err := nn.Read(bytes.NewReader(data))
		if err != nil {
			return "", err
		}
		sets := "one set"
		if n.Sides > 1 {
			sets = "a set for each side"
		}
		if n.Marks > 0 {
			sets += ", marks"
		}
		return fmt.Sprintf("network for %s, %08x, %d bytes: reach %d, %d hidden, %d channels, %d dense, %d weights, %s",
			n.Name, sumOf(data), len(data), n.Reach, n.Hidden, n.Channels, n.Dense, n.Sides*n.NumWeights(), sets), nil
	case nn.IsResidualFile(data):
		n, err := nn.ReadResidual(bytes.NewReader(data))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("residual network for %s, %08x, %d bytes: planes %d, blocks %d, channels %d, head %d, %d weights",
			n.Name, sumOf(data), len(data), n.Planes, n.Blocks, n.Channels, n.Head, n.NumWeights()), nil
	case pattern.IsFile(data):
		t, err := pattern.ReadAny(bytes.NewReader(data))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("tables for %v, %08x, %d bytes", t.Rule, sumOf(data), len(data)), nil
	}
	return "", errors.New("neither pattern tables nor a network")
}

// sumOf returns the checksum that a file of weights ends with.
func sumOf(data []byte) uint32 { return binary.LittleEndian.Uint32(data[len(data)-4:]) }
