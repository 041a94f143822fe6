package process

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A family is an engine's process and all that it has started.
//
// Most of what an engine starts is in its process group and dies with it. A
// process that has left for its own session becomes our child when its parent
// dies (see spawner), and is recognized by a mark in its environment.
type family struct {
	leader
	mark     string  // KEY=VALUE
	cgroup   *cgroup // nil if memory is not limited
	limitErr error   // why it is not limited

	killed map[int]bool // our children, used by the spawner
}

// startFamily starts cmd.
func startFamily(cmd *exec.Cmd, s Spec) (*family, error) {
	f := &family{leader: leader{cmd: cmd}, mark: "KUMIKO_ENGINE=" + rand.Text(), killed: map[int]bool{}}
	cmd.Env = append(cmd.Env, f.mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	var err error
	theSpawner().do(func(s2 *spawner) { err = s2.start(f, s) })
	return f, err
}

// wait waits for the engine to end, kills what is left of its group and reports
// whether anything was left of its family.
func (f *family) wait() (left bool) {
	pid := f.cmd.Process.Pid
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	left = len(f.orphans()) > 0
	f.kill() // while the engine is a zombie, no other group can get its number
	if f.cgroup != nil {
		f.cgroup.kill()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cmd.Wait() // how it ended is in ProcessState
	f.reaped = true
	return left
}

// release kills what is left of the family and returns when it is gone, or
// gives up.
func (f *family) release() {
	for pause, end := time.Millisecond, time.Now().Add(unkillable); time.Now().Before(end); pause *= 2 {
		left := 0
		theSpawner().do(func(s *spawner) { left = s.sweep(f) })
		if left == 0 && (f.cgroup == nil || f.cgroup.remove()) {
			break
		}
		time.Sleep(pause) // the kernel offers nothing to wait on
	}
	theSpawner().do(func(s *spawner) { delete(s.engines, f.cmd.Process.Pid) })
}

func (f *family) oom() bool { return f.cgroup != nil && f.cgroup.oom() }

// owns reports whether a process belongs to the family. Nothing else has the
// engine's PID as its session ID.
//
// One program is spared: programs under Wine share a server, which is started
// by one of them and ends with the last.
func (f *family) owns(pid int, st stat) bool {
	if strings.HasPrefix(st.name, "wineserver") {
		return false
	}
	if st.session == f.cmd.Process.Pid {
		return true
	}
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && slices.ContainsFunc(bytes.Split(env, []byte{0}),
		func(v []byte) bool { return string(v) == f.mark })
}

// orphans returns the processes of the family that are our children, except the
// engine and the dead.
func (f *family) orphans() (pids []int) {
	for _, pid := range adopted() {
		st, err := readStat(pid)
		if err == nil && !st.zombie && pid != f.cmd.Process.Pid && f.owns(pid, st) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// memory returns the sum of the proportional set sizes of the family.
func (f *family) memory() (sum int64, ok bool) {
	f.mu.Lock()
	reaped := f.reaped
	f.mu.Unlock()
	if reaped {
		return 0, false
	}
	pids := descendants(f.cmd.Process.Pid)
	for _, pid := range f.orphans() {
		pids = append(pids, descendants(pid)...)
	}
	for _, pid := range pids {
		n, err := proportionalSetSize(pid)
		if err == nil {
			sum += n
			ok = true
		}
	}
	return sum, ok
}

// descendants returns pid and all its descendants.
func descendants(pid int) []int {
	pids := []int{pid}
	for i := 0; i < len(pids); i++ {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pids[i])) // the pattern is valid
		for _, file := range tasks {
			pids = append(pids, readPids(file)...)
		}
	}
	return pids
}

// adopted returns the children given to us, and possibly some we have started.
func adopted() []int {
	// The kernel gives orphans to the first thread.
	return readPids(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
}

// readPids reads a list of PIDs. A missing file has none.
func readPids(file string) (pids []int) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// A stat is the part of /proc/PID/stat we need.
type stat struct {
	name    string
	zombie  bool
	session int
}

func readStat(pid int) (stat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(text))
}

// parseStat parses proc_pid_stat(5). The name, in parentheses, may contain
// anything.
func parseStat(text string) (stat, error) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return stat{}, errors.New("no name in a process's stat")
	}
	fields := strings.Fields(text[end+1:]) // state, parent, group, session
	if len(fields) < 4 {
		return stat{}, errors.New("no session in a process's stat")
	}
	session, err := strconv.Atoi(fields[3])
	return stat{text[open+1 : end], fields[0] == "Z" || fields[0] == "X", session}, err
}

// proportionalSetSize returns the memory of a process in bytes.
func proportionalSetSize(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	return parsePSS(string(text))
}

// parsePSS finds the line "Pss: 123 kB" of proc_pid_smaps(5).
func parsePSS(text string) (int64, error) {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, "Pss:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("no Pss in a process's smaps_rollup")
}
