package fakeengine

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// do performs a sequence of actions.
func (e *engine) do(actions string) {
	if actions == "" {
		return
	}
	for action := range strings.SplitSeq(actions, "&") {
		name, arg, _ := strings.Cut(action, ":")
		if act := e.action(name); act != nil {
			act(arg)
		} else {
			e.say(action)
		}
	}
}

// action returns an action by name, or nil for a line to print.
func (e *engine) action(name string) func(arg string) {
	switch name {
	case "move":
		return func(string) { e.move() }
	case "line":
		return func(arg string) { e.say(unquote(arg)) }
	case "print":
		return func(arg string) { e.print(unquote(arg)) }
	case "fill":
		return func(arg string) { e.print(strings.Repeat("x", number(arg))) }
	case "stderr":
		return func(arg string) { fmt.Fprint(os.Stderr, unquote(arg)) }
	case "flood":
		return func(arg string) { flood(os.Stdout, arg) }
	case "flood-stderr":
		return func(arg string) { flood(os.Stderr, arg) }
	case "count-stderr":
		return countStderr
	case "echo":
		return func(string) { e.say(e.line) }
	case "sleep":
		return sleep
	case "stall":
		return func(string) { forever() }
	case "burn":
		return func(string) { go burn() }
	case "alloc":
		return e.alloc
	case "touch":
		return touch
	case "slow-reader":
		return e.slowReader
	case "read-all":
		return e.readAll
	case "env":
		return func(name string) { e.say(os.Getenv(name)) }
	case "dir":
		return func(string) { dir, err := os.Getwd(); e.say(fmt.Sprint(dir, " ", err)) }
	case "processors":
		return func(string) { e.say(strconv.Itoa(processors())) }
	}
	return ending(name, e.on["child"])
}

// ending returns an action that ends something or starts a child, which does
// something when launched.
func ending(name, child string) func(arg string) {
	switch name {
	case "exit":
		return func(arg string) { os.Exit(number(arg)) }
	case "panic":
		return func(string) { panic("out of ideas") }
	case "segv":
		return func(string) { panic(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, os.Environ())) }
	case "close-stdin":
		return func(string) { os.Stdin.Close() }
	case "close-stdout":
		return func(string) { os.Stdout.Close() }
	case "ignore-term":
		return func(string) { signal.Ignore(syscall.SIGTERM, os.Interrupt) }
	case "fork":
		return func(program string) { startChild(program, child, nil) }
	case "daemon":
		return func(program string) { startChild(program, child, apart()) }
	case "orphan":
		return func(string) { orphan() }
	}
	return nil
}

// say prints a line, which may be a move.
func (e *engine) say(line string) {
	if p, ok := readPoint(line); ok {
		e.put(p, 1)
	}
	e.print(line + unquote(e.on["eol"]))
}

// print prints with a single system call.
func (e *engine) print(text string) {
	e.out.WriteString(text)
	if !e.has("no flush") {
		e.out.Flush()
	}
}

func unquote(s string) string {
	text, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		panic(err)
	}
	return text
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// flood prints N:TEXT.
func flood(w io.Writer, arg string) {
	n, text, _ := strings.Cut(arg, ":")
	line := []byte(unquote(text) + "\n")
	for left := number(n); left > 0; {
		k := min(left, 4096)
		if _, err := w.Write(bytes.Repeat(line, k)); err != nil {
			return
		}
		left -= k
	}
}

func countStderr(n string) {
	w := bufio.NewWriter(os.Stderr)
	for i := range number(n) {
		fmt.Fprintf(w, "line %010d\n", i)
	}
	w.Flush()
}

func sleep(d string) {
	duration, err := time.ParseDuration(d)
	if err != nil {
		panic(err)
	}
	time.Sleep(duration)
}

func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func burn() {
	for {
		runtime.Gosched()
	}
}

func (e *engine) alloc(mib string) {
	b := make([]byte, number(mib)<<20)
	for i := 0; i < len(b); i += 1024 {
		b[i] = 1
	}
	e.hoard = append(e.hoard, b)
}

func touch(file string) {
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		panic(err)
	}
}

// slowReader reads byte by byte and prints the number of bytes read after each
// line.
func (e *engine) slowReader(string) {
	var b [1]byte
	for n := 1; ; n++ {
		if _, err := os.Stdin.Read(b[:]); err != nil {
			return
		}
		if b[0] == '\n' {
			e.say(strconv.Itoa(n))
		}
	}
}

func (e *engine) readAll(string) {
	b, err := io.ReadAll(os.Stdin)
	e.say(fmt.Sprintf("%q %v", b, err))
}

// startChild starts this program, or a copy of it, as an engine that holds our
// pipes and never ends.
func startChild(program, does string, attr *syscall.SysProcAttr) {
	if program == "" {
		program = os.Args[0]
	}
	child := exec.Command(program, argument, "launch="+does+"&stall")
	child.Stdin, child.Stdout, child.Stderr, child.SysProcAttr = os.Stdin, os.Stdout, os.Stderr, attr
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// orphan starts an engine that starts a daemon and exits.
func orphan() {
	parent := exec.Command(os.Args[0], argument, "launch=daemon&exit:0")
	parent.Stdout = os.Stdout
	if err := parent.Run(); err != nil {
		panic(err)
	}
}
