//go:build !unix

package tournament

import "os/exec"

func separate(*exec.Cmd) {}

func killAll(cmd *exec.Cmd) error { return cmd.Process.Kill() }
