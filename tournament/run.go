package tournament

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"kumiko/tournament/config"
	"kumiko/tournament/game"
	"kumiko/tournament/journal"
	"kumiko/tournament/schedule"
)

// Exit codes of run and resume. Errors without one, of settings, make 1.
const (
	exitInterrupted  = 2
	exitDisqualified = 3
	exitInternal     = 4
	exitH1           = 10
	exitH0           = 11
	exitUndecided    = 12
)

// An exitError is an error with the exit code that it makes.
type exitError struct {
	error
	code int
}

// ExitCode returns the exit code of the process.
func (e *exitError) ExitCode() int { return e.code }

func (e *exitError) Unwrap() error { return e.error }

// output is what run and resume show, and how.
type output struct {
	plain       bool
	jsonEvents  string
	exitVerdict bool
	compat      bool // only the lines that c-gomoku-cli has
}

func (o *output) addFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.plain, "plain", false, "no status line, also on a terminal")
	fs.StringVar(&o.jsonEvents, "json-events", "", "write what the log gets to this `file` as well; - is standard output, without anything else")
	fs.BoolVar(&o.exitVerdict, "exit-verdict", false, "exit with 10 for H1, 11 for H0, 12 if undecided")
}

// runCommand is the command run: it begins a tournament and plays it.
func runCommand(ctx context.Context, args []string, stdout io.Writer) error {
	var l config.Loader
	var o output
	fs := newFlags("run", "[FILE.toml] [flags]")
	flags := fs.Usage
	fs.Usage = func() {
		flags()
		io.WriteString(fs.Output(), "\n"+config.EngineHelp)
	}
	dir := fs.String("out", "", "`folder` of the tournament, which must be new or empty (default: one named after the time)")
	l.AddFlags(fs)
	o.addFlags(fs)
	files, err := parse(fs, args, stdout, 0, 1)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(&l, files)
	if err != nil {
		return err
	}
	if *dir == "" {
		*dir = "tournament-" + time.Now().Format("20060102-150405")
	}
	return begin(ctx, cfg, *dir, &o, stdout)
}

// loadConfig returns the settings that a file, if there is one, and flags make.
func loadConfig(l *config.Loader, files []string) (config.Config, error) {
	if len(files) > 0 {
		text, err := os.ReadFile(files[0])
		if err != nil {
			return config.Config{}, err
		}
		if err := l.ReadFile(files[0], text); err != nil {
			return config.Config{}, err
		}
	}
	return l.Config()
}

// begin plays a new tournament.
func begin(ctx context.Context, cfg config.Config, dir string, o *output, stdout io.Writer) error {
	if cfg.Seed == 0 {
		var b [4]byte
		rand.Read(b[:])
		cfg.Seed = uint64(binary.LittleEndian.Uint32(b[:])) + 1
	}
	r, err := newRunner(cfg, dir)
	if err != nil {
		return err
	}
	latency, err := r.selfcheck(ctx)
	if err != nil {
		return err
	}
	if !o.compat && o.jsonEvents != "-" {
		for _, w := range r.warnings {
			fmt.Fprintln(stdout, "Warning:", w)
		}
	}
	var id [8]byte
	rand.Read(id[:])
	run := &journal.Run{
		Version: journal.Version, ID: hex.EncodeToString(id[:]), At: time.Now(), Config: r.cfg,
		Openings: len(r.book), Hash: r.hash, Host: host(), Latency: latency,
	}
	if r.log, err = journal.Create(dir, run); err != nil {
		return err
	}
	r.state = journal.New(run)
	return r.play(ctx, o, stdout)
}

// resumeCommand is the command resume: it plays what is left of a tournament.
func resumeCommand(ctx context.Context, args []string, stdout io.Writer) error {
	var l config.Loader
	var o output
	fs := newFlags("resume", "FOLDER [flags]")
	accepted := fs.StringArray("accept-changed", nil, "go on though this `engine` or setting is not what it was (repeat)")
	l.AddFlags(fs)
	o.addFlags(fs)
	dirs, err := parse(fs, args, stdout, 1, 1)
	if err != nil {
		return err
	}
	log, state, err := journal.Append(dirs[0])
	if err != nil {
		return err
	}
	r, err := resume(&l, dirs[0], state, *accepted)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	r.log = log
	again := &journal.Resume{At: time.Now(), Config: r.cfg, Hash: r.hash, Accept: *accepted}
	if err := state.Add(again); err != nil {
		return errors.Join(err, log.Close())
	}
	log.Add(again)
	return r.play(ctx, &o, stdout)
}

// resume returns the runner of a tournament that goes on.
func resume(l *config.Loader, dir string, state *journal.Log, accepted []string) (*runner, error) {
	l.Base = &state.Config
	cfg, err := l.Config()
	if err != nil {
		return nil, err
	}
	r, err := newRunner(cfg, dir)
	if err != nil {
		return nil, err
	}
	changed, err := changes(&state.Config, &r.cfg)
	if err != nil {
		return nil, err
	}
	changed = append(changed, hashChanges(&r.cfg, state.Hash, r.hash)...)
	slices.Sort(changed)
	now, err := settingsMap(&r.cfg)
	if err != nil {
		return nil, err
	}
	if err := refuse(slices.Compact(changed), accepted, sortedKeys(now)); err != nil {
		return nil, err
	}
	r.state = state
	return r, nil
}

// newRunner returns a runner without a log.
func newRunner(cfg config.Config, dir string) (*runner, error) {
	if err := locate(&cfg); err != nil {
		return nil, err
	}
	for i := range cfg.Engines {
		if _, err := game.NewPlayer(cfg.Engines[i], cfg.MemoryLimit, nil); err != nil {
			return nil, err // of its settings: nothing has been started
		}
	}
	r := &runner{cfg: cfg, dir: dir, diary: zerolog.Nop()}
	book, err := r.readBook()
	if err != nil {
		return nil, err
	}
	if r.hash, err = identify(&r.cfg, book); err != nil {
		return nil, err
	}
	if r.sched, err = schedule.New(cfg.Schedule(len(r.book))); err != nil {
		return nil, err
	}
	if n := len(r.book); n > 0 && r.sched.Rounds > n && cfg.Openings.Transform == config.TransformNone {
		r.warnings = append(r.warnings, fmt.Sprintf("%d rounds use the book of %d openings more than once: games of equal engines repeat", r.sched.Rounds, n))
	}
	return r, nil
}

// readBook reads the openings. Those that cannot be played are left out, with
// a warning; if none is left it is an error.
func (r *runner) readBook() ([]byte, error) {
	o := r.cfg.Openings
	if o.File == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.File)
	if err != nil {
		return nil, err
	}
	book, faults, err := parseOpenings(text, &r.cfg)
	switch {
	case err != nil:
		return nil, err
	case len(book) == 0 && len(faults) > 0:
		return nil, errors.Join(faults...)
	case len(faults) > 0:
		r.warnings = append(r.warnings, fmt.Sprintf("openings left out:\n%v", errors.Join(faults...)))
	}
	r.book = book
	if !o.Random && o.Start > len(r.book) {
		return nil, fmt.Errorf("openings start at %d, but there are %d", o.Start, len(r.book))
	}
	return text, nil
}

// play plays what is left and returns what the exit code tells.
func (r *runner) play(ctx context.Context, o *output, stdout io.Writer) error {
	diary, err := os.OpenFile(filepath.Join(r.dir, "harness.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return errors.Join(err, r.log.Close())
	}
	defer diary.Close()
	r.diary = zerolog.New(diary).With().Timestamp().Logger()
	if r.tell, err = newTeller(r, o, stdout); err != nil {
		return errors.Join(err, r.log.Close())
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)
	err = r.run(ctx, interrupts)
	if closeErr := r.log.Close(); closeErr != nil {
		err = closeErr
	}
	return r.exit(err, o)
}

// exit gives an error its exit code.
func (r *runner) exit(err error, o *output) error {
	switch {
	case errors.Is(err, errInterrupted):
		return &exitError{fmt.Errorf("interrupted; go on with: tournament resume %s", r.dir), exitInterrupted}
	case errors.Is(err, errDisqualified):
		return &exitError{err, exitDisqualified}
	case err != nil:
		return &exitError{err, exitInternal}
	case !o.exitVerdict:
		return nil
	}
	code, text := exitUndecided, "undecided"
	if r.sequence != nil && r.sequence.Accepted() != "" {
		text = r.sequence.Accepted()
		code = map[string]int{"H1": exitH1, "H0": exitH0}[text]
	}
	return &exitError{errors.New(text), code}
}
