//go:build unix

package protocol

import (
	"syscall"
	"time"
)

// suspend stops the process for some time, as managers do with the engine
// that is not to move.
func (p *player) suspend(d time.Duration) {
	if p.proc == nil {
		p.t.Skip("needs a process")
	}
	p.proc.Signal(syscall.SIGSTOP)
	time.Sleep(d)
	p.proc.Signal(syscall.SIGCONT)
}
