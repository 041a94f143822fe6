package process

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"kumiko/tournament/fakeengine"
)

// noneLeft checks that no process is left that the test has started, whoever
// its parent is, and that nobody dead waits to be buried by us.
func noneLeft(t testing.TB) {
	t.Helper()
	fakeengine.NoneLeft(t, testMark(t))
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tasks {
		for _, pid := range readPids(file) {
			st, err := readStat(pid)
			t.Errorf("process %d is our child: %+v, %v", pid, st, err)
		}
	}
}

// TestMarked makes sure that noneLeft can notice something.
func TestMarked(t *testing.T) {
	p := start(t, fake(t, "launch=fork&line:ready"))
	next(t, p)
	if got := fakeengine.Marked(t, testMark(t)); len(got) != 2 {
		t.Errorf("an engine and its child are %v", got)
	}
	if got := fakeengine.Marked(t, testMark(t)+"x"); len(got) != 0 {
		t.Errorf("nobody is %v", got)
	}
}

func TestFamilyLinux(t *testing.T) {
	// A child that has left the group dies although another engine runs, and
	// that one does not.
	other := start(t, fake(t, "launch=orphan&line:ready"))
	next(t, other)
	p := start(t, fake(t, "launch=orphan&line:ready"))
	next(t, p)
	if got := fakeengine.Marked(t, testMark(t)); len(got) != 4 {
		t.Errorf("two engines and their daemons are %v", got)
	}
	p.Stop("END", patience)
	if got := fakeengine.Marked(t, testMark(t)); len(got) != 2 {
		t.Errorf("an engine and its daemon are %v", got)
	}
	if !other.Stop("END", patience) {
		t.Error("the daemon has disappeared before")
	}
}

func TestSignals(t *testing.T) {
	for _, name := range []string{"SEGV", "KILL", "TERM"} {
		s := Spec{Args: []string{"sh", "-c", "echo 7,7; kill -" + name + " $$"}, Dir: "/", Env: []string{testMark(t)}}
		p := start(t, s)
		if got := next(t, p); got != "7,7" {
			t.Errorf("got %q", got)
		}
		if e := await(t, p); e != (Exit{Code: -1, Signal: "SIG" + name}) || e.String() != "was killed by SIG"+name {
			t.Errorf("kill -%s: %+v, %v", name, e, e)
		}
	}
}

// state returns the state letter of a process.
func state(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return rest[:1]
}

func TestSuspend(t *testing.T) {
	p := start(t, fake(t, echo))
	send(t, p, "a")
	next(t, p)
	p.Suspend()
	eventually(t, "it is stopped", func() bool { return state(t, p.Pid()) == "T" })
	send(t, p, "b")
	p.Resume()
	if got := next(t, p); got != "b" {
		t.Errorf("got %q", got)
	}
	p.Suspend()
	if p.Stop("END", patience) {
		t.Error("Stop does not resume")
	}
	q := start(t, fake(t, echo))
	q.Suspend()
	q.Kill()
	await(t, q)
}

func TestMemory(t *testing.T) {
	// The race detector needs memory too, so that we compare.
	one, two := memoryOf(t, 1), memoryOf(t, 2)
	if one < 100<<20 || two < one*9/5 || two > one*11/5 {
		t.Errorf("100 MiB are %d bytes, and twice as much is %d", one, two)
	}
}

// memoryOf returns what Memory says of a family of which so many processes
// have allocated 100 MiB each.
func memoryOf(t *testing.T, n int) int64 {
	t.Helper()
	launch := []string{1: "launch=alloc:100&line:ready", 2: "launch=fork&alloc:100&line:ready"}[n]
	p := start(t, fake(t, launch, "child=alloc:100&line:ready"))
	if before, ok := p.Memory(); !ok || before <= 0 {
		t.Errorf("%d at first: %d bytes, %v", n, before, ok)
	}
	for range n {
		next(t, p)
	}
	got, ok := p.Memory()
	if !ok {
		t.Errorf("%d: nothing is known", n)
	}
	p.Kill()
	await(t, p)
	if left, ok := p.Memory(); ok {
		t.Errorf("%d: %d bytes afterwards", n, left)
	}
	return got
}

func TestCPUs(t *testing.T) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	all := set.Count()
	if all < 2 {
		t.Skip("there is one processor only")
	}
	last := 0
	for c := range 64 * len(set) {
		if set.IsSet(c) {
			last = c
		}
	}
	// The last engine must not inherit anything from those before.
	for _, tt := range []struct {
		cpus []int
		want int
	}{{nil, all}, {[]int{last}, 1}, {nil, all}} {
		s := fake(t, "launch=processors")
		s.CPUs = tt.cpus
		p := start(t, s)
		if got := next(t, p); got != fmt.Sprint(tt.want) {
			t.Errorf("bound to %v, it may use %s processors, want %d", tt.cpus, got, tt.want)
		}
		p.Stop("END", patience)
	}
	for _, cpus := range [][]int{{}, {-1}, {1 << 20}, {64*len(set) - 1}} {
		s := fake(t, "launch=processors")
		s.CPUs = cpus
		if p, err := Start(s); err == nil {
			p.Stop("END", patience)
			t.Errorf("bound to %v", cpus)
		}
	}
}

// TestReaping has an engine whose orphan ends by itself.
func TestReaping(t *testing.T) {
	s := Spec{Args: []string{"sh", "-c", "(setsid true &); echo ready; read line"}, Dir: "/", Env: []string{testMark(t)}}
	p := start(t, s)
	next(t, p)
	isDead := func(pid int) bool {
		st, err := readStat(pid)
		return err == nil && st.zombie
	}
	eventually(t, "the orphan is dead", func() bool { return slices.ContainsFunc(adopted(), isDead) })
	if p.Stop("END", patience) {
		t.Error("who has ended before was not left behind")
	}
}

func TestMemoryLimit(t *testing.T) {
	s := fake(t, "launch=alloc:200&line:ready")
	s.Memory = 100 << 20
	p := start(t, s)
	if err := p.LimitError(); err != nil {
		if got := next(t, p); got != "ready" {
			t.Errorf("got %q", got)
		}
		t.Skip("memory cannot be limited here: ", err)
	}
	if e := await(t, p); !e.OOM || e.String() != "was killed at its memory limit" {
		t.Errorf("exit: %+v", e)
	}
	if got := rest(t, p); len(got) > 0 {
		t.Errorf("lines %q", got)
	}
}

// TestCgroup runs an engine in a control group, whether or not memory is
// controlled there.
func TestCgroup(t *testing.T) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	parent, err := ownCgroup(string(mounts), string(groups))
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(parent, fmt.Sprintf("test-%d", os.Getpid()))
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Skip("nothing is delegated to us: ", err)
	}
	g := &cgroup{path: path}
	t.Cleanup(func() { g.remove() })
	if g.dir, err = os.Open(path); err != nil {
		t.Fatal(err)
	}
	defer g.started()

	cmd, err := command(fake(t, "launch=daemon&line:ready"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, UseCgroupFD: true, CgroupFD: g.fd()}
	stdin, err := cmd.StdinPipe() // or its input would end at once
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Skip("nothing can be started in a group: ", err)
	}
	f := &family{leader: leader{cmd: cmd}, mark: "NOBODY=1", cgroup: g, killed: map[int]bool{}}
	procs := func() []int { return readPids(filepath.Join(path, "cgroup.procs")) }
	eventually(t, "both are in the group", func() bool { return len(procs()) == 2 })
	if g.remove() {
		t.Error("a group could be removed while somebody was in it")
	}
	f.kill()
	f.wait()
	f.release()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the group is still there, with %v", procs())
	}
	bury(t)
}

// TestWineserver has an engine that has started the server of all engines
// under Wine. The others may need it.
func TestWineserver(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Join(t.TempDir(), "wineserver64")
	if err := os.Link(self, server); err != nil {
		t.Skip(err)
	}
	p := start(t, fake(t, "launch=daemon:"+server+"&line:ready"))
	next(t, p)
	if p.Stop("END", patience) {
		t.Error("the server is called a process left behind")
	}
	pids := fakeengine.Marked(t, testMark(t))
	if len(pids) != 1 {
		t.Fatalf("the server is %v", pids)
	}
	if err := unix.Kill(pids[0], unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	bury(t)
}

// bury waits until all our children are dead and has the dead buried, as
// happens when the next engine ends.
func bury(t *testing.T) {
	t.Helper()
	eventually(t, "all are dead", func() bool { return len(fakeengine.Marked(t, testMark(t))) == 0 })
	eventually(t, "all are buried", func() bool {
		p, err := Start(fake(t, "launch=exit:0"))
		if err != nil {
			t.Fatal(err)
		}
		p.Stop("END", patience)
		return len(adopted()) == 0
	})
}

// TestHarnessDies kills a harness. Its engine is in a session of its own and
// ignores everything.
func TestHarnessDies(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	harness := start(t, Spec{Args: []string{self, "harness"}, Env: []string{testMark(t)}})
	engine := next(t, harness)
	if got := fakeengine.Marked(t, testMark(t)); len(got) != 2 || !strings.Contains(fmt.Sprint(got), engine) {
		t.Errorf("a harness and its engine, which is %s, are %v", engine, got)
	}
	harness.Kill()
	await(t, harness)
	harness.Stop("", 0)
	bury(t)
}

// TestThreadDies starts an engine from a thread that ends.
func TestThreadDies(t *testing.T) {
	s := fake(t, echo)
	tids := make(chan int)
	var p *Process
	var err error
	go func() {
		runtime.LockOSThread() // it ends with the goroutine, unless it is the first
		p, err = Start(s)
		tids <- unix.Gettid()
	}()
	tid := <-tids
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop("", 0)
	if tid == os.Getpid() {
		t.Skip("the first thread does not end")
	}
	eventually(t, "the thread ends", func() bool {
		_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", tid))
		return os.IsNotExist(err)
	})
	send(t, p, "a")
	if got := next(t, p); got != "a" {
		t.Errorf("got %q", got)
	}
}
