package check

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"kumiko/tournament/process"
)

// Options say what to check. The zero value checks everything except slow
// vectors for an engine that supports freestyle.
type Options struct {
	// Slow also runs the vectors that take minutes.
	Slow bool

	// Only lists the names of the vectors to run, or the letters of their
	// groups; nil means all.
	Only []string

	// Rules are the codes of the rules that the engine supports; nil means 0.
	// Errors with other rules are notes.
	Rules []int

	// Turn is the time per move where a vector does not set one; 0 means 250
	// ms.
	Turn time.Duration

	// Start is the time that a process has for its first answer to START, as in
	// tournaments; 0 means [DefaultStart].
	Start time.Duration

	// Slack is added to all time limits, for slow machines.
	Slack time.Duration

	// Quiet is how long no output counts as silence; 0 means 300 ms.
	Quiet time.Duration
}

// DefaultStart is the default time to start up, as in tournaments.
const DefaultStart = 30 * time.Second

const (
	usualLimit   = 2 * time.Second // for an answer that needs no thought
	shortLimit   = time.Second / 2 // the same for an optional answer
	tolerance    = time.Second     // granted per move by managers
	endLimit     = time.Second     // after END, before we kill
	maxSilent    = 2               // consecutive unanswered STARTs before giving up
	detailGaveUp = "not run: START is not answered"
)

// Run checks the engine that spec starts. It calls report with each result,
// those about the output as a whole last, and returns when no process is left.
// An error means that the engine could not be started, that ctx was done, or
// that o is invalid.
func Run(ctx context.Context, spec process.Spec, o Options, report func(Result)) (Summary, error) {
	vectors, err := parseVectors(vectorText)
	if err != nil {
		return Summary{}, err
	}
	if err := o.normalize(vectors); err != nil {
		return Summary{}, err
	}
	r := &runner{ctx: ctx, spec: spec, o: o, seen: &hygiene{faults: map[string][]string{}}}
	if !slices.ContainsFunc(vectors, func(v *vector) bool { return v.id == "h1" && o.wants(v) }) {
		if err := r.measureStart(); err != nil {
			return Summary{}, err
		}
	}
	var results []Result
	for _, monitors := range []bool{false, true} {
		for _, v := range vectors {
			if (v.monitor != "") != monitors || !o.wants(v) {
				continue
			}
			result, err := r.run(v)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return Summarize(results), err
			}
			results = append(results, result)
			report(result)
		}
	}
	return Summarize(results), nil
}

// normalize fills in defaults.
func (o *Options) normalize(vectors []*vector) error {
	if o.Turn == 0 {
		o.Turn = 250 * time.Millisecond
	}
	if o.Start == 0 {
		o.Start = DefaultStart
	}
	if o.Quiet == 0 {
		o.Quiet = 300 * time.Millisecond
	}
	if o.Rules == nil {
		o.Rules = []int{0}
	}
	for _, name := range o.Only {
		if !slices.ContainsFunc(vectors, func(v *vector) bool { return v.isNamed(name) }) {
			return fmt.Errorf("check: unknown vector %q", name)
		}
	}
	return nil
}

// isNamed reports whether name names the vector or its group.
func (v *vector) isNamed(name string) bool {
	return name == v.id || name == v.id[:1]
}

// wants reports whether to run a vector.
func (o *Options) wants(v *vector) bool {
	return o.Only == nil || slices.ContainsFunc(o.Only, v.isNamed)
}

// A runner runs vectors one after another.
type runner struct {
	ctx    context.Context
	spec   process.Spec
	o      Options
	seen   *hygiene
	silent int // consecutive unanswered STARTs

	startUp time.Duration // the longest start of a process
	slow    bool          // the slow start has been reported
	deaf    bool          // the engine has survived an END: waiting is pointless
}

// run runs a vector under each of its rules.
func (r *runner) run(v *vector) (Result, error) {
	result := Result{Group: v.group, ID: v.id, Title: v.title, Why: v.why, Managers: v.managers}
	rules := v.rules
	switch {
	case v.monitor != "":
		if faults := r.seen.faults[v.monitor]; len(faults) > 0 {
			result.Status, result.Detail = Fail, strings.Join(faults, "\n")
		}
		return result, nil
	case v.slow && !r.o.Slow && !slices.Contains(r.o.Only, v.id):
		result.Status, result.Detail = Skip, detailSlow
		return result, nil
	case r.silent >= maxSilent:
		result.Status, result.Detail = Skip, detailGaveUp
		return result, nil
	case v.claimed:
		rules = r.o.Rules
	case rules == nil:
		rules = []int{-1}
	}
	begin := time.Now()
	for _, rule := range rules {
		status, detail, err := r.once(v, rule)
		if err != nil {
			return result, err
		}
		if rule >= 0 && len(rules) > 1 && detail != "" {
			detail = fmt.Sprintf("rule %d: %s", rule, detail)
		}
		result.add(status, detail)
	}
	result.Took = time.Since(begin)
	return result, nil
}

// severity orders statuses: a result of several runs has the most severe.
func (s Status) severity() int { return [...]int{Pass: 0, Skip: 1, Note: 2, Fail: 3}[s] }

// add adds the outcome of one run to a result.
func (r *Result) add(s Status, detail string) {
	switch {
	case s == Note && r.Status == Note && detail != "":
		r.Detail += "\n" + detail
	case s.severity() > r.Status.severity():
		r.Status, r.Detail = s, detail
	}
}

// An outcome is the outcome of a step.
type outcome struct {
	status Status
	detail string
	end    bool // ends the vector
}

// once runs a vector in its own process, under a rule unless it is -1.
func (r *runner) once(v *vector, rule int) (Status, string, error) {
	s, err := r.open()
	if err != nil {
		return Fail, "", err
	}
	defer func() { r.close(s) }()
	r.seen.vector, r.seen.off = v.id, len(v.managers) == 0
	var notes []string
	for i := range v.steps {
		step := &v.steps[i]
		if step.rule >= 0 && step.rule != rule {
			continue
		}
		if step.verb == fresh {
			r.close(s)
			next, err := r.open()
			if err != nil {
				return Fail, "", err
			}
			s = next
			continue
		}
		o, err := r.do(s, step, rule)
		if err != nil {
			return Fail, "", err
		}
		if o.status == Fail || o.status == Skip {
			return o.status, o.detail + "\n" + strings.Join(s.talk, "\n"), nil
		}
		if o.detail != "" {
			notes = append(notes, o.detail)
		}
		if o.end {
			r.seen.off = true // later output answers nothing that was understood
			break
		}
	}
	if !s.gone {
		s.drain(lastSettle)
		if s.ended() {
			return Fail, s.died() + "\n" + strings.Join(s.talk, "\n"), nil
		}
	}
	if len(notes) > 0 {
		return Note, strings.Join(notes, "\n"), nil
	}
	return Pass, "", nil
}

// open starts the engine.
func (r *runner) open() (*session, error) {
	p, err := process.Start(r.spec)
	if err != nil {
		return nil, err
	}
	return &session{ctx: r.ctx, process: p, table: newTable(), seen: r.seen}, nil
}

// measureStart measures the start-up time of the engine, as vector h1 does if
// it is run.
func (r *runner) measureStart() error {
	s, err := r.open()
	if err != nil {
		return err
	}
	defer r.close(s)
	r.seen.off = true
	if s.say([]string{"START 20"}) == nil {
		if line, event := s.receive(s.sent.Add(r.o.Start)); event == lineCame {
			r.startUp = line.At.Sub(s.sent)
		}
	}
	return r.ctx.Err()
}

// close ends the engine. Output that comes too late is ignored.
func (r *runner) close(s *session) {
	grace := endLimit
	if r.deaf {
		grace = settle
	}
	if s.process.Stop("END", grace) {
		r.deaf = true
	}
	if err := s.process.Flood(); err != nil {
		r.seen.add("form", err.Error(), "")
	}
	if text := s.process.Stderr(); len(text) > 0 {
		line, _, _ := strings.Cut(string(text), "\n")
		r.seen.add("stderr", "on standard error", line)
	}
}

// ended reports whether the process has ended.
func (s *session) ended() bool {
	select {
	case <-s.process.Done():
		return true
	default:
		return false
	}
}

// died describes how the process ended, or that its output has.
func (s *session) died() string {
	select {
	case <-s.process.Done():
		return fmt.Sprintf("the process %v", s.process.Exit())
	case <-time.After(endLimit):
		return "the process has closed its output"
	}
}

// do executes a step.
func (r *runner) do(s *session, step *step, rule int) (outcome, error) {
	switch step.verb {
	case send:
		var lines []string
		for _, line := range step.lines {
			lines = append(lines, s.expand(line, rule, r.o.Turn))
		}
		return s.try(s.say(lines))
	case start:
		return r.start(s, step.size, rule)
	case expect:
		return r.expect(s, step, rule), nil
	case wait:
		return s.try(r.sleep(step.within))
	case suspend:
		if runtime.GOOS == "windows" {
			return outcome{status: Note, detail: "not checked: a process cannot be suspended on Windows", end: true}, nil
		}
		s.process.Suspend()
		return s.try(r.sleep(step.within))
	case resume:
		s.process.Resume()
		s.sent = time.Now() // no process can have answered earlier
		return outcome{}, nil
	case closeInput:
		s.sent = time.Now()
		go s.process.Stop("", time.Minute) // until close comes
		return outcome{}, nil
	case clock:
		return r.clock(s, step)
	case games:
		return r.games(s, step)
	case selfplay:
		return r.selfplay(s, step)
	}
	return outcome{}, fmt.Errorf("check: no such step: %s", step.text)
}

// try converts an error of the pipe or the process to an outcome.
func (s *session) try(err error) (outcome, error) {
	switch {
	case err == nil:
		return outcome{}, nil
	case s.ctx.Err() != nil:
		return outcome{}, s.ctx.Err()
	}
	select {
	case <-s.process.Done():
		return outcome{status: Fail, detail: s.died()}, nil
	case <-time.After(usualLimit):
		return outcome{status: Fail, detail: err.Error()}, nil
	}
}

// sleep waits, unless ctx is done.
func (r *runner) sleep(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// start begins an ordinary game.
func (r *runner) start(s *session, size, rule int) (outcome, error) {
	if err := s.say([]string{fmt.Sprintf("START %d", size)}); err != nil {
		return s.try(err)
	}
	ready := stepOf(want{form: formReady})
	line, event := s.receive(s.sent.Add(r.limit(s, &ready)))
	switch {
	case event == processGone:
		return outcome{status: Fail, detail: s.died()}, nil
	case event == timeOver:
		r.silent++
		return outcome{status: Skip, detail: fmt.Sprintf("START %d is not answered", size)}, s.ctx.Err()
	case ready.faultOf(s.table, line) != "":
		return outcome{status: Skip, detail: fmt.Sprintf("START %d is answered by %s", size, shown(line.Text))}, nil
	}
	r.silent = 0
	slow := r.started(s, line)
	info := []string{fmt.Sprintf("INFO timeout_turn %d", r.o.Turn.Milliseconds())}
	if rule >= 0 {
		info = append(info, fmt.Sprintf("INFO rule %d", rule))
	}
	o, err := s.try(s.say(info))
	if o.detail == "" {
		o.detail = slow
	}
	return o, err
}

// expect waits for an answer and checks it.
func (r *runner) expect(s *session, step *step, rule int) outcome {
	if step.wants[0].form == formCode {
		return s.exitCode(step.wants[0].counts)
	}
	deadline := s.sent.Add(r.limit(s, step))
	if step.has(formSilent) {
		deadline = time.Now().Add(r.o.Quiet)
	}
	for {
		line, event := s.receive(deadline)
		switch event {
		case timeOver:
			if step.has(formSilent) {
				return outcome{}
			}
			return r.missing(s, step)
		case processGone:
			if !step.has(formExit) {
				return outcome{status: Fail, detail: s.died()}
			}
			s.gone = true
			return r.exited(s, step, deadline)
		}
		if step.has(formExit) && isMove(line.Text) && s.table.asked > 0 {
			s.took(line.Text)
			continue
		}
		fault := step.faultOf(s.table, line)
		if fault != "" && step.wants[0].errors && hasWord(line.Text, "ERROR") {
			continue
		}
		s.took(line.Text)
		if fault == "" {
			if step.has(formReady) || step.has(formOK) {
				r.silent = 0
				if slow := r.started(s, line); slow != "" {
					return outcome{status: Note, detail: slow}
				}
			}
			return r.timely(step, line.At.Sub(s.sent))
		}
		return r.wrong(step, line.Text, fault, rule)
	}
}

// has reports whether a form is among the wanted ones.
func (s *step) has(f form) bool {
	return slices.ContainsFunc(s.wants, func(w want) bool { return w.form == f })
}

// started records an answer to START, the first of a process, and reports once
// if it was slow.
func (r *runner) started(s *session, line process.Line) (slow string) {
	if s.ready {
		return ""
	}
	s.ready = true
	took := line.At.Sub(s.sent)
	r.startUp = max(r.startUp, took)
	if took <= usualLimit+r.o.Slack || r.slow {
		return ""
	}
	r.slow = true
	return fmt.Sprintf("slow start: START was answered after %d ms; GomocupJudge counts them as time of the game", took.Milliseconds())
}

// limit returns the time for an answer.
func (r *runner) limit(s *session, step *step) time.Duration {
	limit := r.usualLimit(step)
	switch {
	case s.ready:
	case step.level == must && (step.has(formReady) || step.has(formOK)):
		limit = max(limit, r.o.Start+r.o.Slack)
	case s.lines == 0: // the engine may be starting up
		limit += r.startUp
	}
	return limit
}

// usualLimit returns the limit for an engine that is ready.
func (r *runner) usualLimit(step *step) time.Duration {
	switch {
	case step.within > 0:
		return step.within + r.o.Slack
	case step.has(formMove), step.has(formPoints):
		return r.o.Turn + tolerance + r.o.Slack
	case step.level != must:
		return shortLimit + r.o.Slack
	case step.has(formReady):
		return max(usualLimit, r.o.Start) + r.o.Slack
	}
	return usualLimit + r.o.Slack
}

// timely returns the outcome of a good answer, depending on its time.
func (r *runner) timely(s *step, took time.Duration) outcome {
	if s.ideally == 0 || took <= s.ideally+r.o.Slack {
		return outcome{}
	}
	return outcome{status: Note, detail: fmt.Sprintf("%s took %d ms, %d would be good",
		s.describe(), took.Milliseconds(), s.ideally.Milliseconds())}
}

// faultOf returns what is wrong with an answer, or "".
func (s *step) faultOf(t *table, line process.Line) string {
	first := ""
	for _, w := range s.wants {
		fault := t.satisfies(w, line.Text)
		if w.lf && line.CR {
			fault = "it ends with CR, not with LF alone"
		}
		if fault == "" {
			return ""
		}
		if first == "" {
			first = fault
		}
	}
	return first
}

// wrong returns the outcome of a wrong answer.
func (r *runner) wrong(step *step, line, fault string, rule int) outcome {
	detail := fmt.Sprintf("expected %s, received %s: %s", step.describe(), shown(line), fault)
	refused := hasWord(line, "ERROR") || hasWord(line, "UNKNOWN")
	switch {
	case step.level == should:
		return outcome{status: Note, detail: detail}
	case step.level == optional && refused:
		return outcome{status: Note, detail: "not supported: " + shown(line), end: true}
	case rule >= 0 && !slices.Contains(r.o.Rules, rule):
		return outcome{status: Note, detail: detail, end: true}
	}
	return outcome{status: Fail, detail: detail}
}

// missing returns the outcome of a missing answer.
func (r *runner) missing(s *session, step *step) outcome {
	detail := fmt.Sprintf("expected %s, received nothing within %v", step.describe(), r.limit(s, step))
	if step.level == must && (step.has(formReady) || step.has(formOK)) {
		r.silent++
	}
	switch {
	case step.has(formExit):
	case step.level == optional:
		return outcome{status: Note, detail: "not supported: no answer", end: true}
	case step.level == must:
		detail += s.hint()
	}
	if step.level == should {
		return outcome{status: Note, detail: detail}
	}
	return outcome{status: Fail, detail: detail}
}

// hint suggests why an answer is missing. It ends the process, which reveals
// what the engine keeps in a buffer.
func (s *session) hint() string {
	before := s.lines
	s.process.Stop("END", endLimit)
	s.gone = true
	for range s.process.Lines() {
		s.lines++
	}
	switch {
	case s.process.Partial() != "":
		return fmt.Sprintf(", but %s without the end of a line", shown(s.process.Partial()))
	case s.lines > before && before == 0:
		return ", but something when the process ended: the engine does not flush stdout"
	case s.lines > before:
		return ", but something after END"
	case before == 0:
		return "; no bytes received though the process is alive: does the engine flush stdout?"
	}
	return ""
}

// exited returns the outcome when the process has closed its output.
func (r *runner) exited(s *session, step *step, deadline time.Time) outcome {
	select {
	case <-s.process.Done():
		return r.timely(step, time.Since(s.sent))
	case <-time.After(time.Until(deadline)):
		return outcome{status: Fail, detail: "the process has closed its output, and does not end"}
	}
}

// exitCode returns the outcome for the exit of the process.
func (s *session) exitCode(codes []int) outcome {
	if exit := s.process.Exit(); !slices.Contains(codes, exit.Code) {
		return outcome{status: Note, detail: "the process " + exit.String()}
	}
	return outcome{}
}
