package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// WriteMessages writes the engines' MESSAGE lines, game by game, as
// c-gomoku-cli does. Dialogue returns the dialogue of a game, of which only the
// end may have been kept: then earlier messages are missing, and a line says
// so.
func WriteMessages(w io.Writer, log *journal.Log, dialogue func(*journal.End) ([]byte, error)) error {
	out := bufio.NewWriter(w)
	c := &log.Config
	for e := range games(log) {
		text, err := dialogue(e)
		if err != nil {
			return fmt.Errorf("game %d: %w", e.Number, err)
		}
		fmt.Fprintf(out, "%s\nGame ID: %d\nEngines: %s x %s\n", strings.Repeat("-", 40), e.Number, name(c, e.Black), name(c, e.White))
		sections := readSections(string(text))
		var list []message
		for color := board.Black; color <= board.White; color++ {
			s := sections[c.Engines[e.Engine(color)].Name]
			if s == nil {
				continue
			}
			if !s.whole {
				fmt.Fprintf(out, "(the first messages of %s were not kept)\n", name(c, e.Engine(color)))
			}
			list = append(list, s.number(e, color)...)
		}
		slices.SortStableFunc(list, func(a, b message) int { return cmp.Compare(a.ply, b.ply) })
		for _, m := range list {
			if _, err := fmt.Fprintf(out, "%d) %s: %s\n", m.ply, name(c, m.engine), telemetry.Printable(m.text)); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// A message is an engine's message about the move with the given ply.
type message struct {
	ply, engine int
	text        string
}

// A section is one engine's part of a dialogue.
type section struct {
	whole    bool // the beginning of the game was kept
	requests int  // moves asked for
	messages []message
}

// readSections parses a dialogue. The ply of a message is the number of the
// request it follows.
func readSections(text string) map[string]*section {
	sections := make(map[string]*section)
	s := &section{} // belongs to no engine
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if engine, ok := strings.CutPrefix(line, "== "); ok {
			s = &section{}
			sections[engine] = s
			continue
		}
		_, line, _ = strings.Cut(line, " ")
		kind, said, _ := strings.Cut(line, " ")
		word, rest, _ := strings.Cut(said, " ")
		switch word = strings.ToUpper(word); {
		case kind == "<" && (word == "START" || word == "RECTSTART" || word == "RESTART"):
			*s = section{whole: true} // earlier lines belong to previous games of the process
		case kind == "<" && (word == "BEGIN" || word == "TURN" || word == "DONE"):
			s.requests++
		case kind == ">" && word == "MESSAGE" && s.requests > 0:
			s.messages = append(s.messages, message{ply: s.requests, text: rest})
		}
	}
	return sections
}

// number returns the messages with the plies of the game.
func (s *section) number(e *journal.End, color board.Color) []message {
	first := e.Open // the color's first move, from 0
	if first%2 != int(color) {
		first++
	}
	missing := 0 // requests not kept
	if !s.whole {
		asked := max(0, (plies(e)-first+1)/2)
		if loser, ok := e.Loser(); ok && loser == color && e.Reason.Failed() && plies(e)%2 == int(color) {
			asked++ // a move that never came
		}
		missing = max(0, asked-s.requests)
	}
	list := slices.Clone(s.messages)
	for i := range list {
		list[i].engine = e.Engine(color)
		list[i].ply = first + 2*(missing+list[i].ply-1) + 1
	}
	return list
}
