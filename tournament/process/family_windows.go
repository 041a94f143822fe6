package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// killCode is the exit code of processes we kill.
const killCode = 0x4B494C4C

// A family is an engine's process and all that it has started: a job object,
// which nothing can leave and which ends with us.
type family struct {
	cmd      *exec.Cmd
	limitErr error // always nil

	mu  sync.Mutex
	job windows.Handle // 0 once closed
}

// startFamily starts cmd.
//
// The engine is put into its job just after it has started. Processes that it
// starts before that escape, but starting one takes it longer than us.
func startFamily(cmd *exec.Cmd, s Spec) (*family, error) {
	if s.CPUs != nil {
		return nil, fmt.Errorf("binding to processors: %w", errors.ErrUnsupported)
	}
	job, err := newJob(s.Memory)
	if err != nil {
		return nil, fmt.Errorf("job object: %w", err)
	}
	f := &family{cmd: cmd, job: job}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW, HideWindow: true}
	if err := cmd.Start(); err != nil {
		f.close()
		return nil, err
	}
	outer := cmd.Process.WithHandle(func(h uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(h)) })
	if err := errors.Join(outer, err); err != nil && !ended(cmd.Process) {
		cmd.Process.Kill()
		cmd.Wait()
		f.close()
		return nil, fmt.Errorf("job object: %w", err)
	}
	return f, nil
}

// ended reports whether a process has ended, which may happen before it is put
// into its job.
func ended(p *os.Process) (yes bool) {
	p.WithHandle(func(h uintptr) {
		event, err := windows.WaitForSingleObject(windows.Handle(h), 0)
		yes = err == nil && event == windows.WAIT_OBJECT_0
	})
	return yes
}

// newJob makes a job that is killed when we end, with a memory limit unless
// memory is 0.
func newJob(memory int64) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if memory > 0 {
		info.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		info.JobMemoryLimit = uintptr(memory)
	}
	// The system takes the address of a structure as a number.
	v := reflect.ValueOf(&info)
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		v.Pointer(), uint32(v.Type().Elem().Size()))
	runtime.KeepAlive(&info)
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// query fills the structure at info with information of a class.
func (f *family) query(class int32, info any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job == 0 {
		return windows.ERROR_INVALID_HANDLE
	}
	v := reflect.ValueOf(info)
	err := windows.QueryInformationJobObject(f.job, class, v.Pointer(), uint32(v.Type().Elem().Size()), nil)
	runtime.KeepAlive(info)
	return err
}

// wait waits for the engine to end, kills what is left of its family and
// reports whether anything was left.
func (f *family) wait() (left bool) {
	f.cmd.Wait() // how it ended is in ProcessState
	// A job notices a little later than we do that a process has ended.
	const tries = 10
	for try := 0; try < tries && f.active() > 0; try++ {
		time.Sleep(drain / tries)
	}
	left = f.active() > 0
	f.kill()
	return left
}

// active returns the number of processes in the job.
func (f *family) active() uint32 {
	var info struct { // JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
		TotalUserTime, TotalKernelTime, PeriodUserTime, PeriodKernelTime int64
		PageFaults, TotalProcesses, ActiveProcesses, TerminatedProcesses uint32
	}
	if f.query(windows.JobObjectBasicAccountingInformation, &info) != nil {
		return 0
	}
	return info.ActiveProcesses
}

func (f *family) release() { f.close() }

func (f *family) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	windows.CloseHandle(f.job)
	f.job = 0
}

func (f *family) kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job != 0 {
		windows.TerminateJobObject(f.job, killCode)
	}
}

// There is no documented way to suspend a process.
func (f *family) suspend() {}
func (f *family) resume()  {}

// oom is unknown: at the limit an allocation fails, and the engine may go on.
func (f *family) oom() bool { return false }

// memory returns what the job has committed.
func (f *family) memory() (int64, bool) {
	const memoryUsage = 28 // JobObjectMemoryUsageInformation, since Windows 10
	var info struct {      // JOBOBJECT_MEMORY_USAGE_INFORMATION
		JobMemory, PeakJobMemoryUsed uint64
	}
	if f.query(memoryUsage, &info) != nil {
		return 0, false
	}
	return int64(info.JobMemory), true
}

// exitOf returns how a process ended.
func exitOf(s *os.ProcessState, killed bool) Exit {
	return Exit{Code: s.ExitCode(), Killed: killed && s.ExitCode() == killCode}
}

// codeText names an exit code. Those of crashes are better known in hex.
func codeText(code int) string {
	if name, ok := map[uint32]string{
		0xC0000005: "access violation",
		0xC0000094: "integer division by zero",
		0xC00000FD: "stack overflow",
		0xC0000135: "DLL not found",
		0xC0000374: "heap corruption",
	}[uint32(code)]; ok {
		return fmt.Sprintf("code %#x (%s)", uint32(code), name)
	}
	if uint32(code) >= 0x80000000 {
		return fmt.Sprintf("code %#x", uint32(code))
	}
	return fmt.Sprintf("code %d", code)
}

// tryWrite writes nothing: files do not support non-blocking writes.
func tryWrite(syscall.RawConn, []byte) (int, error) { return 0, nil }
