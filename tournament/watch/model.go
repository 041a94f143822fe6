package watch

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A model is the state of the screen as a tea.Model. It is a value: Update
// returns a new one.
type model struct {
	state
	width, height int
	dark, colors  bool
	poll          func(after time.Duration) tea.Cmd // sends a *snapshot
	err           error                             // that ended the program
}

// errNoTerminal is returned if the output is not a terminal.
var errNoTerminal = errors.New("the output is not a terminal: use status instead of watch")

func newModel(poll func(time.Duration) tea.Cmd) model {
	m := model{dark: true, colors: true, poll: poll}
	m.theme = newTheme(m.dark, m.colors)
	return m
}

// Init requests the first snapshot and the background color: terminals that do
// not answer are mostly dark.
func (m model) Init() tea.Cmd { return tea.Batch(m.poll(0), tea.RequestBackgroundColor) }

// Update handles a message.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case *snapshot:
		m.snapshot = msg
		return m, m.poll(pollInterval)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		if m.width <= 0 { // a terminal is never that narrow
			m.err = errNoTerminal
			return m, tea.Quit
		}
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.theme = newTheme(m.dark, m.colors)
	case tea.EnvMsg:
		m.colors = msg.Getenv("NO_COLOR") == "" // see no-color.org
		m.theme = newTheme(m.dark, m.colors)
	case tea.KeyPressMsg:
		return m.press(msg.String())
	}
	return m, nil
}

// press handles a key.
func (m model) press(key string) (tea.Model, tea.Cmd) {
	switch key {
	case "q", "ctrl+c":
		return m, tea.Quit
	case "ctrl+z":
		return m, tea.Suspend
	}
	if m.help || key == "?" {
		m.help = !m.help
		return m, nil
	}
	if m.snapshot == nil || m.summary == nil || m.width < minWidth || m.height < minHeight {
		return m, nil
	}
	l := m.layout(m.width, m.height)
	rows := m.rows(l)
	switch key {
	case "tab", "right", "l":
		m.first++
	case "shift+tab", "left", "h":
		m.first--
	case "n", "space":
		m.first += l.boards()
	case "p":
		m.first -= l.boards()
	case "down", "j":
		m.scroll++
	case "up", "k":
		m.scroll--
	case "pgdown":
		m.scroll += rows
	case "pgup":
		m.scroll -= rows
	case "home", "g":
		m.first, m.scroll = 0, 0
	}
	m.first, m.scroll = m.firstBoard(l), m.firstRow(rows)
	return m, nil
}

// View draws the screen.
func (m model) View() tea.View {
	v := tea.NewView(view(m.state, m.width, m.height))
	v.AltScreen = true
	return v
}
