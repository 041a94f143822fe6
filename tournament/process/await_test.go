package process

import (
	"fmt"
	"testing"
	"time"
)

// awaitLine waits as long as tests are patient.
func awaitLine(t *testing.T, p *Process) (Line, bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if l, ok, open := p.Await(deadline); ok || !open {
			return l, open
		}
	}
	t.Fatal("no line")
	return Line{}, false
}

// TestAwait asks an echo for one line after the other. Whoever reads, a line
// must not be missed until the next look.
func TestAwait(t *testing.T) {
	p := start(t, fake(t, echo))
	slow := 0
	for i := range 500 {
		want := fmt.Sprint("line ", i)
		sent, err := p.Send(want)
		if err != nil {
			t.Fatal(err)
		}
		if i%100 == 99 {
			time.Sleep(2 * glanceForTests) // it is read without us
		}
		l, open := awaitLine(t, p)
		if !open || l.Text != want || l.At.Before(sent) {
			t.Fatalf("%+v, open %v; want %q", l, open, want)
		}
		if i%100 != 99 && l.At.Sub(sent) > 40*time.Millisecond {
			slow++
		}
	}
	if slow > 25 {
		t.Errorf("%d of 500 answers took more than 40 ms", slow)
	}
	if l, ok, open := p.Await(time.Now()); ok || !open {
		t.Errorf("%+v, %v, %v; want nothing", l, ok, open)
	}
}

const glanceForTests = 10 * time.Millisecond

// TestAwaitEnd mixes both ways to receive, until the engine ends.
func TestAwaitEnd(t *testing.T) {
	p := start(t, fake(t, echo))
	if _, err := p.Send("a", "b", "c"); err != nil {
		t.Fatal(err)
	}
	if l, _ := awaitLine(t, p); l.Text != "a" {
		t.Errorf("%+v, want a", l)
	}
	if l := <-p.Lines(); l.Text != "b" {
		t.Errorf("%+v, want b", l)
	}
	if l, _ := awaitLine(t, p); l.Text != "c" {
		t.Errorf("%+v, want c", l)
	}
	p.Kill()
	if l, open := awaitLine(t, p); open {
		t.Errorf("%+v, want the end", l)
	}
	if _, ok := <-p.Lines(); ok {
		t.Error("Lines is not closed")
	}
}
