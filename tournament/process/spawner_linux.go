package process

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A spawner starts all engines and reaps all processes they leave behind. Its
// goroutine has its own thread and never ends, for two reasons.
//
// The kernel kills an engine when the thread that started it ends: it should
// when we are killed, but not when Go retires a thread. And settings of a
// thread, such as its processors, are inherited by all threads of a new process
// only if they are set before it starts.
//
// The spawner makes us a subreaper: processes that engines have started become
// our children when their parents die, wherever they hide. We have to wait for
// them one by one: a wait for any child would steal exits that others are
// waiting for.
type spawner struct {
	requests chan func()

	// The other fields are used only by the goroutine.
	session int          // ours
	engines map[int]bool // engines with a goroutine that waits for them
	cgroups func() (parent string, err error)
}

// theSpawner returns the only spawner, as this process is the one parent of its
// children.
var theSpawner = sync.OnceValue(func() *spawner {
	s := &spawner{requests: make(chan func()), engines: map[int]bool{}, cgroups: sync.OnceValues(delegatedCgroup)}
	go s.run()
	return s
})

func (s *spawner) run() {
	runtime.LockOSThread()
	// The first call fails only on kernels before 3.4; then hidden processes
	// are not found. The second does not fail; our session is 0 if it began
	// outside our container, like that of every process that has not left it.
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	s.session, _ = unix.Getsid(0)
	for f := range s.requests {
		f()
	}
}

// do runs f in the spawner's goroutine.
func (s *spawner) do(f func(*spawner)) {
	done := make(chan struct{})
	s.requests <- func() {
		defer close(done)
		f(s)
	}
	<-done
}

// start starts a family.
func (s *spawner) start(f *family, spec Spec) error {
	if spec.Memory > 0 {
		f.cgroup, f.limitErr = s.limit(f.cmd.SysProcAttr, spec.Memory)
	}
	err := onCPUs(spec.CPUs, f.cmd.Start)
	if f.cgroup != nil {
		f.cgroup.started()
		if err != nil {
			f.cgroup.remove()
		}
	}
	if err == nil {
		s.engines[f.cmd.Process.Pid] = true
	}
	return err
}

// limit makes a group with a memory limit and has a process started in it.
func (s *spawner) limit(attr *syscall.SysProcAttr, bytes int64) (*cgroup, error) {
	parent, err := s.cgroups()
	if err != nil {
		return nil, err
	}
	g, err := newCgroup(parent, bytes)
	if err != nil {
		return nil, err
	}
	attr.UseCgroupFD, attr.CgroupFD = true, g.fd()
	return g, nil
}

// sweep kills the processes of f that have become our children and returns how
// many have not been reaped. Their own children are found by the next sweep. It
// also reaps dead processes of other families.
func (s *spawner) sweep(f *family) (left int) {
	for _, pid := range adopted() {
		st, err := readStat(pid)
		if err != nil || s.engines[pid] {
			continue
		}
		if st.zombie && st.session != s.session { // otherwise somebody else may be waiting for it
			if n, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); n != 0 || err != nil {
				delete(f.killed, pid)
				continue
			} // some of its threads are not dead yet
		}
		// A dying process has no environment to recognize it by.
		if f.killed[pid] || f.owns(pid, st) {
			unix.Kill(pid, unix.SIGKILL)
			f.killed[pid] = true
			left++
		}
	}
	return left
}

// onCPUs calls start with the calling thread bound to some processors.
func onCPUs(cpus []int, start func() error) error {
	if cpus == nil {
		return start()
	}
	var before, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	for _, c := range cpus {
		if c < 0 || c >= 64*len(set) {
			return fmt.Errorf("invalid processor %d, want 0 to %d", c, 64*len(set)-1)
		}
		set.Set(c)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("processors %v: %w", cpus, err)
	}
	return errors.Join(start(), unix.SchedSetaffinity(0, &before))
}
