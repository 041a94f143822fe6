// Package watch shows a tournament live in a terminal: the boards of the running
// games, the standings, the sequential test, the last results and failures. It
// only reads the tournament's log, so it can be started and stopped at any time
// and never disturbs the clocks of the games.
package watch

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Run shows the tournament with this folder or log until the user quits or ctx
// is done; neither is an error. It reads keys from in and draws on out, which
// must be in's terminal. Errors of the log are returned only at the start;
// later they are shown.
func Run(ctx context.Context, path string, in io.Reader, out io.Writer) error {
	if !mayBeTerminal(out) {
		return errNoTerminal
	}
	return run(ctx, path, in, out)
}

// mayBeTerminal reports whether w is a device. Devices that are not terminals
// have no size; see model.Update.
func mayBeTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func run(ctx context.Context, path string, in io.Reader, out io.Writer, options ...tea.ProgramOption) error {
	r := &reader{path: path}
	if err := r.open(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var reading sync.Mutex // held while r is in use
	defer func() {
		cancel()
		reading.Lock()
		defer reading.Unlock()
		r.close()
	}()
	poll := func(after time.Duration) tea.Cmd {
		return func() tea.Msg {
			select {
			case <-ctx.Done():
			case <-time.After(after):
			}
			reading.Lock()
			defer reading.Unlock()
			if ctx.Err() != nil {
				return nil
			}
			return r.poll(time.Now())
		}
	}
	p := tea.NewProgram(newModel(poll), append(options, tea.WithInput(in), tea.WithOutput(out))...)
	stop := context.AfterFunc(ctx, p.Quit)
	defer stop()
	final, err := p.Run()
	if m, ok := final.(model); ok && m.err != nil {
		return m.err
	}
	if errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}
