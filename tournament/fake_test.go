package tournament

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/protocol/cli"
)

// TestMain makes the test binary an engine or a harness if it is told to be
// one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "fake":
			fake(os.Args[2:])
			os.Exit(0)
		case "echo":
			for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "END"; {
				fmt.Println("UNKNOWN")
			}
			os.Exit(0)
		case "harness":
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // as main does
			context.AfterFunc(ctx, stop)
			if err := execute(ctx, os.Args[2:], os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every engine takes a second to exit
	os.Exit(m.Run())
}

// execute runs a command of tournament.
func execute(ctx context.Context, args []string, stdout io.Writer) error {
	return cli.Execute(ctx, Command(), args, stdout)
}

// fakeCommand is the command line of an engine whose moves depend on the
// position alone. Of the options, salt=N makes another engine; think=D waits
// before every move; crash=N panics at its Nth move; mute=N does not answer it.
func fakeCommand(options ...string) string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return quoteWord(self) + " fake " + strings.Join(options, " ")
}

type fakeEngine struct {
	options map[string]string
	size    int
	moves   int
	stones  map[[2]int]bool
}

func fake(options []string) {
	f := fakeEngine{options: map[string]string{}, stones: map[[2]int]bool{}}
	for _, o := range options {
		k, v, _ := strings.Cut(o, "=")
		f.options[k] = v
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word, args, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "START":
			f.size, _ = strconv.Atoi(args)
			f.reset()
		case "RESTART":
			f.reset()
		case "BEGIN":
			f.move()
		case "BOARD":
			clear(f.stones)
			for in.Scan() && in.Text() != "DONE" {
				f.put(in.Text())
			}
			f.move()
		case "TURN":
			f.put(args)
			f.move()
		case "END":
			return
		}
	}
}

func (f *fakeEngine) reset() {
	clear(f.stones)
	f.moves = 0
	fmt.Println("OK")
}

func (f *fakeEngine) put(s string) {
	var x, y int
	fmt.Sscanf(s, "%d,%d", &x, &y)
	f.stones[[2]int{x, y}] = true
}

// move plays an empty point near the middle that the position decides.
func (f *fakeEngine) move() {
	f.moves++
	if d, err := time.ParseDuration(f.options["think"]); err == nil {
		time.Sleep(d)
	}
	switch strconv.Itoa(f.moves) {
	case f.options["crash"]:
		panic("out of ideas")
	case f.options["mute"]:
		select {}
	}
	best, key := [2]int{}, uint32(0)
	for y := range f.size {
		for x := range f.size {
			p := [2]int{x, y}
			if f.stones[p] || abs(x-f.size/2) > 3 && len(f.stones) < 40 || abs(y-f.size/2) > 3 && len(f.stones) < 40 {
				continue
			}
			if k := f.hash(p); k >= key {
				best, key = p, k
			}
		}
	}
	f.stones[best] = true
	fmt.Printf("MESSAGE depth %d-%d ev %d n %d\n", f.moves, f.moves+1, key%100, key%1000)
	fmt.Printf("%d,%d\n", best[0], best[1])
}

// hash values a point in the position.
func (f *fakeEngine) hash(p [2]int) uint32 {
	sum := uint32(0)
	for q := range f.stones {
		sum += uint32(1+q[0]*37+q[1]*1009) * 2654435761
	}
	h := fnv.New32a()
	h.Write([]byte(f.options["salt"]))
	h.Write([]byte{byte(p[0]), byte(p[1]), byte(sum), byte(sum >> 8), byte(sum >> 16)})
	return h.Sum32()
}

func abs(n int) int { return max(n, -n) }
