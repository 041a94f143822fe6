package notation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A PGNGame is a game of a PGN file, without its moves.
type PGNGame struct {
	Line   int               // where it starts, from 1
	Tags   map[string]string // White, Black, Result and others
	Result string            // 1-0, 0-1, 1/2-1/2, or * if it is unknown
}

// ReadPGN reads the games of a PGN file in import format: any white space
// separates tags and moves, and comments, variations and escaped lines are
// allowed. The text is UTF-8, UTF-16 with a byte order mark, or Latin-1, which the
// standard requires.
//
// A game ends with its result, or, in a file without moves, before White, Black,
// Result or another tag of the standard's roster is repeated. Every game must have
// two names and a result. An error is an *[Error].
func ReadPGN(text []byte) ([]PGNGame, error) {
	p := &pgn{lexer: lexer{text: decodeUTF16(text), line: 1}}
	for {
		t, err := p.next()
		if err == nil {
			err = p.take(t)
		}
		if err != nil {
			return nil, err
		}
		if t.kind == endOfText {
			return p.games, nil
		}
	}
}

// decodeUTF16 converts text from UTF-16 to UTF-8 if it starts with a byte order
// mark of UTF-16. It drops the mark, including that of UTF-8.
func decodeUTF16(text []byte) string {
	if len(text) < 2 || text[0]^text[1] != 0xFE^0xFF || text[0] < 0xFE {
		return strings.TrimPrefix(string(text), "\uFEFF")
	}
	high := 0
	if text[0] == 0xFF {
		high = 1 // little-endian
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, uint16(text[i+high])<<8|uint16(text[i+1-high]))
	}
	return string(utf16.Decode(units))
}

// roster are the tags that a game has once: a repeated one begins the next game.
var roster = []string{"Event", "Site", "Date", "Round", "White", "Black", "Result"}

// results are the marks that end a game.
var results = []string{"1-0", "0-1", "1/2-1/2", "*"}

// A pgn is the state of a file being read.
type pgn struct {
	lexer
	games []PGNGame
	game  PGNGame // Line is 0 before its first token
	moves bool    // it has movetext
	open  []int   // lines of the parentheses of variations
}

// take processes a token. The end of the text ends a game.
func (p *pgn) take(t token) error {
	if t.kind == endOfText {
		return p.end()
	}
	if p.game.Line == 0 {
		p.game = PGNGame{Line: t.line, Tags: make(map[string]string)}
	}
	switch t.kind {
	case tagPair:
		return p.tag(t)
	case openVariation:
		p.open = append(p.open, t.line)
	case closeVariation:
		if len(p.open) == 0 {
			return &Error{t.line, errors.New(`")" without "("`)}
		}
		p.open = p.open[:len(p.open)-1]
	default:
		if len(p.open) == 0 && slices.Contains(results, t.text) {
			p.game.Result = t.text
			return p.end()
		}
	}
	p.moves = true
	return nil
}

// tag processes a tag, which may begin another game.
func (p *pgn) tag(t token) error {
	name := t.text
	for _, r := range roster {
		if strings.EqualFold(name, r) {
			name = r
		}
	}
	_, twice := p.game.Tags[name]
	if p.moves || twice && slices.Contains(roster, name) {
		if err := p.end(); err != nil {
			return err
		}
		p.game = PGNGame{Line: t.line, Tags: make(map[string]string)}
	}
	p.game.Tags[name] = t.value
	return nil
}

// end ends the game, if one has begun.
func (p *pgn) end() error {
	g := p.game
	if g.Line == 0 {
		return nil
	}
	if len(p.open) > 0 {
		return &Error{p.open[len(p.open)-1], errors.New(`"(" without ")"`)}
	}
	for _, name := range []string{"White", "Black"} {
		switch who, ok := g.Tags[name]; {
		case !ok:
			return &Error{g.Line, errors.New("game without a tag " + name)}
		case strings.TrimSpace(who) == "" || who == "?":
			return &Error{g.Line, fmt.Errorf("unknown player: %s is %q", name, who)}
		}
	}
	if g.Tags["White"] == g.Tags["Black"] {
		return &Error{g.Line, fmt.Errorf("game of %q against itself", g.Tags["White"])}
	}
	switch tag, ok := g.Tags["Result"]; {
	case ok && !slices.Contains(results, tag):
		return &Error{g.Line, fmt.Errorf("unknown result %q", tag)}
	case !ok && g.Result == "":
		return &Error{g.Line, fmt.Errorf("game of %q and %q without a result", g.Tags["White"], g.Tags["Black"])}
	case g.Result == "" || g.Result == "*" && ok:
		g.Result = tag
	case ok && tag != "*" && tag != g.Result:
		return &Error{g.Line, fmt.Errorf("result %q in the tags, but %q after the moves", tag, g.Result)}
	}
	p.games = append(p.games, g)
	p.game, p.moves = PGNGame{}, false
	return nil
}

// A token is a tag or an element of the movetext.
type token struct {
	kind        tokenKind
	line        int
	text, value string // of a tag: its name and value
}

type tokenKind int

const (
	endOfText tokenKind = iota
	tagPair
	symbol // a move, its number, a NAG or a result
	openVariation
	closeVariation
)

// A lexer splits a text into tokens.
type lexer struct {
	text string
	at   int
	line int
}

// peek returns the next rune and its size, or 0 at the end. A byte that is not
// UTF-8 is Latin-1.
func (l *lexer) peek() (r rune, size int) {
	if l.at == len(l.text) {
		return 0, 0
	}
	r, size = utf8.DecodeRuneInString(l.text[l.at:])
	if r == utf8.RuneError && size == 1 {
		r = rune(l.text[l.at])
	}
	return r, size
}

// skip advances by a rune. CR, LF and CR LF end a line.
func (l *lexer) skip() {
	r, size := l.peek()
	l.at += size
	if r == '\n' || r == '\r' && !strings.HasPrefix(l.text[l.at:], "\n") {
		l.line++
	}
}

// skipLine advances to the end of the line.
func (l *lexer) skipLine() {
	for r, size := l.peek(); size > 0 && r != '\n' && r != '\r'; r, size = l.peek() {
		l.at += size
	}
}

// startsLine reports whether the lexer is at the start of a line.
func (l *lexer) startsLine() bool {
	return l.at == 0 || l.text[l.at-1] == '\n' || l.text[l.at-1] == '\r'
}

// blanks skips white space, comments, and lines that begin with %.
func (l *lexer) blanks() error {
	for {
		switch r, size := l.peek(); {
		case size == 0:
			return nil
		case r == ';' || r == '%' && l.startsLine():
			l.skipLine()
		case r == '{':
			line := l.line
			for r != '}' {
				if l.skip(); l.at == len(l.text) {
					return &Error{line, errors.New(`"{" without "}"`)}
				}
				r, _ = l.peek()
			}
			l.skip()
		case unicode.IsSpace(r) || r == '\uFEFF':
			l.skip()
		default:
			return nil
		}
	}
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.blanks(); err != nil {
		return token{}, err
	}
	t := token{line: l.line}
	switch r, size := l.peek(); {
	case size == 0:
		return t, nil
	case r == '[':
		return l.tag()
	case r == '(' || r == ')':
		l.skip()
		if t.kind = openVariation; r == ')' {
			t.kind = closeVariation
		}
		return t, nil
	case strings.ContainsRune(`]}"`, r):
		return t, &Error{l.line, fmt.Errorf("unexpected %q", r)}
	}
	begin := l.at
	for r, size := l.peek(); size > 0 && !unicode.IsSpace(r) && !strings.ContainsRune(`[](){}";`, r); r, size = l.peek() {
		l.at += size
	}
	t.kind, t.text = symbol, l.text[begin:l.at]
	return t, nil
}

// tag reads a tag, such as [White "A"].
func (l *lexer) tag() (token, error) {
	t := token{kind: tagPair, line: l.line}
	l.skip()
	if err := l.blanks(); err != nil {
		return t, err
	}
	begin := l.at
	for r, size := l.peek(); r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r); r, size = l.peek() {
		l.at += size
	}
	if t.text = l.text[begin:l.at]; t.text == "" {
		return t, &Error{t.line, errors.New("tag without a name")}
	}
	if err := l.blanks(); err != nil {
		return t, err
	}
	if r, _ := l.peek(); r != '"' {
		return t, &Error{t.line, fmt.Errorf("the value of tag %s is not in quotes", t.text)}
	}
	var err error
	if t.value, err = l.quoted(); err != nil {
		return t, err
	}
	if err := l.blanks(); err != nil {
		return t, err
	}
	if r, _ := l.peek(); r != ']' {
		return t, &Error{t.line, fmt.Errorf("tag %s: no %q after its value", t.text, ']')}
	}
	l.skip()
	return t, nil
}

// quoted reads a value in quotes, in which \" is a quote and \\ a backslash.
func (l *lexer) quoted() (string, error) {
	var b strings.Builder
	line := l.line
	l.skip()
	for {
		switch r, size := l.peek(); {
		case size == 0 || r == '\n' || r == '\r':
			return "", &Error{line, errors.New("unterminated quote")}
		case r == '"':
			l.skip()
			return b.String(), nil
		case r == '\\' && (strings.HasPrefix(l.text[l.at:], `\"`) || strings.HasPrefix(l.text[l.at:], `\\`)):
			b.WriteByte(l.text[l.at+1])
			l.at += 2
		default:
			b.WriteRune(r)
			l.at += size
		}
	}
}
