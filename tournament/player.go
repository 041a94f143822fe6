package tournament

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// endGrace is how long an engine may take to exit after END; what it has
	// started itself and left behind may keep its output open as long again.
	endGrace = time.Second

	// maxLine bounds the length of an engine's lines and maxLines the number
	// of those that wait to be read. More end the game: nobody asked.
	maxLine  = 1 << 16
	maxLines = 64
)

// A player is an engine in a process of its own.
type player struct {
	stdin io.WriteCloser
	lines chan string // replies; closed once the process is gone
	kill  func()      // ends the process and what it has started

	message atomic.Pointer[string] // the last MESSAGE since the last request
	partial []byte                 // of a line; see Write
	stderr  tail

	// Once lines is closed: how the process ended, and what it printed that
	// we ended it for.
	err, flaw error

	placed bool // the engine has been told of a position
}

// start runs an engine until close, or else until ctx is done.
func start(ctx context.Context, command []string) (*player, error) {
	ctx, kill := context.WithCancel(ctx)
	p := &player{lines: make(chan string, maxLines), kill: kill}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	separate(cmd)
	cmd.Cancel = func() error { return killAll(cmd) }
	cmd.WaitDelay = endGrace
	cmd.Stdout = p
	cmd.Stderr = &p.stderr
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		kill()
		return nil, err
	}
	p.stdin = stdin
	go func() {
		p.err = cmd.Wait()
		killAll(cmd) // nothing, unless the engine has left others behind
		kill()
		close(p.lines)
	}()
	return p, nil
}

// close ends the process, by force if it does not go by itself, and returns
// when it is gone.
func (p *player) close() {
	defer time.AfterFunc(endGrace, p.kill).Stop()
	io.WriteString(p.stdin, "END\n")
	p.stdin.Close()
	for range p.lines {
	}
}

// ask sends lines and returns the reply to the last of them and the time that
// it took. An engine that does not answer within the limit is killed.
func (p *player) ask(limit time.Duration, lines ...string) (reply string, took time.Duration, f *fault) {
	select {
	case reply, ok := <-p.lines:
		if ok {
			return "", 0, &fault{illegal, fmt.Sprintf("said %s without being asked", quote(reply))}
		}
		return "", 0, p.crash()
	default:
	}
	p.message.Store(nil)

	// The watchdog unblocks everything: the process dies, a write to it fails
	// and lines is closed. That the write failed makes no difference here.
	asked := time.Now()
	defer time.AfterFunc(limit, p.kill).Stop()
	io.WriteString(p.stdin, strings.Join(lines, "\n")+"\n")
	sent := time.Now()
	reply, ok := <-p.lines
	took = time.Since(sent)
	switch {
	case ok && took <= limit:
		return reply, took, nil
	case time.Since(asked) >= limit:
		return "", took, &fault{late, fmt.Sprintf("did not answer within %v", limit)}
	}
	return "", took, p.crash()
}

// crash returns the fault of a process that is gone.
func (p *player) crash() *fault {
	if p.flaw != nil {
		return &fault{illegal, "printed " + p.flaw.Error()}
	}
	text := "exited"
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		text = "ended with " + exit.Error()
	} else if p.err != nil && !errors.Is(p.err, exec.ErrWaitDelay) {
		text = "was stopped: " + p.err.Error()
	}
	if last := p.stderr.line(); last != "" {
		text += ", " + quote(last)
	}
	return &fault{crashed, text}
}

// Write takes apart what the engine prints. It never waits for anybody: an
// engine may say what it likes between its moves. An error ends the engine.
func (p *player) Write(data []byte) (int, error) {
	for rest := data; p.flaw == nil; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		p.partial = append(p.partial, line...)
		if len(p.partial) > maxLine {
			p.flaw = fmt.Errorf("a line of more than %d bytes", maxLine)
		} else if ended {
			p.flaw = p.line(strings.TrimSpace(string(p.partial)))
			p.partial, rest = p.partial[:0], after
		} else {
			return len(data), nil
		}
	}
	p.kill()
	return 0, p.flaw
}

// line takes in a line that the engine has printed.
func (p *player) line(s string) error {
	word, text, _ := strings.Cut(s, " ")
	switch {
	case word == "", strings.EqualFold(word, "DEBUG"):
	case strings.EqualFold(word, "MESSAGE"):
		text = printable(text)
		p.message.Store(&text)
	default:
		select {
		case p.lines <- s:
		default:
			return fmt.Errorf("more than %d lines that nobody asked for", maxLines)
		}
	}
	return nil
}

// said returns what the engine had to say about its last reply.
func (p *player) said() string {
	if text := p.message.Load(); text != nil {
		return *text
	}
	return ""
}

// printable makes what an engine wrote fit for one line of a terminal.
func printable(s string) string {
	const most = 78
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.TrimSpace(s))
	if len(s) > most {
		s = s[:most-3] + "..."
	}
	return s
}

// quote is printable between quotation marks.
func quote(s string) string { return `"` + printable(s) + `"` }

// A tail keeps the end of what was written to it.
type tail struct {
	end []byte
}

func (t *tail) Write(data []byte) (int, error) {
	const most = 4096
	t.end = append(t.end, data...)
	if extra := len(t.end) - most; extra > 0 {
		t.end = append(t.end[:0], t.end[extra:]...)
	}
	return len(data), nil
}

// line returns the line that tells most: the one where a panic begins, or
// else the last.
func (t *tail) line() string {
	text := strings.TrimSpace(string(t.end))
	if i := strings.LastIndex("\n"+text, "\npanic: "); i >= 0 {
		text, _, _ = strings.Cut(text[i:], "\n")
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}
