package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestParseStat(t *testing.T) {
	for text, want := range map[string]string{
		"1234 (sh) S 1 1234 77 0 -1 4194304": "{sh false 77} <nil>",
		"1234 (a) Z 1 (b)) Z 1 2 3 4":        "{a) Z 1 (b) true 3} <nil>",
		"1234 () X 0 0 0":                    "{ true 0} <nil>",
		"1234 (\n) R -1 -1 -1":               "{\n false -1} <nil>",
		"":                                   "{ false 0} no name in a process's stat",
		"1234 )sh( S 1 2 3":                  "{ false 0} no name in a process's stat",
		"1234 (sh) S 1 2":                    "{ false 0} no session in a process's stat",
		"1234 (sh) S 1 2 x":                  `{sh false 0} strconv.Atoi: parsing "x": invalid syntax`,
		"1234 (sh) S 1 2 99999999999999999999999999": `{sh false 9223372036854775807} strconv.Atoi: parsing "99999999999999999999999999": value out of range`,
	} {
		st, err := parseStat(text)
		if got := fmt.Sprint(st, " ", err); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	// The session is 0 in a container whose session began outside of it.
	session, err := unix.Getsid(0)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := readStat(os.Getpid()); err != nil || st.zombie || st.session != session {
		t.Errorf("we are %+v, %v; want session %d", st, err, session)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("sh", 7)
	f.Add(") Z 1 2 (", -1)
	f.Fuzz(func(t *testing.T, name string, session int) {
		for _, state := range []string{"S", "Z"} {
			st, err := parseStat(fmt.Sprintf("12 (%s) %s 1 2 %d 4 5", name, state, session))
			if err != nil || st != (stat{name, state == "Z", session}) {
				t.Errorf("got %+v, %v", st, err)
			}
		}
		parseStat(name) // must not panic
	})
}

func TestParsePSS(t *testing.T) {
	for text, want := range map[string]int64{
		"00400000-7fff [rollup]\nRss:      900 kB\nPss:        12 kB\nPss_Dirty:   7 kB\n": 12 << 10,
		"Pss: 0 kB":             0,
		"Pss_Dirty:   7 kB\n":   -1,
		"":                      -1,
		"Pss: many kB\n":        -1,
		"Pss:\t1234567890 kB\n": 1234567890 << 10,
	} {
		got, err := parsePSS(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
	if n, err := proportionalSetSize(os.Getpid()); err != nil || n < 1<<20 {
		t.Errorf("we use %d bytes, %v", n, err)
	}
}

func TestOwnCgroup(t *testing.T) {
	const v1 = "24 30 0:21 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n"
	const v2 = "30 1 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	const hybrid = "31 1 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	const bound = "32 1 0:27 /some/group /elsewhere rw - cgroup2 cgroup2 rw\n"
	for _, tt := range []struct{ mounts, groups, want string }{
		{v2, "0::/user.slice/run-1.scope\n", "/sys/fs/cgroup/user.slice/run-1.scope"},
		{v1 + hybrid, "4:memory:/x\n0::/\n", "/sys/fs/cgroup/unified"},
		{v1, "4:memory:/x\n", ""},
		{v1, "0::/x\n", ""},
		{v2, "4:memory:/x\n", ""},
		{bound, "0::/x\n", ""},
		{"30 - cgroup2 \n", "0::/x\n", ""},
		{"", "", ""},
	} {
		got, err := ownCgroup(tt.mounts, tt.groups)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q, %q: got %q, %v", tt.mounts, tt.groups, got, err)
		}
	}
}

// cgroupFiles makes a directory that looks like a control group.
func cgroupFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpenCgroup(t *testing.T) {
	// What has been opened already needs nothing.
	dir := cgroupFiles(t, map[string]string{"cgroup.subtree_control": "cpu memory\n"})
	if err := openCgroup(dir); err != nil {
		t.Error(err)
	}
	// In an ordinary directory we cannot move, as there is no cgroup.procs.
	dir = cgroupFiles(t, map[string]string{"cgroup.subtree_control": "cpu\n", "cgroup.controllers": "cpu memory pids\n"})
	if err := openCgroup(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "harness-*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
	for _, files := range []map[string]string{
		{},
		{"cgroup.subtree_control": ""},
		{"cgroup.subtree_control": "", "cgroup.controllers": "cpu memories\n"},
	} {
		if err := openCgroup(cgroupFiles(t, files)); err == nil {
			t.Errorf("%q can limit memory", files)
		}
	}
	if _, err := newCgroup(t.TempDir(), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a group without memory.max: %v", err)
	}
}

func TestOOMKills(t *testing.T) {
	for events, want := range map[string]bool{
		"low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n": true,
		"low 1\nhigh 1\nmax 12\noom 1\noom_kill 0\noom_group_kill 1\n": false,
		"":            false,
		"oom_kill 12": true,
	} {
		if got := oomKills(events); got != want {
			t.Errorf("%q: got %v", strings.ReplaceAll(events, "\n", "; "), got)
		}
	}
}
