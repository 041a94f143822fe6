package tournament

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestMain makes the test binary an engine if it is told to be one. Never
// start it as an engine without arguments: it would test itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "fake" {
		fake(os.Args[2:])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every engine takes a second to exit
	os.Exit(m.Run())
}

// fakeEngine returns the command of an engine that replies with these words
// to requests for a move, one after the other, and then plays the first empty
// point, row by row. Some words are no replies:
//
//	STALL    never replies
//	CRASH    panics
//	EXIT     exits with 0
//	-refuse  answers START with ERROR
//	-loud    prints much besides its replies, all of it allowed
//	-flood   prints replies without end once it has been started
//	-long    prints a line without end once it has been started
//	-twice   gives all its replies twice
//	-deaf    does not end, whatever is said
//	-parent=ADDR  leaves a child behind that holds its output and a connection to ADDR
func fakeEngine(words ...string) []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return append([]string{self, "fake"}, words...)
}

func fake(words []string) {
	var f fakeState
	for _, w := range words {
		if option, ok := strings.CutPrefix(w, "-"); ok {
			f.options = append(f.options, option)
		} else {
			f.replies = append(f.replies, w)
		}
	}
	if f.is("child") {
		if _, err := net.Dial("tcp", f.replies[0]); err != nil {
			panic(err)
		}
		select {}
	}
	if f.is("parent") {
		child := exec.Command(os.Args[0], "fake", "-child", f.replies[0])
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		f.replies = f.replies[1:]
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		f.obey(in.Text())
	}
	for f.is("deaf") {
		select {}
	}
	os.Exit(0)
}

type fakeState struct {
	options, replies []string
	size             int
	taken            map[[2]int]bool
	told             []string // values of INFO lines
	reading          bool     // a BOARD block
	fields           [3]int   // stones in it, by field
}

// infoKeys are what the referee has to tell, in this order.
var infoKeys = []string{"timeout_turn", "timeout_match", "time_left", "max_memory", "game_type", "rule"}

func (f *fakeState) is(option string) bool { return slices.Contains(f.options, option) }

func (f *fakeState) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if f.is("loud") {
		fmt.Printf("MESSAGE %s\nDEBUG 1,1\n\n", strings.Repeat("x", 50000))
		line = strings.ToLower(line) + "\r"
	}
	fmt.Println(line)
}

func (f *fakeState) obey(line string) {
	word, args, _ := strings.Cut(line, " ")
	var x, y, field int
	switch {
	case f.reading && word == "DONE":
		f.reading = false
		if d := f.fields[2] - f.fields[1]; d != 0 && d != 1 {
			panic(fmt.Sprint("stones in BOARD: ", f.fields))
		}
		f.move()
	case f.reading:
		if _, err := fmt.Sscanf(line, "%d,%d,%d", &x, &y, &field); err != nil {
			panic(err)
		}
		f.fields[field]++
		f.taken[[2]int{x, y}] = true
	case word == "START":
		f.start(args)
	case word == "INFO":
		key, value, _ := strings.Cut(args, " ")
		if key != infoKeys[len(f.told)] {
			panic("unexpected INFO " + args)
		}
		f.told = append(f.told, value)
	case word == "BEGIN":
		f.move()
	case word == "BOARD":
		f.reading = true
	case word == "TURN":
		if _, err := fmt.Sscanf(args, "%d,%d", &x, &y); err != nil {
			panic(err)
		}
		f.taken[[2]int{x, y}] = true
		f.move()
	case word == "END" && !f.is("deaf"):
		os.Exit(0)
	}
}

func (f *fakeState) start(size string) {
	if f.is("refuse") {
		f.say("ERROR I would rather not")
		return
	}
	if _, err := fmt.Sscan(size, &f.size); err != nil {
		panic(err)
	}
	f.taken = map[[2]int]bool{}
	f.say("OK")
	for f.is("flood") {
		f.say("0,0")
	}
	for f.is("long") {
		fmt.Print("MESSAGE and so on ")
	}
}

// move replies to a request for a move.
func (f *fakeState) move() {
	reply := ""
	if len(f.replies) > 0 {
		reply, f.replies = f.replies[0], f.replies[1:]
	}
	switch reply {
	case "STALL":
		select {}
	case "CRASH":
		panic("out of ideas\x1b[2J")
	case "EXIT":
		os.Exit(0)
	case "":
		reply = f.firstEmpty()
	}
	var x, y int
	if n, _ := fmt.Sscanf(reply, "%d,%d", &x, &y); n == 2 {
		f.taken[[2]int{x, y}] = true
	}
	if !f.is("loud") {
		f.say("MESSAGE %s", strings.Join(f.told, " "))
	}
	f.say("%s", reply)
	if f.is("twice") {
		f.say("%s", reply)
	}
}

func (f *fakeState) firstEmpty() string {
	for y := range f.size {
		for x := range f.size {
			if !f.taken[[2]int{x, y}] {
				return fmt.Sprintf("%d,%d", x, y)
			}
		}
	}
	return "none"
}
