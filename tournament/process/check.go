package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Find returns the absolute path of a program, looked up as a shell does and
// then in dir, unless that is "".
func Find(program, dir string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil && dir != "" && !filepath.IsAbs(program) {
		if p, err2 := exec.LookPath(filepath.Join(dir, program)); err2 == nil {
			path, err = p, nil
		}
	}
	if err != nil {
		return "", explain(program, err)
	}
	return filepath.Abs(path)
}

// Check starts an engine and ends it at once. The error is that of Start, or
// names a missing program that a script runs with env, or a missing file that
// an interpreter is given: in these cases the system would start env or the
// interpreter. Unlimited says why the system does not enforce the engine's
// memory limit, if it has one; see Process.LimitError.
func Check(s Spec) (unlimited, err error) {
	cmd, err := command(s)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkScript(cmd), checkArgument(cmd)); err != nil {
		return nil, explain(cmd.Path, err)
	}
	if err := checkStderr(s.Stderr); err != nil {
		return nil, err
	}
	s.Stderr = "" // what it writes now belongs to no game's log
	p, err := Start(s)
	if err != nil {
		return nil, err
	}
	p.Stop("", 0)
	return p.LimitError(), nil
}

// checkStderr reports why errors could not be appended to a file. It leaves no
// file behind that was not there before.
func checkStderr(path string) error {
	_, err := os.Stat(path)
	created := errors.Is(err, fs.ErrNotExist)
	file, _, err := openCapped(path)
	if file == nil {
		return err
	}
	err = file.Close()
	if target, err2 := filepath.EvalSymlinks(path); created && err2 == nil {
		err = errors.Join(err, os.Remove(target)) // the link stays
	}
	return err
}

// checkScript looks for the program that the first line of a script runs with
// env.
func checkScript(cmd *exec.Cmd) error {
	f, err := os.Open(cmd.Path)
	if err != nil {
		return nil // it may be executable but not readable
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head) // a short read will do
	name := wanted(head[:n])
	if name == "" {
		return nil
	}
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(cmd.Dir, name)
		}
		_, err := os.Stat(name)
		return err
	}
	for _, dir := range filepath.SplitList(variable(cmd.Env, "PATH")) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return nil
		}
	}
	return fmt.Errorf("its first line asks env for %q, which is not in PATH: %w", name, fs.ErrNotExist)
}

// runners match programs that run the file given as their first argument.
var runners = regexp.MustCompile(`^(python|pypy|perl|ruby|node|lua|php|sh|bash|dash|ksh|zsh|wine|wine64|mono|java)[0-9.]*(\.exe)?$`)

// checkArgument looks for the file that a program such as python is given to
// run. What follows an option may be anything, except after java -jar.
func checkArgument(cmd *exec.Cmd) error {
	args := cmd.Args[1:]
	runner := strings.ToLower(filepath.Base(cmd.Args[0]))
	if !runners.MatchString(runner) {
		return nil
	}
	if strings.HasPrefix(runner, "java") {
		i := slices.Index(args, "-jar")
		if i < 0 {
			return nil
		}
		args = args[i+1:]
	}
	// A word without a dot or a slash may be something else, such as one of
	// Wine's own programs, and one with a backslash is for Wine to interpret.
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || !strings.ContainsAny(args[0], "./") || strings.Contains(args[0], `\`) {
		return nil
	}
	file := args[0]
	if !filepath.IsAbs(file) {
		file = filepath.Join(cmd.Dir, file)
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("its argument %q in %s: %w", args[0], cmd.Dir, fs.ErrNotExist)
	}
	return nil
}

// wanted returns the program that the first line of a script runs with env, or
// "": #!/usr/bin/env python3, also with options and variables before it.
func wanted(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	words := strings.Fields(string(bytes.TrimSuffix(line, []byte("\r"))))
	if len(words) == 0 || filepath.Base(words[0]) != "env" {
		return ""
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
			return w
		}
	}
	return ""
}

// variable returns the last value of a variable in an environment.
func variable(env []string, name string) string {
	value := ""
	for _, v := range env {
		if s, ok := strings.CutPrefix(v, name+"="); ok {
			value = s
		}
	}
	return value
}
