package game

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// usage returns the state letter of a process and its use of processors, in
// clock ticks.
func usage(t testing.TB, pid int) (state string, ticks int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	for _, i := range []int{11, 12} { // utime and stime, from proc_pid_stat(5)
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return fields[0], ticks
}
