package watch

import (
	"image/color"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A pollCount stands for the reader: it counts how often it was asked.
type pollCount struct{ after []time.Duration }

func (p *pollCount) poll(after time.Duration) tea.Cmd {
	p.after = append(p.after, after)
	return func() tea.Msg { return nil }
}

// newTestModel returns a model that has size and a state of so many boards.
func newTestModel(games int) model {
	m := newModel(new(pollCount).poll)
	m.width, m.height = 80, 24
	m.snapshot = sample(hostile, fifteen, games).snapshot
	return m
}

// send sends messages and returns the last command.
func send(t *testing.T, m model, messages ...tea.Msg) (model, tea.Cmd) {
	t.Helper()
	var cmd tea.Cmd
	for _, msg := range messages {
		var next tea.Model
		next, cmd = m.Update(msg)
		m = next.(model)
	}
	return m, cmd
}

// key returns the message that a key sends.
func key(name string) tea.Msg {
	codes := map[string]tea.Key{
		"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
		"right": {Code: tea.KeyRight}, "left": {Code: tea.KeyLeft}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
		"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome},
		"space":  {Code: tea.KeySpace, Text: " "},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl},
	}
	if k, ok := codes[name]; ok {
		return tea.KeyPressMsg(k)
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}

// TestKeys presses keys at a screen that has room for one of four boards, and
// for some of twelve engines.
func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		keys          []string
		first, scroll int
	}{
		{nil, 0, 0},
		{[]string{"tab"}, 1, 0},
		{[]string{"tab", "right", "l"}, 3, 0},
		{[]string{"tab", "tab", "tab", "tab", "tab", "left"}, 2, 0},
		{[]string{"left", "shift+tab", "h", "p"}, 0, 0},
		{[]string{"n", "space", "p"}, 1, 0},
		{[]string{"down", "j", "up"}, 0, 1},
		{[]string{"up", "k", "pgup"}, 0, 0},
		{[]string{"pgdown", "pgdown"}, 0, 2}, // ten of twelve have room
		{[]string{"pgdown", "down", "pgup"}, 0, 0},
		{[]string{"n", "down", "home"}, 0, 0},
		{[]string{"n", "down", "x", "5", "Q"}, 1, 1}, // keys without a meaning
	} {
		m := newTestModel(4)
		for _, k := range tt.keys {
			m, _ = send(t, m, key(k))
		}
		if m.first != tt.first || m.scroll != tt.scroll {
			t.Errorf("%q: board %d, engine %d, want %d, %d", tt.keys, m.first, m.scroll, tt.first, tt.scroll)
		}
	}
}

// TestPages leaves through boards on a screen that has room for several.
func TestPages(t *testing.T) {
	m := newTestModel(11)
	m.width = 130 // room for three
	var got []int
	for _, k := range []string{"n", "n", "n", "n", "p", "p", "right", "p"} {
		m, _ = send(t, m, key(k))
		got = append(got, m.first)
	}
	want := []int{3, 6, 8, 8, 5, 2, 3, 0}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("boards from %v, want %v", got, want)
		}
	}
}

func TestQuit(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c"} {
		for _, m := range []model{newTestModel(4), newModel(new(pollCount).poll)} {
			if _, cmd := send(t, m, key("?"), key(k)); cmd == nil || cmd() != tea.Quit() {
				t.Errorf("%s does not quit", k)
			}
		}
	}
	if _, cmd := send(t, newTestModel(1), key("ctrl+z")); cmd == nil || cmd() != tea.Suspend() {
		t.Error("ctrl+z does not suspend")
	}
}

func TestHelp(t *testing.T) {
	m, _ := send(t, newTestModel(4), key("?"))
	if !m.help {
		t.Error("no help")
	}
	if m, _ = send(t, m, key("n")); m.help || m.first != 0 {
		t.Error("a key does more than leave the help")
	}
}

// TestEarlyKeys makes sure that keys do no harm before there is anything.
func TestEarlyKeys(t *testing.T) {
	m, _ := send(t, newModel(new(pollCount).poll), key("n"), key("down"), &snapshot{}, key("tab"), key("pgdown"))
	if m.first != 0 || m.scroll != 0 {
		t.Errorf("board %d, engine %d", m.first, m.scroll)
	}
	small := newTestModel(4)
	if small, _ = send(t, small, tea.WindowSizeMsg{Width: 5, Height: 2}, key("n"), key("down")); small.first != 0 {
		t.Errorf("board %d", small.first)
	}
}

func TestSnapshots(t *testing.T) {
	polls := new(pollCount)
	m := newModel(polls.poll)
	m.Init()
	s := sample(hostile, fifteen, 2).snapshot
	m, cmd := send(t, m, s)
	if m.snapshot != s || cmd == nil {
		t.Error("a snapshot is not shown, or no other asked for")
	}
	if len(polls.after) != 2 || polls.after[0] != 0 || polls.after[1] != pollInterval {
		t.Errorf("asked after %v", polls.after)
	}
}

// TestFewerGames shows the last boards when those that were shown are gone.
func TestFewerGames(t *testing.T) {
	m := newTestModel(8)
	m.first = 7
	m.snapshot = sample(hostile, fifteen, 3).snapshot
	l := m.layout(m.width, m.height)
	if got := m.firstBoard(l); got != 2 {
		t.Errorf("the first board is %d, want 2", got)
	}
}

func TestSurroundings(t *testing.T) {
	m := newTestModel(1)
	dark := view(m.state, 80, 24)
	m, _ = send(t, m, tea.BackgroundColorMsg{Color: color.White})
	light := view(m.state, 80, 24)
	if light == dark {
		t.Error("a light background changes nothing")
	}
	if m, _ = send(t, m, tea.EnvMsg{"NO_COLOR="}); view(m.state, 80, 24) != light {
		t.Error("NO_COLOR is empty but means something")
	}
	if m, _ = send(t, m, tea.EnvMsg{"NO_COLOR=please"}); view(m.state, 80, 24) == light {
		t.Error("NO_COLOR means nothing")
	}
	m, _ = send(t, m, tea.WindowSizeMsg{Width: 120, Height: 50})
	if v := m.View(); !v.AltScreen || v.Content != view(m.state, 120, 50) {
		t.Error("the view does not have the size of the window")
	}
	m, cmd := send(t, m, tea.WindowSizeMsg{})
	if m.err != errNoTerminal || cmd == nil || cmd() != tea.Quit() {
		t.Error("a screen without size does not end it")
	}
}
