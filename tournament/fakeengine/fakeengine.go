// Package fakeengine is an engine for tests: it does what its arguments say, well
// or badly. A test binary becomes one:
//
//	func TestMain(m *testing.M) {
//		fakeengine.Main()
//		os.Exit(m.Run())
//	}
//
//	p, err := process.Start(process.Spec{Args: fakeengine.Args("7,7", "sleep:50ms&8,8", "exit:3")})
//
// A word with an = sets the actions at an event, for instance
//
//	about= start='sleep:1s&line:OK' info='line:OK'
//
// or changes a setting; see [defaults]. The other words are the script: what the
// engine does each time it is asked to move, starting over in each game; after the
// script it does what then= says. A word is a sequence of actions joined by &:
//
//	7,7                 prints that line
//	move                plays where the mover says; see moves.go
//	line:TEXT           prints a line; TEXT is the inside of a Go string
//	print:TEXT          prints without a line end; fill:N prints N characters
//	stderr:TEXT         prints to standard error
//	flood:N:TEXT        prints a line N times; flood-stderr:N:TEXT on stderr,
//	count-stderr:N      and N numbered lines there
//	echo                prints the line that was received
//	sleep:D, stall, burn (use a processor from now on), alloc:MIB (keep it)
//	touch:FILE          makes a file
//	exit:N, panic, segv, close-stdin, close-stdout, ignore-term
//	fork, daemon        leaves a child behind that holds our pipes, in this
//	                    session or its own, and does what child= says;
//	                    fork:FILE runs another copy of the program
//	orphan              leaves a daemon behind whose parent is gone
//	slow-reader         reads byte by byte, and prints how many at line ends
//	read-all            reads to the end and prints what it got
//	env:NAME, dir, processors    prints what it has of these
//
// Any number of settings fault=NAME make the engine fail in ways that require
// knowledge of the game or of its commands; see [faults].
package fakeengine

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// argument turns a test binary into an engine.
const argument = "fake"

// defaults are the default actions at events, and the default settings.
var defaults = map[string]string{
	"launch":  "",
	"start":   "line:OK", // START and RECTSTART with a good size
	"restart": "line:OK",
	"info":    "",
	"about":   `line:name=\"Fake\", version=\"1\"`,
	"blank":   "", // an empty line
	"unknown": "line:UNKNOWN command",
	"end":     "exit:0",
	"eof":     "exit:0",
	"any":     "", // if set, the only actions at any line but END
	"then":    "move",
	"child":   "stall",
	"swap2-0": "line:7,7 8,8 9,9", // asked with that many stones and no script
	"swap2-3": "line:3,3 4,4",
	"swap2-5": "line:SWAP",

	"eol":    `\n`,       // how its lines end
	"form":   "line:X,Y", // how a move to X,Y is said: actions
	"mover":  "first",    // who chooses moves
	"seed":   "",         // for the mover "random"
	"salt":   "",         // for the mover "hash"
	"strict": "",         // if set, the engine dies when the manager breaks the protocol
	"mark":   "",         // ignored, but visible in the arguments of the process
}

// faults are the faults an engine can be told to have.
var faults = []string{
	// Lines.
	"no flush", "chokes on cr", "upper case only", "answers idle stop",
	// Beginning a game.
	"only 20", "no rectstart", "dies of rectstart", "dies of start", "start keeps stones", "restart keeps stones",
	// INFO.
	"answers bad info", "overflow", "wants memory",
	// The position.
	"turn after begin only", "dies off board", "board keeps stones", "ignores dead stones", "hangs at empty board",
	"play elsewhere", "takeback keeps stones", "skips bad lines",
	// Time.
	"thinks", "slow at zero", "slow without time", "slower without time",
	// Moves.
	"plays on stones", "plays off board", "fails the last point", "dies of full board",
	"knows freestyle only", "plays forbidden points", "prefers forbidden points", "misses wins", "misses blocks",
}

// Main turns the test binary into an engine, and does not return, if it was
// started as one. It panics if the binary was started as another program:
// running its tests, it might start itself forever.
func Main() {
	if len(os.Args) > 1 && os.Args[1] == argument {
		newEngine(os.Args[2:]).run()
		os.Exit(0)
	}
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		panic("fakeengine: started as " + os.Args[1])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise every engine takes a second to exit
}

// Args returns the command line of an engine with these words.
func Args(words ...string) []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return append([]string{self, argument}, words...)
}

// A point may lie off the board.
type point struct{ x, y int }

func (p point) String() string { return fmt.Sprintf("%d,%d", p.x, p.y) }

// An engine is the engine of this process.
type engine struct {
	on      map[string]string // event or setting: actions or value
	faults  []string
	script  []string // of each game
	replies []string // left of the script

	in     *bufio.Reader
	out    *bufio.Writer
	line   string // the last line received
	random *rand.Rand
	hoard  [][]byte

	width, height int
	field         map[point]int // 1 own, 2 the opponent's, 3 out of play
	last          point         // the opponent's
	moves         int           // of its own in this game
	rule          int           // the protocol's number
	turn, left    time.Duration
	block         []string // the lines of the open block, its command first
}

func newEngine(words []string) *engine {
	e := &engine{
		on: map[string]string{}, in: bufio.NewReader(os.Stdin), out: bufio.NewWriterSize(os.Stdout, 1<<16),
		turn: time.Second, left: time.Hour, field: map[point]int{},
	}
	for event, do := range defaults {
		e.on[event] = do
	}
	for _, w := range words {
		event, do, found := strings.Cut(w, "=")
		_, known := defaults[event]
		switch {
		case !found || strings.Contains(event, ":"):
			e.script = append(e.script, w)
		case event == "fault" && slices.Contains(faults, do):
			e.faults = append(e.faults, do)
		case known:
			e.on[event] = do
		default:
			panic("fakeengine: unknown word " + w)
		}
	}
	if seed, err := strconv.ParseUint(e.on["seed"], 10, 64); err == nil {
		e.random = rand.New(rand.NewPCG(seed, 0))
	}
	e.replies = e.script
	return e
}

// has reports whether the engine has a fault.
func (e *engine) has(fault string) bool {
	if !slices.Contains(faults, fault) {
		panic("fakeengine: no fault " + fault)
	}
	return slices.Contains(e.faults, fault)
}

// run handles lines until the input ends.
func (e *engine) run() {
	e.do(e.on["launch"])
	for {
		line, err := e.in.ReadString('\n')
		if err != nil {
			e.do(e.on["eof"])
			return
		}
		line = strings.TrimSuffix(line, "\n")
		if e.has("chokes on cr") && strings.HasSuffix(line, "\r") {
			line = "?"
		}
		e.line = strings.TrimRight(line, "\r")
		if do := e.on["any"]; do != "" && e.line != "END" {
			e.do(do)
			continue
		}
		e.obey(e.line)
	}
}

// firstWord cuts a line at its first blank.
func firstWord(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	return word, strings.TrimSpace(rest)
}

func (e *engine) obey(line string) {
	if e.block != nil {
		e.inBlock(line)
		return
	}
	word, args := firstWord(strings.TrimPrefix(line, "\uFEFF"))
	if e.has("upper case only") && word != strings.ToUpper(word) {
		e.do(e.on["unknown"])
		return
	}
	switch word = strings.ToUpper(word); word {
	case "":
		e.do(e.on["blank"])
	case "START", "RECTSTART":
		e.start(word, args)
	case "RESTART":
		e.restart()
	case "BEGIN":
		e.reply()
	case "TURN":
		e.takeTurn(args)
	case "PLAY":
		e.play(args)
	case "TAKEBACK":
		e.takeBack(args)
	case "BOARD", "SWAP2BOARD", "YXBOARD":
		e.block = []string{word}
		for field := range strings.FieldsSeq(args) {
			e.inBlock(field)
		}
	case "YXSHOWFORBID":
		e.say("FORBID 0707.")
	case "YXSTOP":
		if e.has("answers idle stop") {
			e.reply()
		}
	case "INFO":
		e.info(args)
	case "ABOUT":
		e.do(e.on["about"])
	case "END":
		e.out.Flush()
		e.do(e.on["end"])
	default:
		e.refuse(e.on["unknown"], "unknown command "+line)
	}
}

// refuse answers a protocol error of the manager; a strict engine dies.
func (e *engine) refuse(do, why string) {
	if e.on["strict"] != "" {
		fmt.Fprintln(os.Stderr, "fake:", why)
		os.Exit(99)
	}
	e.do(do)
}

// clear begins a new game.
func (e *engine) clear() {
	clear(e.field)
	e.moves = 0
	e.replies = e.script
}

func (e *engine) start(word, args string) {
	width, height := sizes(args)
	switch {
	case word == "RECTSTART" && e.has("dies of rectstart"), width == 0 && e.has("dies of start"):
		panic("start")
	case word == "RECTSTART" && e.has("no rectstart"):
		e.say("UNKNOWN command")
	case e.has("only 20") && width == 15, width < 5, width > 100, height < 5, height > 100:
		e.refuse("line:ERROR sizes from 5 to 100, such as 20", "size "+args)
	default:
		if e.width == 0 || !e.has("start keeps stones") {
			e.clear()
		}
		e.width, e.height = width, height
		e.do(e.on["start"])
	}
}

// sizes parses one or two numbers, 0 if missing.
func sizes(args string) (width, height int) {
	f := strings.FieldsFunc(args, func(r rune) bool { return r < '0' || r > '9' })
	if len(f) == 0 || strings.HasPrefix(args, "-") {
		return 0, 0
	}
	width, _ = strconv.Atoi(f[0])
	height, _ = strconv.Atoi(f[len(f)-1])
	return width, height
}

func (e *engine) restart() {
	switch {
	case e.has("restart keeps stones"):
		e.say("OK")
	case e.width == 0:
		e.refuse("line:ERROR no board", "RESTART without a board")
	default:
		e.clear()
		e.do(e.on["restart"])
	}
}

func (e *engine) info(args string) {
	key, value := firstWord(args)
	n, err := strconv.Atoi(value)
	switch {
	case e.on["info"] != "":
		e.do(e.on["info"])
	case err != nil && key != "folder" && e.has("answers bad info"):
		e.say("ERROR what?")
	case err != nil:
	case key == "timeout_turn":
		e.turn = time.Duration(n) * time.Millisecond
	case key == "rule":
		e.rule = n
	case key == "time_left" && n == 2147483647 && e.has("overflow"):
		forever()
	case key == "time_left":
		e.left = time.Duration(n) * time.Millisecond
	case key == "max_memory" && n < 2e6 && e.has("wants memory"):
		panic("out of memory")
	}
}

// onBoard reports whether p is on the board.
func (e *engine) onBoard(p point) bool {
	return p.x >= 0 && p.y >= 0 && p.x < e.width && p.y < e.height
}

// readPoint parses the two numbers and the comma with which s begins.
func readPoint(s string) (p point, ok bool) {
	n, _ := fmt.Sscanf(strings.ReplaceAll(s, " ,", ","), "%d,%d", &p.x, &p.y)
	return p, n == 2
}

// put records a stone if it is on the board.
func (e *engine) put(p point, field int) {
	if e.onBoard(p) {
		e.field[p] = field
	}
}

func (e *engine) takeTurn(args string) {
	p, ok := readPoint(args)
	switch {
	case e.has("turn after begin only") && e.moves == 0:
		e.say("ERROR not started")
	case !ok || !e.onBoard(p):
		if e.has("dies off board") {
			panic(p)
		}
		e.refuse("line:ERROR off the board", "illegal move "+args)
	case e.field[p] != 0:
		e.refuse("line:ERROR taken", "illegal move "+args)
	default:
		e.put(p, 2)
		e.last = p
		e.reply()
	}
}

func (e *engine) play(args string) {
	p, _ := readPoint(args)
	if e.has("play elsewhere") {
		p, _ = e.first(func(p point) bool { return e.field[p] == 0 })
	}
	e.put(p, 1)
	e.say(p.String())
}

func (e *engine) takeBack(args string) {
	p, _ := readPoint(args)
	if e.field[p] == 0 {
		e.refuse("line:ERROR no stone", "TAKEBACK "+args)
		return
	}
	if !e.has("takeback keeps stones") {
		delete(e.field, p)
	}
	e.say("OK")
}

// inBlock handles a line of BOARD and similar blocks.
func (e *engine) inBlock(line string) {
	if !strings.EqualFold(strings.TrimSpace(line), "DONE") {
		e.block = append(e.block, line)
		return
	}
	kind, lines := e.block[0], e.block[1:]
	e.block = nil
	if e.on["strict"] != "" {
		e.checkBlock(kind, lines)
	}
	if bad := e.badLine(lines); bad != "" && !e.has("skips bad lines") {
		e.say("ERROR bad line " + bad)
		return
	}
	if !e.has("board keeps stones") {
		clear(e.field)
	}
	for i, line := range lines {
		p, ok := readPoint(line)
		field := 1 + i%2
		if parts := strings.Split(line, ","); len(parts) > 2 {
			field, _ = strconv.Atoi(parts[2])
		}
		if ok && (field != 3 || !e.has("ignores dead stones")) {
			e.put(p, field)
		}
	}
	switch {
	case kind == "YXBOARD":
	case kind == "SWAP2BOARD" && len(e.replies) == 0:
		e.do(e.on["swap2-"+strconv.Itoa(len(lines))])
	case len(lines) == 0 && e.has("hangs at empty board"):
	default:
		e.reply()
	}
}

// badLine returns the first line that is not a stone on an empty point.
func (e *engine) badLine(lines []string) string {
	seen := map[point]bool{}
	for _, line := range lines {
		p, ok := readPoint(line)
		if !ok || !e.onBoard(p) || seen[p] {
			return line
		}
		seen[p] = true
	}
	return ""
}

// checkBlock dies unless every line is a stone in the usual form, new and on
// the board, and the opponent has as many stones or one more.
func (e *engine) checkBlock(kind string, lines []string) {
	seen, fields := map[point]bool{}, [4]int{}
	for _, line := range lines {
		parts := strings.Split(line, ",")
		p, ok := readPoint(line)
		switch {
		case !ok || !e.onBoard(p) || seen[p]:
			e.refuse("", "illegal move "+line)
		case kind == "SWAP2BOARD" && len(parts) == 2:
		case kind == "BOARD" && len(parts) == 3 && (parts[2] == "1" || parts[2] == "2"):
			fields[parts[2][0]-'0']++
		default:
			e.refuse("", kind+" with "+line)
		}
		seen[p] = true
	}
	if d := fields[2] - fields[1]; d != 0 && d != 1 {
		e.refuse("", fmt.Sprint("stones in BOARD by field: ", fields))
	}
}

// reply performs the next step of the script.
func (e *engine) reply() {
	do := e.on["then"]
	if len(e.replies) > 0 {
		do, e.replies = e.replies[0], e.replies[1:]
	}
	e.moves++
	e.do(do)
}
