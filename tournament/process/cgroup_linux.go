package process

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A cgroup is a control group (cgroups(7), version 2) of an engine and all that
// it starts. It needs a part of the hierarchy that has been delegated to us,
// for instance by
//
//	systemd-run --user --scope -p Delegate=yes COMMAND
type cgroup struct {
	path string
	dir  *os.File // for clone3, until the engine has been started
}

// newCgroup makes a group below parent with a memory limit.
func newCgroup(parent string, bytes int64) (*cgroup, error) {
	g := &cgroup{path: filepath.Join(parent, "engine-"+rand.Text())}
	if err := os.Mkdir(g.path, 0o755); err != nil {
		return nil, err
	}
	err := g.write("memory.max", fmt.Sprint(bytes))
	if err == nil {
		g.write("memory.swap.max", "0")  // fails if there is no swap
		g.write("memory.oom.group", "1") // since Linux 4.19
		g.dir, err = os.Open(g.path)
	}
	if err != nil {
		os.Remove(g.path)
		return nil, err
	}
	return g, nil
}

func (g *cgroup) write(file, text string) error { return writeTo(filepath.Join(g.path, file), text) }

// fd returns the descriptor for clone3, valid until started is called.
func (g *cgroup) fd() int { return int(g.dir.Fd()) }

// started closes the descriptor.
func (g *cgroup) started() { g.dir.Close() }

// kill kills all processes of the group (since Linux 5.14).
func (g *cgroup) kill() { g.write("cgroup.kill", "1") }

// remove removes the group and reports whether it could, which it can once the
// last process has gone.
func (g *cgroup) remove() bool { return os.Remove(g.path) == nil }

// oom reports whether the kernel has killed a process of the group for lack of
// memory.
func (g *cgroup) oom() bool {
	events, err := os.ReadFile(filepath.Join(g.path, "memory.events"))
	return err == nil && oomKills(string(events))
}

// oomKills reports whether memory.events counts any kills.
func oomKills(events string) bool {
	for line := range strings.Lines(events) {
		if key, n, _ := strings.Cut(strings.TrimSpace(line), " "); key == "oom_kill" {
			return n != "0"
		}
	}
	return false
}

// delegatedCgroup returns the directory in which we may make groups with memory
// limits.
func delegatedCgroup() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	dir, err := ownCgroup(string(mounts), string(groups))
	if err != nil {
		return "", err
	}
	return dir, openCgroup(dir)
}

// ownCgroup returns the directory of our own group, from proc_pid_mountinfo(5)
// and proc_pid_cgroup(5).
func ownCgroup(mounts, groups string) (string, error) {
	point := ""
	for line := range strings.Lines(mounts) {
		left, right, _ := strings.Cut(line, " - ")
		fields := strings.Fields(left) // id, parent, device, root, mount point
		if strings.HasPrefix(right, "cgroup2 ") && len(fields) >= 5 && fields[3] == "/" {
			point = fields[4]
		}
	}
	for line := range strings.Lines(groups) {
		if path, ok := strings.CutPrefix(line, "0::"); ok && point != "" {
			return filepath.Join(point, strings.TrimSuffix(path, "\n")), nil
		}
	}
	return "", errors.New("no cgroup v2")
}

// openCgroup prepares our own group, dir, for subgroups that limit memory. A
// group with such subgroups may have no processes itself, so we move to a
// subgroup as well.
func openCgroup(dir string) error {
	control := filepath.Join(dir, "cgroup.subtree_control")
	text, err := os.ReadFile(control)
	if err != nil {
		return err
	}
	if hasWord(string(text), "memory") {
		return nil
	}
	text, err = os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return err
	}
	if !hasWord(string(text), "memory") {
		return fmt.Errorf("no memory controller in %s", dir)
	}
	own := filepath.Join(dir, fmt.Sprintf("harness-%d", os.Getpid()))
	if err := os.Mkdir(own, 0o755); err != nil {
		return err
	}
	pid := fmt.Sprint(os.Getpid())
	err = writeTo(filepath.Join(own, "cgroup.procs"), pid)
	if err == nil {
		if err = writeTo(control, "+memory"); err == nil {
			return nil
		}
		err = errors.Join(err, writeTo(filepath.Join(dir, "cgroup.procs"), pid))
	}
	return errors.Join(err, os.Remove(own))
}

func hasWord(text, word string) bool {
	for w := range strings.FieldsSeq(text) {
		if w == word {
			return true
		}
	}
	return false
}

// writeTo writes to an existing file.
func writeTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
