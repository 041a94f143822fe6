package protocol

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// A limit of memory that is lowered, or raised and lowered, holds after every
// reply from then on: what the tables took goes back to the system.
func TestMemoryGivenBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	t.Parallel()
	const mib = 1 << 20
	sequences := [][]string{
		{"max_memory 134217728", "thread_num 2", "thread_num 1", "max_memory 25165824"},
		{"max_memory 134217728", "hash_size 1024", "hash_size 32768"},
		{"max_memory 134217728", "max_memory 33554432", "max_memory 134217728", "max_memory 100663296"},
		{"max_memory 134217728", "max_memory 25165824", "max_memory 25165824"},
	}
	if !long() {
		sequences = sequences[:2]
	}
	for _, steps := range sequences {
		t.Run(fmt.Sprint(steps), func(t *testing.T) {
			s := newProcess(t)
			ask := func(text string) string {
				s.send(text)
				return s.next(patience)
			}
			if got := ask("START 20\n"); got != "OK" {
				t.Fatalf("START: %s", got)
			}
			s.send("INFO max_node 60000\nINFO timeout_turn 15000\n")
			limit, most := int64(0), int64(0)
			check := func(what string) {
				t.Helper()
				used, err := readMemory(s.proc.Pid)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: %d MiB of %d", what, used/mib, limit/mib)
				most = max(most, used)
				if limit > 0 && used > limit {
					t.Errorf("%s: %d MiB in use, the limit is %d", what, used/mib, limit/mib)
				}
			}
			for i, step := range steps {
				var n int64
				if _, err := fmt.Sscanf(step, "max_memory %d", &n); err == nil {
					limit = n
				} else if _, err := fmt.Sscanf(step, "hash_size %d", &n); err == nil {
					limit = min(134217728, 2*n<<10+32*mib)
				}
				s.send("INFO " + step + "\n")
				ask("ABOUT\n") // the reply says that INFO has been obeyed
				check(step)
				for move := range 3 {
					ask(fmt.Sprintf("BOARD\n10,10,1\n11,%d,2\n9,9,1\n12,%d,2\nDONE\n", 8+move, 11+i))
					check(fmt.Sprintf("%s, move %d", step, move+1))
				}
			}
			if most < 60*mib {
				t.Errorf("%d MiB at most: nothing was filled that could be given back", most/mib)
			}
			start := time.Now()
			if got := ask("START 15\n"); got != "OK" || time.Since(start) > time.Second+*slackFlag {
				t.Errorf("START: %s after %v", got, time.Since(start))
			}
		})
	}
}

// A process that plays one rule after another keeps its limit: the tables of a
// rule go when the next one begins.
func TestMemoryOfRules(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	t.Parallel()
	const limit = 32 << 20
	s := newProcess(t)
	s.send(fmt.Sprintf("INFO max_memory %d\nINFO max_node 3000\nINFO timeout_turn 15000\n", limit))
	for _, size := range []int{20, 32, 15} {
		s.send(fmt.Sprintf("START %d\n", size))
		if got := s.next(patience); got != "OK" {
			t.Fatalf("START: %s", got)
		}
		for _, rule := range []int{0, 1, 4, 9, 8} {
			s.send(fmt.Sprintf("INFO rule %d\nBOARD\n10,10,1\n11,8,2\n9,9,1\n12,11,2\nDONE\n", rule))
			s.next(patience)
			used, err := readMemory(s.proc.Pid)
			if err != nil {
				t.Fatal(err)
			}
			if used > limit {
				t.Errorf("%dx%d, rule %d: %d MiB in use, the limit is %d", size, size, rule, used>>20, limit>>20)
			}
		}
	}
}
