package fakeengine

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// Marked returns the other processes with a variable such as KUMIKO_TEST=1 in
// their environment: everything started by an engine with that mark, whoever
// its parent is by now. It finds nothing without /proc.
func Marked(t testing.TB, mark string) (pids []int) {
	t.Helper()
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// NoneLeft fails the test if a process with a mark is left.
func NoneLeft(t testing.TB, mark string) {
	t.Helper()
	for _, pid := range Marked(t, mark) {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		t.Errorf("process %d is left: %q", pid, name)
	}
}
