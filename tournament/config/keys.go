package config

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A key is a setting of a T that flags and files can change.
type key[T any] struct {
	name, arg, help string // arg is "" for switches
	access[T]
}

// An access sets a value from its text and returns its text, which is "" for a
// value that says nothing, such as 0 for no limit.
type access[T any] struct {
	set func(*T, string) error
	get func(*T) string
}

// keyNames returns the names of keys.
func keyNames[T any](keys []key[T]) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// explain returns the help text of a key with its default in dflt.
func (k *key[T]) explain(dflt *T) string {
	if value := k.get(dflt); value != "" && k.arg != "" {
		return fmt.Sprintf("%s (default %s)", k.help, value)
	}
	return k.help
}

// assign sets one of the keys.
func assign[T any](keys []key[T], dst *T, a assignment) error {
	i := slices.IndexFunc(keys, func(k key[T]) bool { return k.name == a.key })
	if i < 0 {
		return fmt.Errorf("unknown key %q, want one of %s", a.key, strings.Join(slices.Sorted(slices.Values(keyNames(keys))), ", "))
	}
	if err := keys[i].set(dst, a.value); err != nil {
		return fmt.Errorf("%s: %w", a.key, err)
	}
	return nil
}

func boolean[T any](field func(*T) *bool) access[T] {
	return access[T]{
		func(t *T, s string) (err error) {
			if *field(t), err = strconv.ParseBool(s); err != nil {
				err = fmt.Errorf("invalid value %q, want true or false", s)
			}
			return err
		},
		func(*T) string { return "" },
	}
}

// A whole is an integer type of counts and the like.
type whole interface{ ~int | ~int64 | ~uint64 }

func integer[T any, N whole](field func(*T) *N) access[T] {
	return access[T]{
		func(t *T, s string) error {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil || int64(N(n)) != n {
				return invalidNumber(s, err)
			}
			*field(t) = N(n)
			return nil
		},
		func(t *T) string {
			if *field(t) == 0 {
				return ""
			}
			return fmt.Sprint(*field(t))
		},
	}
}

func number[T any](field func(*T) *float64) access[T] {
	return access[T]{
		func(t *T, s string) error {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				return invalidNumber(s, err)
			}
			*field(t) = f
			return nil
		},
		func(t *T) string { return strconv.FormatFloat(*field(t), 'g', -1, 64) },
	}
}

// invalidNumber returns the error of a text that is not a number, or too large.
func invalidNumber(s string, err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("number %q is too large", s)
	}
	return fmt.Errorf("invalid number %q", s)
}

func duration[T any](field func(*T) *time.Duration) access[T] {
	return access[T]{
		func(t *T, s string) (err error) { *field(t), err = parseSeconds(s); return err },
		func(t *T) string { return seconds(*field(t)) },
	}
}

func word[T any](field func(*T) *string) access[T] {
	return access[T]{
		func(t *T, s string) error { *field(t) = s; return nil },
		func(t *T) string { return *field(t) },
	}
}

func choice[T any, V ~string](field func(*T) *V, values ...V) access[T] {
	return access[T]{
		func(t *T, s string) error { return choose(field(t), s, values...) },
		func(t *T) string { return string(*field(t)) },
	}
}

// A textual value has its own text form.
type textual interface {
	encoding.TextUnmarshaler
	fmt.Stringer
}

func text[T any, V textual](field func(*T) V) access[T] {
	return access[T]{
		func(t *T, s string) error { return field(t).UnmarshalText([]byte(s)) },
		func(t *T) string { return field(t).String() },
	}
}

func resources[T any](field func(*T) *[]Resource) access[T] {
	return access[T]{
		func(t *T, s string) (err error) { *field(t), err = parseResources(s); return err },
		func(*T) string { return "" },
	}
}
