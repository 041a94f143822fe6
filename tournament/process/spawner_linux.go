package process

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A spawner starts all engines and buries all that they leave behind. Its
// goroutine has a thread for itself and never ends, for two reasons.
//
// The kernel kills an engine when the thread that started it ends: so it does
// when we are killed, but must not when Go has a thread too many. And what is
// set for a thread, like its processors, is inherited by all threads of a new
// process only if it is set before that is started.
//
// The spawner makes us a subreaper: processes that engines have started become
// our children when their parents die, wherever they may be hiding. We have to
// wait for those, one by one: a wait for any child would take away exits that
// somebody else is waiting for.
type spawner struct {
	requests chan func()

	// The rest is used by the goroutine only.
	session int          // ours
	engines map[int]bool // those with a goroutine that waits for them
	cgroups func() (parent string, err error)
}

// theSpawner returns the one spawner of this process, as there is one parent
// of its children.
var theSpawner = sync.OnceValue(func() *spawner {
	s := &spawner{requests: make(chan func()), engines: map[int]bool{}, cgroups: sync.OnceValues(delegatedCgroup)}
	go s.run()
	return s
})

func (s *spawner) run() {
	runtime.LockOSThread()
	// The first call fails only on kernels before 3.4; then hidden processes
	// are not found. The second does not fail; our session is 0 when it began
	// outside of our container, and so is that of all who did not leave it.
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

// limit makes a group with a limit for its memory and has a process started
// in it.
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

// sweep kills the processes of f that have become our children and returns
// how many have not been buried. Their own children will be there the next
// time. It also buries the dead of other families.
func (s *spawner) sweep(f *family) (left int) {
	for _, pid := range adopted() {
		st, err := readStat(pid)
		if err != nil || s.engines[pid] {
			continue
		}
		if st.zombie && st.session != s.session { // or somebody else may be waiting for it
			if n, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); n != 0 || err != nil {
				delete(f.killed, pid)
				continue
			} // it has threads that are not dead yet
		}
		// On its way to death it has no environment by which to know it.
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
			return fmt.Errorf("processor %d: there are 0 to %d", c, 64*len(set)-1)
		}
		set.Set(c)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("processors %v: %w", cpus, err)
	}
	return errors.Join(start(), unix.SchedSetaffinity(0, &before))
}
