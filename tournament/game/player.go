package game

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/process"
	"kumiko/tournament/telemetry"
)

const (
	// restartLimit is how long an engine may take to answer RESTART before its
	// process is replaced.
	restartLimit = 5 * time.Second

	// endGrace is how long an engine may take to exit after END: Gomocup allows
	// half a second, other managers one second.
	endGrace = time.Second

	// memoryInterval is the minimum time between two measurements of an
	// engine's memory; each takes the kernel about a millisecond for 350 MiB.
	memoryInterval = 100 * time.Millisecond
)

// A Player is an engine that plays one game after another with the same
// settings, in one process if possible. It is not safe for concurrent use.
type Player struct {
	engine config.Engine
	cpus   []int
	memory config.MemoryLimit
	stats  *telemetry.Parser

	proc      *process.Process // nil before the first game
	failed    bool             // and has been killed for it
	suspended bool
	looked    time.Time // last look at its memory
	about     string    // the answer to ABOUT
	renew     bool      // RESTART does not work
	dirty     bool      // what Close reports

	current // game
}

// A current is the state of a player in the current game.
type current struct {
	clock   clock
	suspend bool // while the opponent is to move
	placed  bool // the engine has been given a position
	stale   int
	peak    int64 // bytes
	lag     time.Duration
	started time.Duration // time to get ready
}

// NewPlayer returns a player whose process is bound to cpus, if any.
func NewPlayer(e config.Engine, memory config.MemoryLimit, cpus []int) (*Player, error) {
	stats := new(telemetry.Parser)
	if e.Stats != "" {
		var err error
		if stats, err = telemetry.NewRegexp(e.Stats); err != nil {
			return nil, fmt.Errorf("engine %s: stats: %w", e.Name, err)
		}
	}
	return &Player{engine: e, cpus: cpus, memory: memory, stats: stats}, nil
}

// About returns the engine's answer to ABOUT as a Go string, or "".
func (p *Player) About() string { return p.about }

// Close ends the engine's process, if any, and all it started. It reports
// whether, since the last Close, a process did not exit by itself at the end of
// its last game or left others behind.
func (p *Player) Close() (dirty bool) {
	p.stop()
	dirty, p.dirty = p.dirty, false
	return dirty
}

// stop ends the process, if any.
func (p *Player) stop() {
	if p.proc == nil {
		return
	}
	if p.proc.Stop("END", endGrace) && !p.failed {
		p.dirty = true
	}
	p.proc, p.failed, p.suspended = nil, false, false
}

// kill ends a process that has failed and all it started. Its output is kept.
func (p *Player) kill() {
	p.proc.Stop("", 0)
	p.failed = true
}

// Transcript returns the end of the dialogue with the engine and of its
// standard error.
func (p *Player) Transcript() []byte {
	if p.proc == nil {
		return nil
	}
	text := slices.Concat([]byte("== "+p.engine.Name+"\n"), p.proc.Transcript())
	if stderr := p.proc.Stderr(); len(stderr) > 0 {
		text = slices.Concat(text, []byte("== "+p.engine.Name+", standard error\n"), stderr, []byte("\n"))
	}
	return text
}

// prepare gets the engine ready for a game.
func (p *Player) prepare(ctx context.Context, s *Settings) *fault {
	p.current = current{clock: newClock(p.engine.TC), suspend: s.Suspend}
	begin := time.Now()
	f := p.ready(ctx, s)
	p.started = time.Since(begin)
	if f != nil {
		return f
	}
	if _, err := p.proc.Send(p.infos(s)...); err != nil {
		return p.gone(err)
	}
	p.yield()
	return nil
}

// ready restarts or starts the engine.
func (p *Player) ready(ctx context.Context, s *Settings) *fault {
	if p.running() && !p.renew && p.engine.Restart != config.RestartAlways {
		p.resume()
		p.drain()
		f := p.greet(ctx, "RESTART", min(restartLimit, p.engine.Start))
		if f == nil || f.harness != nil || p.engine.Restart == config.RestartNever {
			return f
		}
		p.renew = true
	}
	p.stop()
	if f := p.spawn(); f != nil {
		return f
	}
	start := fmt.Sprintf("START %d", s.Width)
	if s.Width != s.Height {
		start = fmt.Sprintf("RECTSTART %d,%d", s.Width, s.Height)
	}
	if f := p.greet(ctx, start, p.engine.Start); f != nil {
		return f
	}
	if p.about == "" {
		if _, err := p.proc.Send("ABOUT"); err != nil { // the answer is read whenever it comes
			return p.gone(err)
		}
	}
	return nil
}

// running reports whether there is a process that can play another game.
func (p *Player) running() bool {
	if p.proc == nil {
		return false
	}
	select {
	case <-p.proc.Done():
		return false
	default:
		return true
	}
}

// Check reports what would keep the engine from starting, and as unlimited why
// the system does not enforce a memory limit it should enforce.
func (p *Player) Check() (unlimited, err error) {
	unlimited, err = process.Check(p.spec())
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", p.engine.Name, err)
	}
	return unlimited, nil
}

// spec returns how to start the process.
func (p *Player) spec() process.Spec {
	spec := process.Spec{
		Args: p.engine.Args, Dir: p.engine.Dir, CPUs: p.cpus, Stderr: p.engine.Stderr, CRLF: p.engine.CRLF,
	}
	for k, v := range p.engine.Env {
		spec.Env = append(spec.Env, k+"="+v)
	}
	slices.Sort(spec.Env)
	if p.memory == config.MemoryEnforce {
		spec.Memory = p.engine.Memory
	}
	return spec
}

// spawn starts the process.
func (p *Player) spawn() *fault {
	proc, err := process.Start(p.spec())
	if err != nil {
		f := failed(journal.StartExec, "%v", err)
		if !isOfProgram(err) {
			f.harness = err // too many processes or files, for example
		}
		return f
	}
	p.proc = proc
	return nil
}

// isOfProgram reports whether an error from starting a program is the program's
// fault.
func isOfProgram(err error) bool {
	return slices.ContainsFunc([]error{
		fs.ErrNotExist, fs.ErrPermission, syscall.ENOEXEC, syscall.EISDIR, syscall.ENOTDIR,
	}, func(e error) bool { return errors.Is(err, e) })
}

// infos returns the INFO lines an engine needs before its first move.
func (p *Player) infos(s *Settings) []string {
	e := &p.engine
	var lines []string
	add := func(key string, value int64) { lines = append(lines, fmt.Sprintf("INFO %s %d", key, value)) }
	if e.TC.Turn > 0 {
		add("timeout_turn", e.TC.Turn.Milliseconds())
	}
	add("timeout_match", e.TC.Match.Milliseconds())
	if p.memory != config.MemoryOff {
		add("max_memory", e.Memory)
	}
	add("game_type", 1)
	add("rule", int64(s.Rule.Code()))
	if e.Threads > 0 {
		add("thread_num", int64(e.Threads))
	}
	if e.Depth > 0 {
		add("max_depth", int64(e.Depth))
	}
	if e.Nodes > 0 {
		add("max_node", e.Nodes)
	}
	return append(lines, e.InfoLines()...)
}

// yield suspends the engine while the opponent is to move.
func (p *Player) yield() {
	if p.suspend {
		p.proc.Suspend()
		p.suspended = true
	}
}

// resume undoes yield.
func (p *Player) resume() {
	if p.suspended {
		p.proc.Resume()
		p.suspended = false
	}
}

// rest is called after the engine's move.
func (p *Player) rest() *fault {
	p.yield()
	if now := time.Now(); now.Sub(p.looked) >= memoryInterval {
		p.looked = now
		return p.lookAtMemory()
	}
	return nil
}

// overLimit returns the fault of an engine that was killed for using that many
// bytes of memory.
func (p *Player) overLimit(used int64) *fault {
	const mib = 1 << 20
	limit, digits := p.engine.Memory, 0
	if used/mib == limit/mib && used > limit {
		digits = 1
	}
	amounts := fmt.Sprintf("%.*f of %d MiB", digits, float64(used)/mib, limit/mib)
	f := failed(journal.MemoryLoss, "used %s of memory: memory=SIZE sets another limit, --memory-limit announce enforces none", amounts)
	f.text = fmt.Sprintf("over its memory limit (%s), ended by the tournament", amounts)
	return f
}

// lookAtMemory records the engine's memory use and returns a fault if it is
// over the limit.
func (p *Player) lookAtMemory() *fault {
	used, ok := p.proc.Memory()
	if !ok {
		return nil
	}
	p.peak = max(p.peak, used)
	if p.engine.Enforces(p.memory) && used > p.engine.Memory {
		p.kill()
		return p.overLimit(used)
	}
	return nil
}
