package process

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestMain makes the test binary an engine if it is told to be one. Never
// start it as an engine without arguments: it would test itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		fakes[os.Args[2]](os.Args[3:])
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every engine takes a second to exit
	os.Exit(m.Run())
}

// fakes are engines by name. One that returns exits with code 0.
var fakes map[string]func(args []string)

func init() {
	fakes = map[string]func([]string){
		"echo":    func([]string) { readLines(func(line string) { fmt.Println(line) }) },
		"print":   func(args []string) { fmt.Print(args[0]); io.Copy(io.Discard, os.Stdin) },
		"exit":    func(args []string) { exitWith(args[0]) },
		"partial": func([]string) { fmt.Print("1,1\n7,7") },

		// Those that do not listen.
		"deaf":         func([]string) { fmt.Println("ready"); forever() },
		"close-stdin":  func([]string) { os.Stdin.Close(); fmt.Println("closed"); forever() },
		"slow-reader":  slowReader,
		"ignore-END":   func([]string) { readLines(func(line string) { fmt.Println(line) }); forever() },
		"ignore-TERM":  ignoreTERM,
		"after-END":    afterEND,
		"close-stdout": closeStdout,

		// Those that say too much.
		"long":         func(args []string) { printLong(args[0]) },
		"flood":        flood,
		"flood-stderr": floodStderr,

		// Those that are not alone.
		"fork":    func(args []string) { fork(args, nil) },
		"setsid":  func(args []string) { fork(args, apart()) },
		"daemon":  daemon,
		"child":   func([]string) { forever() },
		"harness": func([]string) { harness() },

		"allocate": allocate,
		"twice":    func(args []string) { startChild(os.Args[0], "allocate", nil, args...); allocate(args) },
		"env":      func(args []string) { fmt.Println(os.Getenv(args[0])) },
		"dir":      func([]string) { dir, err := os.Getwd(); fmt.Println(dir, err) },
		"stderr":   func(args []string) { fmt.Fprint(os.Stderr, args[0]) },
		"processors": func([]string) {
			fmt.Println(processors())
		},
		"hex": func([]string) {
			b, err := io.ReadAll(os.Stdin)
			fmt.Printf("%q %v\n", b, err)
		},
	}
}

func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func readLines(f func(line string)) {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if in.Text() == "END" {
			return
		}
		f(in.Text())
	}
}

func exitWith(code string) {
	n, err := strconv.Atoi(code)
	if err != nil {
		panic(err)
	}
	os.Exit(n)
}

// slowReader prints the number of bytes that it has read whenever it gets a
// line.
func slowReader([]string) {
	var b [1]byte
	for n := 1; ; n++ {
		if _, err := os.Stdin.Read(b[:]); err != nil {
			return
		}
		if b[0] == '\n' {
			fmt.Println(n)
		}
	}
}

func ignoreTERM([]string) {
	signal.Ignore(syscall.SIGTERM, os.Interrupt)
	fmt.Println("ready")
	forever()
}

func afterEND([]string) {
	readLines(func(string) {})
	fmt.Println("1,1")
	fmt.Println("MESSAGE bye")
	fmt.Print("2,2")
}

func closeStdout([]string) {
	fmt.Println("last")
	os.Stdout.Close()
	io.Copy(io.Discard, os.Stdin)
}

// printLong prints a line of so many bytes and a short one.
func printLong(size string) {
	n, err := strconv.Atoi(size)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(bytes.Repeat([]byte("x"), n))
	fmt.Println("\n7,7")
	io.Copy(io.Discard, os.Stdin)
}

// flood prints a line very often and another one once.
func flood(args []string) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	w := bufio.NewWriter(os.Stdout)
	for range n {
		fmt.Fprintln(w, args[1])
	}
	fmt.Fprintln(w, args[2])
	w.Flush()
	io.Copy(io.Discard, os.Stdin)
}

func floodStderr([]string) {
	w := bufio.NewWriter(os.Stderr)
	for i := range 10 << 20 / 16 {
		fmt.Fprintf(w, "line %010d\n", i)
	}
	w.Flush()
	fmt.Println("done")
	io.Copy(io.Discard, os.Stdin)
}

// startChild starts this program, or a copy, as another fake that holds our
// pipes.
func startChild(program, name string, attr *syscall.SysProcAttr, args ...string) {
	child := exec.Command(program, append([]string{"fake", name}, args...)...)
	child.Stdin, child.Stdout, child.Stderr, child.SysProcAttr = os.Stdin, os.Stdout, os.Stderr, attr
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// fork leaves a child behind, which may be another program.
func fork(args []string, attr *syscall.SysProcAttr) {
	startChild(append(args, os.Args[0])[0], "child", attr)
	fmt.Println("ready")
	readLines(func(string) {})
}

// daemon leaves a grandchild behind, the parent of which has gone.
func daemon(args []string) {
	if len(args) > 0 {
		startChild(os.Args[0], "child", apart())
		return
	}
	parent := exec.Command(os.Args[0], "fake", "daemon", "parent")
	parent.Stdout = os.Stdout
	if err := parent.Run(); err != nil {
		panic(err)
	}
	fmt.Println("ready")
	readLines(func(string) {})
}

// harness starts an engine and prints its number.
func harness() {
	p, err := Start(Spec{Args: []string{os.Args[0], "fake", "deaf"}})
	if err != nil {
		panic(err)
	}
	<-p.Lines()
	fmt.Println(p.Pid())
	forever()
}

// allocate uses so many MiB of memory.
func allocate(args []string) {
	mib, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	b := make([]byte, mib<<20)
	for i := range b {
		b[i] = byte(i)
	}
	fmt.Println("ready")
	readLines(func(line string) { fmt.Println(line, b[len(line)]) })
}
