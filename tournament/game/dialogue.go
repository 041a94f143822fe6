package game

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
	"kumiko/tournament/process"
	"kumiko/tournament/telemetry"
)

const (
	// maxJunk is how many meaningless lines an engine may print while a move is
	// due.
	maxJunk = 32

	// maxIdle is how many unsolicited lines are consumed at once: an engine may
	// print faster than we read.
	maxIdle = 256
)

// A fault is what an engine did to lose the game at once.
type fault struct {
	reason    journal.Reason
	detail    string
	forbidden board.Forbidden // if a forbidden move is the reason
	text      string          // follows "opponent" in the reason; may be empty
	harness   error           // set if the engine is not at fault
}

func failed(reason journal.Reason, format string, args ...any) *fault {
	return &fault{reason: reason, detail: fmt.Sprintf(format, args...)}
}

// greet sends a command and waits for OK.
func (p *Player) greet(ctx context.Context, command string, limit time.Duration) *fault {
	r, f := p.send(command)
	if f != nil {
		return f
	}
	r.deadline = r.sent.Add(limit)
	for {
		line, ok, f := p.next(ctx, &r)
		if f != nil {
			return f
		}
		if !ok {
			p.kill()
			return failed(journal.StartTimeout, "did not answer %s within %s%s", command, show(limit), p.hint(&r))
		}
		switch word, _ := cutWord(line.Text); {
		case is(word, "OK"):
			return nil
		case is(word, "ERROR"), is(word, "UNKNOWN"):
			return failed(journal.StartError, "answered %s with %s", command, quote(line.Text))
		}
		r.said = line.Text
		p.notice(line.Text)
	}
}

// ask asks for a move and returns the answer and the time it took, from just
// before the lines are written to just after the answer is read. An answer
// after the engine's margin is a fault; if there is none by the end of its
// grace, the engine is killed. Only lines that accept takes are answers.
func (p *Player) ask(ctx context.Context, accept func(string) bool, lines []string) (answer string, took time.Duration, f *fault) {
	p.drain()
	p.stats.Reset()
	p.resume()
	limit := p.clock.limit()
	r, f := p.send(lines...)
	if f != nil {
		return "", 0, f
	}
	r.deadline = r.sent.Add(limit + p.engine.Margin + p.engine.Grace)
	for {
		line, ok, f := p.next(ctx, &r)
		if f != nil {
			return "", 0, f
		}
		if !ok {
			return "", 0, p.silent(limit, &r)
		}
		if accept(line.Text) {
			p.lag = max(p.lag, time.Since(line.At))
			took = line.At.Sub(r.sent)
			return line.Text, took, p.charge(limit, took)
		}
		if f := p.odd(line.Text, &r); f != nil {
			return "", 0, f
		}
	}
}

// charge deducts the time of a move from the clock.
func (p *Player) charge(limit, took time.Duration) *fault {
	p.clock.spend(took)
	if over := took - limit - p.engine.Margin; over > 0 {
		return failed(journal.TimeLoss, "took %s, %s more than %s and the margin of %s",
			show(took), show(over), show(limit), show(p.engine.Margin))
	}
	return nil
}

// A request is a command whose answer is due.
type request struct {
	sent     time.Time
	deadline time.Time // when to stop waiting
	said     string    // the last line that was no answer
	junk     int       // meaningless lines
}

// send sends lines.
func (p *Player) send(lines ...string) (r request, f *fault) {
	at, err := p.proc.Send(lines...)
	if err != nil {
		return r, p.gone(err)
	}
	return request{sent: at}, nil
}

// next returns the next line after a request that is not a remark. ok is false
// if there was none before the deadline.
func (p *Player) next(ctx context.Context, r *request) (line process.Line, ok bool, f *fault) {
	for {
		if ctx.Err() != nil {
			return line, false, &fault{harness: context.Cause(ctx)}
		}
		if err := p.proc.Flood(); err != nil {
			p.kill()
			return line, false, failed(journal.Flood, "printed %v", err)
		}
		line, ok, open := p.proc.Await(r.deadline)
		if !open {
			return line, false, p.gone(nil)
		}
		if !ok && time.Now().Before(r.deadline) {
			continue
		}
		if !ok || line.At.After(r.deadline) {
			return line, false, nil
		}
		text, chatter := remark(line.Text)
		switch {
		case line.At.Before(r.sent):
			p.notice(line.Text)
		case chatter:
			p.stats.Line(text)
		default:
			return line, true, nil
		}
	}
}

// drain consumes what the engine has printed unasked, so that it is not taken
// for an answer to the next request.
func (p *Player) drain() {
	for range maxIdle {
		line, ok, _ := p.proc.Await(time.Time{})
		if !ok {
			return
		}
		p.notice(line.Text)
	}
}

// notice handles a line that is not an answer.
func (p *Player) notice(line string) {
	switch _, chatter := remark(line); {
	case chatter:
	case isMove(line):
		p.stale++
	case p.isAbout(line):
		p.about = quote(line)
	}
}

// isAbout reports whether a line answers ABOUT, with words such as name="X".
func (p *Player) isAbout(line string) bool {
	return p.about == "" && strings.Contains(line, "=") && strings.Contains(strings.ToLower(line), "name")
}

// odd handles a line that is not an answer while one is due.
func (p *Player) odd(line string, r *request) *fault {
	word, rest := cutWord(line)
	switch {
	case is(word, "SUGGEST") && isMove(rest):
		if _, err := p.proc.Send("PLAY " + rest); err != nil {
			return p.gone(err)
		}
		return nil
	case p.isAbout(line):
		p.about = quote(line)
		return nil
	}
	r.said = line
	if is(word, "OK") || is(word, "UNKNOWN") || is(word, "ERROR") {
		return nil // perhaps a reply to an INFO
	}
	if r.junk++; r.junk >= maxJunk {
		return failed(journal.Garbage, "printed %d lines that are not moves, the last %s", r.junk, quote(line))
	}
	return nil
}

// silent returns the fault of an engine that has not answered at all.
func (p *Player) silent(limit time.Duration, r *request) *fault {
	p.kill()
	reason := journal.NoAnswer
	if r.junk > 0 {
		reason = journal.Garbage
	}
	return failed(reason, "no answer within %s, margin %s and grace %s%s",
		show(limit), show(p.engine.Margin), show(p.engine.Grace), p.hint(r))
}

// hint suggests why an engine that was killed did not answer.
func (p *Player) hint(r *request) string {
	if partial := p.proc.Partial(); partial != "" {
		return "; it printed " + quote(partial) + " without a line end"
	}
	if r.said != "" {
		return "; it said " + quote(r.said)
	}
	return ""
}

// gone returns the fault of an engine that has closed its output or, if err is
// not nil, its input.
func (p *Player) gone(err error) *fault {
	defer p.kill()
	if errors.Is(err, process.ErrStuck) {
		return failed(journal.NoAnswer, "does not read what it is sent")
	}
	select {
	case <-p.proc.Done():
	case <-time.After(endGrace):
		if err != nil {
			return failed(journal.Crash, "closed its input")
		}
		return failed(journal.Crash, "closed its output")
	}
	exit := p.proc.Exit()
	if exit.OOM {
		return p.overLimit(max(p.peak, p.engine.Memory))
	}
	detail := exit.String()
	if partial := p.proc.Partial(); partial != "" {
		detail += fmt.Sprintf(" (partial line %s)", quote(partial))
	}
	return failed(journal.Crash, "%s", detail)
}

// remarks returns what the engine said about its move, or nil.
func (p *Player) remarks() *telemetry.Info {
	if info := p.stats.Info(); info != (telemetry.Info{}) {
		told := info // on the heap only then
		return &told
	}
	return nil
}

// evaluation returns the score the engine reported with its last move.
func (p *Player) evaluation() (score int, ok bool) {
	v, ok := p.stats.Info().Evaluation()
	const most = 1 << 30 // a forced win or loss
	return int(max(-most, min(v, most))), ok
}
