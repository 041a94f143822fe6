package game

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain makes the test binary an engine if it is told to be one. Never
// start it as an engine without arguments: it would test itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "fake" {
		newFake(os.Args[2:]).run()
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every engine takes a second to exit
	flag.Parse()
	flag.Set("test.parallel", "16") // they mostly wait
	code := m.Run()
	if err := goleak.Find(goleak.IgnoreTopFunction("kumiko/tournament/process.(*spawner).run")); err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// A fake is an engine that does what its arguments say, for instance
//
//	about= start='sleep:1s&line:OK' 7,7 'sleep:50ms&move' exit:3
//
// Those with a = say what it does at an event: launch, start, restart, info,
// about or end. The others are what it does, one after the other and in each
// game from the beginning, when it is to move; after that it always does
// move. What is to be done is a sequence of actions with & between them:
//
//	7,7         prints that line
//	move        prints the first empty point, row by row; with seed=N an
//	            empty point at random, and now and then something else
//	line:TEXT   prints a line; TEXT is a Go string
//	print:TEXT  prints without a line end, fill:N so many signs
//	flood:N:TEXT  prints a line so often, flood-stderr:N:TEXT there
//	sleep:D, stall, burn (use the processor from now on), alloc:MIB
//	touch:FILE (make it)
//	exit:N, segv, close-stdin, close-stdout
//	fork, daemon (leave a child behind, in this session or its own)
//
// With eol=TEXT its lines end so.
type fake struct {
	on            map[string]string // event: actions
	script        []string          // of each game
	replies       []string          // that are left of it
	width, height int
	taken         map[[2]int]bool
	block         string // the command whose block is being read
	fields        [3]int // stones in it, by field
	random        *rand.Rand
	out           *bufio.Writer
	hoard         [][]byte
}

// fakeArgs returns how to run a fake.
func fakeArgs(t testing.TB, words ...string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{self, "fake"}, words...)
}

func newFake(words []string) *fake {
	f := &fake{
		on: map[string]string{
			"start": "line:OK", "restart": "line:OK", "about": `line:name=\"Fake\", version=\"1\"`, "end": "exit:0", "eol": `\n`,
		},
		out: bufio.NewWriterSize(os.Stdout, 1<<16),
	}
	for _, w := range words {
		if w == "child" {
			forever()
		}
		event, do, found := strings.Cut(w, "=")
		if found && !strings.Contains(event, ":") {
			f.on[event] = do
		} else {
			f.script = append(f.script, w)
		}
	}
	if seed, err := strconv.ParseUint(f.on["seed"], 10, 64); err == nil {
		f.random = rand.New(rand.NewPCG(seed, 0))
	}
	return f
}

func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// run obeys until the input ends.
func (f *fake) run() {
	f.do(f.on["launch"])
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		f.obey(strings.TrimRight(line, "\r\n"))
	}
}

func (f *fake) obey(line string) {
	word, args, _ := strings.Cut(line, " ")
	switch {
	case f.block != "" && word == "DONE":
		f.done()
	case f.block != "":
		f.stone(line)
	case word == "START":
		f.start(args, args)
		f.do(f.on["start"])
	case word == "RECTSTART":
		width, height, _ := strings.Cut(args, ",")
		f.start(width, height)
		f.do(f.on["start"])
	case word == "RESTART":
		f.start(strconv.Itoa(f.width), strconv.Itoa(f.height))
		f.do(f.on["restart"])
	case word == "BOARD", word == "SWAP2BOARD":
		f.block, f.fields, f.taken = word, [3]int{}, map[[2]int]bool{}
	case word == "BEGIN":
		f.reply()
	case word == "TURN":
		f.take(args)
		f.reply()
	case word == "PLAY":
		f.say(args)
	case word == "INFO", word == "ABOUT", word == "END":
		f.do(f.on[strings.ToLower(word)])
	default:
		f.die("unknown command " + line)
	}
}

// die ends a fake whose manager does not keep to the protocol.
func (f *fake) die(why string) {
	fmt.Fprintln(os.Stderr, "fake:", why)
	os.Exit(99)
}

func (f *fake) start(width, height string) {
	var errW, errH error
	f.width, errW = strconv.Atoi(width)
	f.height, errH = strconv.Atoi(height)
	if errW != nil || errH != nil {
		f.die("size " + width + "x" + height)
	}
	f.taken = map[[2]int]bool{}
	f.replies = f.script
}

// take notes a stone, which must be new and on the board.
func (f *fake) take(text string) {
	var p [2]int
	if n, err := fmt.Sscanf(text, "%d,%d", &p[0], &p[1]); n != 2 || err != nil {
		f.die("move " + text)
	}
	if f.taken[p] || p[0] < 0 || p[1] < 0 || p[0] >= f.width || p[1] >= f.height {
		f.die("illegal move " + text)
	}
	f.taken[p] = true
}

// stone reads a line of a block.
func (f *fake) stone(line string) {
	switch parts := strings.Split(line, ","); {
	case f.block == "SWAP2BOARD" && len(parts) == 2:
	case f.block == "BOARD" && len(parts) == 3 && (parts[2] == "1" || parts[2] == "2"):
		f.fields[parts[2][0]-'0']++
		line = strings.TrimSuffix(line, ","+parts[2])
	default:
		f.die(f.block + " with " + line)
	}
	f.take(line)
}

// done ends a block. If black is to move, both have as many stones.
func (f *fake) done() {
	if d := f.fields[2] - f.fields[1]; d != 0 && d != 1 {
		f.die(fmt.Sprint("stones in BOARD by field: ", f.fields))
	}
	f.block = ""
	f.reply()
}

// reply does what is next in the script.
func (f *fake) reply() {
	do := "move"
	if len(f.replies) > 0 {
		do, f.replies = f.replies[0], f.replies[1:]
	}
	f.do(do)
}

func (f *fake) do(actions string) {
	if actions == "" {
		return
	}
	for action := range strings.SplitSeq(actions, "&") {
		name, arg, _ := strings.Cut(action, ":")
		if act := f.action(name); act != nil {
			act(arg)
		} else {
			f.say(action)
		}
	}
}

// action returns an action by its name, nil if that is a line to print.
func (f *fake) action(name string) func(arg string) {
	switch name {
	case "move":
		return func(string) { f.say(f.choose()) }
	case "line":
		return func(arg string) { f.print(unquote(arg) + unquote(f.on["eol"])) }
	case "print":
		return func(arg string) { f.print(unquote(arg)) }
	case "fill":
		return func(arg string) { f.print(strings.Repeat("x", number(arg))) }
	case "flood":
		return func(arg string) { flood(os.Stdout, arg) }
	case "flood-stderr":
		return func(arg string) { flood(os.Stderr, arg) }
	case "sleep":
		return func(arg string) {
			d, err := time.ParseDuration(arg)
			if err != nil {
				panic(err)
			}
			time.Sleep(d)
		}
	case "stall":
		return func(string) { forever() }
	case "burn":
		return func(string) {
			go func() {
				for n := 0; ; n++ {
				}
			}()
		}
	case "touch":
		return func(file string) {
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				panic(err)
			}
		}
	case "alloc":
		return f.alloc
	case "exit":
		return func(arg string) { os.Exit(number(arg)) }
	case "segv":
		return func(string) { panic(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, os.Environ())) }
	case "close-stdin":
		return func(string) { os.Stdin.Close() }
	case "close-stdout":
		return func(string) { os.Stdout.Close() }
	case "fork":
		return func(string) { startChild(nil) }
	case "daemon":
		return func(string) { startChild(apart()) }
	}
	return nil
}

// say prints a line, which may be a move.
func (f *fake) say(line string) {
	var p [2]int
	if n, _ := fmt.Sscanf(line, "%d,%d", &p[0], &p[1]); n == 2 {
		f.taken[p] = true
	}
	f.print(line + unquote(f.on["eol"]))
}

// print prints with one call of the system.
func (f *fake) print(text string) {
	f.out.WriteString(text)
	f.out.Flush()
}

// choose returns where to play.
func (f *fake) choose() string {
	if f.random != nil {
		return f.gamble()
	}
	for y := range f.height {
		for x := range f.width {
			if !f.taken[[2]int{x, y}] {
				return fmt.Sprintf("%d,%d", x, y)
			}
		}
	}
	return "none"
}

// gamble chooses at random, and rarely badly.
func (f *fake) gamble() string {
	var empty []string
	for y := range f.height {
		for x := range f.width {
			if !f.taken[[2]int{x, y}] {
				empty = append(empty, fmt.Sprintf("%d,%d", x, y))
			}
		}
	}
	bad := []string{
		fmt.Sprintf("%d,0", f.width), fmt.Sprintf("0,%d", f.height), "-1,2", "3,-1", "99,99", "0,31", "31,0",
	}
	for p := range f.taken {
		bad = append(bad, fmt.Sprintf("%d,%d", p[0], p[1]))
	}
	slices.Sort(bad) // maps have no order
	if f.random.Uint64()%400 == 0 {
		return bad[f.random.Uint64()%uint64(len(bad))]
	}
	return empty[f.random.Uint64()%uint64(len(empty))]
}

func (f *fake) alloc(mib string) {
	b := make([]byte, number(mib)<<20)
	for i := 0; i < len(b); i += 1024 {
		b[i] = 1
	}
	f.hoard = append(f.hoard, b)
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

// startChild starts a child that holds our pipes.
func startChild(attr *syscall.SysProcAttr) {
	child := exec.Command(os.Args[0], "fake", "child")
	child.Stdin, child.Stdout, child.Stderr, child.SysProcAttr = os.Stdin, os.Stdout, os.Stderr, attr
	if err := child.Start(); err != nil {
		panic(err)
	}
}
