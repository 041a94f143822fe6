package play

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/process"
)

// locate makes the paths of a config absolute, so that the tournament can be
// resumed from another folder, and reports missing programs.
func locate(c *config.Config) error {
	var errs []error
	for i := range c.Engines {
		e := &c.Engines[i]
		e.Args = slices.Clone(e.Args)
		program, err := process.Find(e.Args[0], e.Dir)
		if err != nil {
			errs = append(errs, fmt.Errorf("engine %s: %w", e.Name, err))
		}
		e.Args[0] = program
		errs = append(errs, absolute(&e.Dir), absolute(&e.Stderr))
	}
	if c.Openings.File != opening.BuiltinFile {
		errs = append(errs, absolute(&c.Openings.File))
	}
	return errors.Join(errs...)
}

func absolute(path *string) (err error) {
	if *path != "" {
		*path, err = filepath.Abs(*path)
	}
	return err
}

// identify returns the hashes of everything results depend on. The hash of an
// engine covers its program and all files among its arguments, such as a
// script.
func identify(c *config.Config, book []byte) (journal.Hashes, error) {
	var h journal.Hashes
	for i := range c.Engines {
		sum, err := hashFiles(c.Engines[i].Args)
		if err != nil {
			return h, fmt.Errorf("engine %s: %w", c.Engines[i].Name, err)
		}
		h.Engines = append(h.Engines, sum)
	}
	if c.Openings.File != "" {
		sum := sha256.Sum256(book)
		h.Openings = hex.EncodeToString(sum[:])
	}
	if self, err := os.Executable(); err == nil {
		h.Program, _ = hashFiles([]string{self})
	}
	return h, nil
}

// hashFiles returns the hash of the first file and of those others that exist.
func hashFiles(paths []string) (string, error) {
	sum := sha256.New()
	for i, path := range paths {
		if info, err := os.Stat(path); i > 0 && (err != nil || !info.Mode().IsRegular()) {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(sum, f)
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// host describes this machine.
func host() journal.Host {
	return journal.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Model: cpuModel()}
}

// cpuModel returns the name of the processor where Linux reports it.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if key, value, ok := strings.Cut(in.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
