package tournament

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/shlex"
	"golang.org/x/term"

	"kumiko/engine/board"
)

// errFault is returned for a game that an engine lost otherwise than on the
// board; the result line, on standard output, tells which and how.
var errFault = errors.New("an engine failed")

// demoFlags are the command line of demo.
type demoFlags struct {
	settings
	seed     uint64
	commands [2][]string // of the engines, by color
}

// DemoCommand is the subcommand demo: it plays one game of two engines and
// draws the board after every move.
func DemoCommand(ctx context.Context, args []string, stdout io.Writer) error {
	f, err := parseDemo(args, stdout)
	if err != nil {
		return err
	}
	r, err := newReferee(f.settings)
	if err != nil {
		return err
	}
	var players [2]*player
	for c, command := range f.commands {
		if players[c], err = start(ctx, command); err != nil {
			return err
		}
		defer players[c].close()
	}
	s := newScreen(stdout, f.size)
	fmt.Fprintf(stdout, "black %s, white %s, %v %dx%d, %v a move\n\n",
		engineName(f.commands[board.Black]), engineName(f.commands[board.White]),
		f.rule, f.size, f.size, f.turn)
	s.draw(fmt.Sprintf("opening %s (-seed %d)", points(f.opening), f.seed), r.board, "")
	res, err := r.play(ctx, players, func(p ply) {
		s.draw(fmt.Sprintf("move %d: %v %v in %.3f s",
			r.board.Ply(), r.board.Side().Opponent(), p.move, p.time.Seconds()), r.board, p.said)
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, res.text); err != nil {
		return err
	}
	if res.end >= foul {
		return errFault
	}
	return nil
}

// parseDemo reads the command line.
func parseDemo(args []string, stdout io.Writer) (*demoFlags, error) {
	var f demoFlags
	fs := flag.NewFlagSet("demo", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the caller prints the error
	black := fs.String("black", "", "`command` line of the engine that plays black (default this program)")
	white := fs.String("white", "", "`command` line of the engine that plays white (default this program)")
	rule := fs.String("rule", board.Freestyle.String(), "`name` of the rule: freestyle, standard, renju, caro5 or caro6")
	fs.IntVar(&f.size, "size", 15, "columns and rows of the board")
	fs.DurationVar(&f.turn, "turn", 200*time.Millisecond, "time for a move")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the opening, 0 for one that nobody knows")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(stdout)
		fmt.Fprintln(stdout, "usage: demo [flags]")
		fs.PrintDefaults()
	}
	if err != nil {
		return nil, err
	}
	switch {
	case fs.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case f.size < board.MinSize || f.size > board.MaxSize:
		return nil, fmt.Errorf("size %d is not within %d to %d", f.size, board.MinSize, board.MaxSize)
	case f.turn < 0 || f.turn > time.Hour:
		return nil, fmt.Errorf("%v a move are too little or too much", f.turn)
	}
	if f.rule, err = board.ParseRule(*rule); err != nil {
		return nil, err
	}
	if f.seed == 0 {
		f.seed = rand.Uint64N(1e6) + 1
	}
	f.opening = randomOpening(f.seed, f.size)
	for c, line := range []string{*black, *white} {
		if f.commands[c], err = splitCommand(line); err != nil {
			return nil, err
		}
	}
	return &f, nil
}

// splitCommand splits a command line in words as a shell does. No command
// stands for this program.
func splitCommand(line string) ([]string, error) {
	if line == "" {
		self, err := os.Executable()
		return []string{self}, err
	}
	words, err := shlex.Split(line)
	if err == nil && len(words) == 0 {
		err = errors.New("no word in it")
	}
	if err != nil {
		return nil, fmt.Errorf("command line %q: %w", line, err)
	}
	return words, nil
}

// engineName returns what to call an engine.
func engineName(command []string) string {
	name := strings.TrimSuffix(filepath.Base(command[0]), ".exe")
	return printable(strings.TrimPrefix(name, "pbrain-"))
}

// randomOpening returns four stones within two points of the centre.
func randomOpening(seed uint64, size int) []board.Move {
	const side, stones = 5, 4
	var opening []board.Move
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(side * side)[:stones] {
		opening = append(opening, board.Pt((size-side)/2+i%side, (size-side)/2+i/side))
	}
	return opening
}

// A screen shows boards: in place on a terminal, elsewhere one after the
// other.
type screen struct {
	w       io.Writer
	inPlace bool
	lines   int // drawn last
}

// newScreen returns a screen for boards of so many rows. It draws in place if
// w is a terminal with room for that. Consoles of Windows are not relied on.
func newScreen(w io.Writer, rows int) *screen {
	s := &screen{w: w}
	if f, ok := w.(*os.File); ok && runtime.GOOS != "windows" && os.Getenv("TERM") != "dumb" {
		_, height, err := term.GetSize(int(f.Fd()))
		s.inPlace = err == nil && height > rows+4
	}
	return s
}

// draw draws a board between two lines of text.
func (s *screen) draw(title string, b *board.Board, note string) {
	frame := fmt.Sprintf("%s\n%v%s\n", title, b, note)
	if !s.inPlace {
		fmt.Fprintln(s.w, frame)
		return
	}
	// Back up over the last frame and clear what is left of its lines.
	back := ""
	if s.lines > 0 {
		back = fmt.Sprintf("\x1b[%dA", s.lines)
	}
	s.lines = strings.Count(frame, "\n")
	io.WriteString(s.w, back+strings.ReplaceAll(frame, "\n", "\x1b[K\n"))
}
