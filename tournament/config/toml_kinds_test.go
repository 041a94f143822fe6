package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestKinds gives every key of a file, and of its tables, a value of every kind. No
// error names a type of Go.
func TestKinds(t *testing.T) {
	values := []string{`"x"`, "7", "1.5", "true", "[]", `["x"]`, "[1, 2]", "{}", `{ a = 1 }`, "[{ a = 1 }]", "2026-12-01", "12:30:00"}
	check := func(text string) {
		t.Helper()
		var l Loader
		err := l.ReadFile("file.toml", []byte(text))
		if err == nil && !strings.Contains(text, "engine") {
			l.file.engines = []engineSource{engine("A"), engine("B")}
		}
		if err == nil {
			_, err = l.Config()
		}
		if err == nil {
			return
		}
		for _, word := range []string{"struct", "interface", "reflect", "map[", "int64", "float64", "Go value", "<nil>", "LocalDate", "LocalTime"} {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s: the error says %q: %v", text, word, err)
			}
		}
	}
	for key := range fileShape() {
		for _, v := range values {
			check(fmt.Sprintf("%s = %s\n", key, v))
		}
		check(fmt.Sprintf("[%s]\n", key))
		check(fmt.Sprintf("[[%s]]\n", key))
	}
	for table, keys := range map[string][]string{
		"[[engine]]": names(engineKeys), "[each]": names(engineKeys), "[openings]": names(openingKeys),
		"[sprt]": names(sprtKeys), "[draw]": names(drawKeys), "[resign]": names(resignKeys),
	} {
		for _, key := range keys {
			for _, v := range values {
				check(fmt.Sprintf("%s\n%s = %s\n", table, key, v))
			}
		}
	}
}

// engine returns an engine of a file.
func engine(name string) engineSource {
	return engineSource{keys: []assignment{{"name", name}, {"cmd", "./pbrain"}}}
}

// names returns the names of keys.
func names[T any](keys []key[T]) []string {
	set := map[string]bool{}
	for _, k := range keys {
		set[k.name] = true
	}
	return slices.Sorted(maps.Keys(set))
}
