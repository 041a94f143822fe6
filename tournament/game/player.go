package game

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/process"
	"kumiko/tournament/telemetry"
)

const (
	// restartLimit is how long an engine may take to answer RESTART before it
	// gets a new process instead.
	restartLimit = 5 * time.Second

	// endGrace is how long an engine may take to go after END: Gomocup's judge
	// gives half a second, others a whole one.
	endGrace = time.Second

	// maxGarbage is how many lines that mean nothing an engine may print while
	// a move is due.
	maxGarbage = 32

	// memoryInterval is the shortest time between two looks at an engine's
	// memory, which takes the kernel about a millisecond in 350 MiB.
	memoryInterval = 100 * time.Millisecond
)

// A Player is an engine that plays one game after the other, in one process
// where that does. It is not safe for use by several goroutines.
type Player struct {
	engine config.Engine
	cpus   []int
	memory config.MemoryLimit

	proc   *process.Process // nil before the first game and after a failure
	about  string           // what the engine said to ABOUT
	stats  *telemetry.Parser
	timer  *time.Timer
	looked time.Time // at its memory

	// Of the current game:
	placed  bool // it knows of a position
	clock   clock
	stale   int
	peak    int64 // bytes
	lag     time.Duration
	started time.Duration // to get ready
	remarks string        // the last line that meant nothing, while a move was due
}

// NewPlayer returns a player. Its process may use only cpus, if there are any.
func NewPlayer(e config.Engine, memory config.MemoryLimit, cpus []int) (*Player, error) {
	stats := new(telemetry.Parser)
	if e.Stats != "" {
		var err error
		if stats, err = telemetry.NewRegexp(e.Stats); err != nil {
			return nil, fmt.Errorf("engine %s: stats: %w", e.Name, err)
		}
	}
	return &Player{engine: e, cpus: cpus, memory: memory, stats: stats, timer: time.NewTimer(time.Hour)}, nil
}

// About is what the engine answered to ABOUT, or "".
func (p *Player) About() string { return p.about }

// Close ends the engine's process, if it has one. It reports whether it did not
// go by itself, or left processes behind; all are gone now.
func (p *Player) Close() (dirty bool) {
	if p.proc != nil {
		dirty = p.proc.Stop("END", endGrace)
		p.proc = nil
	}
	return dirty
}

// Transcript returns the last part of what was said to the engine, by it and
// on its standard error.
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

// A fault is what an engine did that loses the game at once.
type fault struct {
	reason journal.Reason
	detail string
	system error // set if it was not the engine
}

func failed(reason journal.Reason, format string, args ...any) *fault {
	return &fault{reason: reason, detail: fmt.Sprintf(format, args...)}
}

// prepare gets the engine ready for a game.
func (p *Player) prepare(ctx context.Context, t *Settings) *fault {
	p.placed, p.stale, p.peak, p.lag, p.remarks = false, 0, 0, 0, ""
	p.clock = newClock(p.engine.TC)
	begin := time.Now()
	defer func() { p.started = time.Since(begin) }()
	if p.alive() && p.engine.Restart != config.RestartAlways {
		p.proc.Resume()
		p.drain()
		p.stale = 0 // those were of the last game
		f := p.greet(ctx, "RESTART", min(restartLimit, p.engine.Start))
		if f == nil || p.engine.Restart == config.RestartNever || ctx.Err() != nil {
			return f
		}
	}
	p.Close()
	if f := p.spawn(); f != nil {
		return f
	}
	start := fmt.Sprintf("START %d", t.Width)
	if t.Width != t.Height {
		start = fmt.Sprintf("RECTSTART %d,%d", t.Width, t.Height)
	}
	f := p.greet(ctx, start, p.engine.Start)
	if f == nil && p.about == "" {
		p.proc.Send("ABOUT") // the answer is heard when it comes, if ever
	}
	return f
}

// alive reports whether there is a process that has not ended.
func (p *Player) alive() bool {
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

// spawn starts the process.
func (p *Player) spawn() *fault {
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
	proc, err := process.Start(spec)
	if err != nil {
		f := failed(journal.StartExec, "%v", err)
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOEXEC) {
			f.system = err // too many processes or files, or the like
		}
		return f
	}
	p.proc = proc
	return nil
}

// greet sends a command and waits for OK.
func (p *Player) greet(ctx context.Context, command string, limit time.Duration) *fault {
	sent, err := p.proc.Send(command)
	if err != nil {
		return p.gone(err)
	}
	timeout := p.after(sent, limit)
	for {
		line, f := p.next(ctx, timeout)
		switch {
		case f != nil && f.reason == journal.NoAnswer:
			f = failed(journal.StartTimeout, "did not answer %s within %v%s", command, limit, p.hint())
			p.kill()
			return f
		case f != nil:
			return f
		}
		switch word, _ := cutWord(line.Text); {
		case strings.EqualFold(line.Text, "OK"):
			return nil
		case strings.EqualFold(word, "ERROR"), strings.EqualFold(word, "UNKNOWN"):
			return failed(journal.StartError, "answered %s with %s", command, quote(line.Text))
		}
		p.notice(line.Text)
	}
}

// after returns a channel that fires some time after a moment.
func (p *Player) after(since time.Time, d time.Duration) <-chan time.Time {
	p.timer.Reset(time.Until(since.Add(d)))
	return p.timer.C
}

// next returns the next line that is no remark of the engine's. The fault is
// NoAnswer if the time is up.
func (p *Player) next(ctx context.Context, timeout <-chan time.Time) (process.Line, *fault) {
	for {
		select {
		case line, ok := <-p.proc.Lines():
			if !ok {
				return line, p.gone(nil)
			}
			if text, ok := remark(line.Text); ok {
				p.stats.Line(text)
				continue
			}
			if lag := time.Since(line.At); lag > p.lag {
				p.lag = lag
			}
			return line, nil
		case <-timeout:
			return process.Line{}, failed(journal.NoAnswer, "no answer")
		case <-ctx.Done():
			return process.Line{}, &fault{system: context.Cause(ctx)}
		}
	}
}

// drain takes in what the engine has printed without being asked.
func (p *Player) drain() {
	for {
		select {
		case line, ok := <-p.proc.Lines():
			if !ok {
				return
			}
			if text, ok := remark(line.Text); ok {
				p.stats.Line(text)
			} else {
				p.notice(line.Text)
			}
		default:
			return
		}
	}
}

// notice takes in a line that is no answer.
func (p *Player) notice(line string) {
	switch {
	case moveRE.MatchString(line):
		p.stale++
	case p.about == "" && strings.Contains(line, "="):
		p.about = quote(line)
	}
}

// ask sends lines and returns the answer to them, with the time that it took:
// from the moment before they were written to that after the answer was read.
// An answer after the engine's margin is a fault; the engine is killed if
// there is none when its grace is over, too. Only lines that accept takes are
// answers.
func (p *Player) ask(ctx context.Context, accept func(string) bool, lines ...string) (answer string, took time.Duration, f *fault) {
	p.drain()
	p.stats.Reset()
	p.remarks = ""
	limit := p.clock.limit()
	p.proc.Resume()
	sent, err := p.proc.Send(lines...)
	if err != nil {
		return "", 0, p.gone(err)
	}
	timeout := p.after(sent, limit+p.engine.Margin+p.engine.Grace)
	for garbage := 0; ; {
		line, f := p.next(ctx, timeout)
		switch {
		case f != nil && f.reason == journal.NoAnswer:
			return "", time.Since(sent), p.silent(limit)
		case f != nil:
			return "", 0, f
		case accept(line.Text):
			took = line.At.Sub(sent)
			p.clock.spend(took)
			if took > limit+p.engine.Margin {
				return "", took, failed(journal.TimeLoss, "took %s, %s more than %s and the margin of %s",
					show(took), show(took-limit-p.engine.Margin), show(limit), show(p.engine.Margin))
			}
			return line.Text, took, nil
		}
		if f := p.odd(line.Text, &garbage); f != nil {
			return "", 0, f
		}
	}
}

// odd deals with a line that is no answer while one is due.
func (p *Player) odd(line string, garbage *int) *fault {
	word, rest := cutWord(line)
	switch {
	case strings.EqualFold(word, "SUGGEST"):
		if _, err := p.proc.Send("PLAY " + rest); err != nil {
			return p.gone(err)
		}
		return nil
	case strings.EqualFold(word, "OK"):
		return nil
	case p.about == "" && strings.Contains(line, `="`):
		p.notice(line)
		return nil
	case strings.EqualFold(word, "UNKNOWN"), strings.EqualFold(word, "ERROR"):
		p.remarks = line // perhaps about an INFO that it does not know
		return nil
	}
	p.remarks = line
	if *garbage++; *garbage >= maxGarbage {
		return failed(journal.Garbage, "printed %d lines that are no move, the last %s", *garbage, quote(line))
	}
	return nil
}

// silent is the fault of an engine that has not answered at all.
func (p *Player) silent(limit time.Duration) *fault {
	f := failed(journal.NoAnswer, "no answer within %s, margin %s and grace %s%s",
		show(limit), show(p.engine.Margin), show(p.engine.Grace), p.hint())
	if word, _ := cutWord(p.remarks); p.remarks != "" && !strings.EqualFold(word, "UNKNOWN") && !strings.EqualFold(word, "ERROR") {
		f.reason = journal.Garbage
	}
	p.kill()
	return f
}

// hint says what may have been wrong with an engine that did not answer.
func (p *Player) hint() string {
	if p.remarks != "" {
		return "; it said " + quote(p.remarks)
	}
	if partial := p.proc.Partial(); partial != "" {
		return "; it printed " + quote(partial) + " without a line end"
	}
	return ""
}

// gone is the fault of an engine that prints no more lines or reads none.
func (p *Player) gone(err error) *fault {
	defer p.kill()
	if flood := p.proc.Flood(); flood != nil {
		return failed(journal.Flood, "%v", flood)
	}
	if errors.Is(err, process.ErrStuck) {
		return failed(journal.NoAnswer, "does not read what it is sent")
	}
	select {
	case <-p.proc.Done():
	case <-time.After(endGrace):
		return failed(journal.Crash, "closed its output")
	}
	exit := p.proc.Exit()
	reason := journal.Crash
	if exit.OOM {
		reason = journal.MemoryLoss
	}
	detail := exit.String()
	if partial := p.proc.Partial(); partial != "" {
		detail += fmt.Sprintf(" (partial line %s)", quote(partial))
	}
	return failed(reason, "%s", detail)
}

// kill ends the process; Transcript still knows what was said.
func (p *Player) kill() { p.proc.Kill() }

// rest is called when the engine has moved.
func (p *Player) rest(suspend bool) *fault {
	if suspend {
		p.proc.Suspend()
	}
	if now := time.Now(); now.Sub(p.looked) >= memoryInterval {
		p.looked = now
		return p.lookAtMemory()
	}
	return nil
}

// lookAtMemory notes how much memory the engine uses, and whether that is too
// much.
func (p *Player) lookAtMemory() *fault {
	if p.memory != config.MemoryPoll && p.memory != config.MemoryEnforce {
		return nil
	}
	used, ok := p.proc.Memory()
	if !ok {
		return nil
	}
	p.peak = max(p.peak, used)
	if limit := p.engine.Memory; limit > 0 && used > limit {
		return failed(journal.MemoryLoss, "uses %d MiB of %d", used>>20, limit>>20)
	}
	return nil
}

// A clock is that of one engine in one game.
type clock struct {
	tc   config.TC
	left time.Duration
}

func newClock(tc config.TC) clock { return clock{tc, tc.Match} }

// unlimited is what an engine without a limit of time gets for a move, so that
// one that hangs does not hang the tournament.
const unlimited = 10 * time.Minute

// limit is how long the next move may take.
func (c *clock) limit() time.Duration {
	limit := unlimited
	if c.tc.Turn > 0 {
		limit = c.tc.Turn
	}
	if c.tc.Match > 0 {
		if c.tc.Turn == 0 {
			limit = c.left
		}
		limit = min(limit, c.left)
	}
	return max(limit, 0)
}

// spend takes the time of a move off the clock, and then adds the increment.
func (c *clock) spend(d time.Duration) { c.left += c.tc.Inc - min(d, c.left) }

// timeLeft is the value of INFO time_left.
func (c *clock) timeLeft() int64 {
	if c.tc.Match == 0 {
		return 1<<31 - 1
	}
	return c.left.Milliseconds()
}

// moveRE is how engines write moves. Blanks are allowed, as most managers
// allow them; signs make moves that are off the board.
var moveRE = regexp.MustCompile(`^\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*$`)

// parseMove reads a move. It may be off the board, as NoMove is.
func parseMove(s string) (m board.Move, ok bool) {
	xy := moveRE.FindStringSubmatch(s)
	if xy == nil {
		return board.NoMove, false
	}
	x, _ := strconv.Atoi(xy[1])
	y, _ := strconv.Atoi(xy[2])
	if x < 0 || y < 0 || x >= board.MaxSize || y >= board.MaxSize {
		return board.NoMove, true
	}
	return board.Pt(x, y), true
}

// remark reports whether a line is for people, and what it says.
func remark(line string) (text string, ok bool) {
	word, rest := cutWord(line)
	return rest, strings.EqualFold(word, "MESSAGE") || strings.EqualFold(word, "DEBUG")
}

// cutWord takes the first word off a line.
func cutWord(line string) (word, rest string) {
	line = strings.TrimLeft(line, " \t")
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

// quote makes what an engine printed fit for records and terminals.
func quote(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.QuoteToASCII(s)
}

// show writes a time in milliseconds.
func show(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64) + " ms"
}
