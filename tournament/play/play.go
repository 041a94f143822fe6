package play

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"kumiko/tournament/config"
	"kumiko/tournament/game"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/outfile"
	"kumiko/tournament/schedule"
)

// ErrInterrupted ends a tournament that can be resumed.
var ErrInterrupted = errors.New("interrupted")

// ErrDisqualified ends a tournament in which an engine failed too often.
var ErrDisqualified = errors.New("an engine was disqualified")

// A Tournament is ready to be played.
type Tournament struct {
	dir      string
	cfg      config.Config
	sched    *schedule.Schedule
	book     []opening.Opening
	hash     journal.Hashes
	warnings []string // about the settings

	state *journal.Log
	log   *journal.Writer
}

// Begin prepares a new tournament in dir, which must be new or empty.
func Begin(ctx context.Context, cfg config.Config, dir string) (*Tournament, error) {
	if cfg.Seed == 0 {
		cfg.Seed = randomSeed()
	}
	warning, err := chooseBook(&cfg)
	if err != nil {
		return nil, err
	}
	t, err := prepare(cfg, dir)
	if err != nil {
		return nil, err
	}
	if warning != "" {
		t.warn("%s", warning)
	}
	latency, err := t.selfCheck(ctx)
	if err != nil {
		return nil, err
	}
	var id [8]byte
	rand.Read(id[:])
	run := &journal.Run{
		Version: journal.Version, ID: hex.EncodeToString(id[:]), At: time.Now(), Config: t.cfg,
		Openings: len(t.book), Hash: t.hash, Host: host(), Latency: latency,
	}
	if t.log, err = journal.Create(dir, run); err != nil {
		return nil, err
	}
	t.state = journal.New(run)
	return t, nil
}

// randomSeed returns a random nonzero seed.
func randomSeed() uint64 {
	var b [4]byte
	rand.Read(b[:])
	return uint64(binary.LittleEndian.Uint32(b[:])) + 1
}

// prepare returns a tournament without a log.
func prepare(cfg config.Config, dir string) (*Tournament, error) {
	if err := locate(&cfg); err != nil {
		return nil, err
	}
	for i := range cfg.Engines {
		if err := checkStderr(&cfg.Engines[i], dir); err != nil {
			return nil, err
		}
	}
	cfg.Openings.Ordered = false
	t := &Tournament{cfg: cfg, dir: dir}
	if err := t.checkEngines(); err != nil {
		return nil, err
	}
	book, err := t.readBook()
	if err != nil {
		return nil, err
	}
	if t.hash, err = identify(&t.cfg, book); err != nil {
		return nil, err
	}
	if t.sched, err = schedule.New(t.cfg.Schedule(len(t.book))); err != nil {
		return nil, err
	}
	if n := len(t.book); n > 0 && t.sched.Rounds > n && cfg.Openings.Transform == config.TransformNone {
		t.warn("%d rounds use the book of %d openings more than once: games of equal engines repeat", t.sched.Rounds, n)
	}
	return t, nil
}

// checkStderr refuses a file of a tournament as that of an engine's errors, and
// any log, which they would be appended to.
func checkStderr(e *config.Engine, dir string) error {
	anyButLog := outfile.Kind{Name: "a file for errors (it begins as a log does)", Match: func(start []byte) bool { return !bytes.HasPrefix(start, []byte(`{"t":"`)) }}
	if err := outfile.Check(e.Stderr, anyButLog, dir); err != nil {
		return fmt.Errorf("engine %s: stderr file: %w", e.Name, err)
	}
	return nil
}

// checkEngines starts every engine once. The error names all that cannot be
// started.
func (t *Tournament) checkEngines() error {
	var errs []error
	for i := range t.cfg.Engines {
		p, err := game.NewPlayer(t.cfg.Engines[i], t.cfg.MemoryLimit, nil)
		var unlimited error
		if err == nil {
			unlimited, err = p.Check()
		}
		if unlimited != nil {
			t.warn("%s: the system does not enforce the memory limit, which is only polled after moves: %v", t.cfg.Engines[i].Name, unlimited)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// warn adds a warning about the settings.
func (t *Tournament) warn(format string, args ...any) {
	t.warnings = append(t.warnings, fmt.Sprintf(format, args...))
}

// Play plays the remaining games and closes the log. It shows progress as v
// says. The error is ErrInterrupted or ErrDisqualified, or says what ended the
// tournament early.
//
// At the end of ctx or an interrupt, the running games are finished; a second
// interrupt makes them void. If an interrupt also ends ctx, it counts once.
func (t *Tournament) Play(ctx context.Context, v View) (err error) {
	defer func() {
		if e := t.log.Close(); e != nil {
			err = e // the games after it are lost
		}
	}()
	// The reader of our output may exit: then writes fail, but the games go on.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	harness, err := os.OpenFile(filepath.Join(t.dir, "harness.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer harness.Close()
	workers := min(t.cfg.Concurrency, t.sched.Pairs())
	c := newCoordinator(t, workers)
	c.harness = zerolog.New(harness).With().Timestamp().Logger()
	if c.observers, err = v.observers(t.dir); err != nil {
		return err
	}
	err = c.run(ctx, workers)
	if o, ok := c.observers[0].(*jsonLines); ok && o.err != nil {
		err = errors.Join(err, o.err)
	}
	return err
}

// Accepted returns the hypothesis accepted by the sequential test: H0, H1, or
// "" if none.
func (t *Tournament) Accepted() string {
	if t.state.Verdict == nil {
		return ""
	}
	return t.state.Verdict.Accepted
}
