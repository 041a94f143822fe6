package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A shape describes a table of a file: the types of its keys. It is turned into
// a struct, since only for structs does the decoder report the position of an
// unknown key.
type shape map[string]reflect.Type

var anyType = reflect.TypeFor[any]()

// shapeOf returns a shape with the given keys, of any type.
func shapeOf[T any](keys []key[T], more ...string) shape {
	s := shape{}
	for _, k := range keys {
		s[k.name] = anyType
	}
	for _, k := range more {
		s[k] = anyType
	}
	return s
}

// structType returns a struct type with a field for every key.
func (s shape) structType() reflect.Type {
	var list []reflect.StructField
	for i, key := range slices.Sorted(maps.Keys(s)) {
		list = append(list, reflect.StructField{
			Name: "F" + strconv.Itoa(i),
			Type: s[key],
			Tag:  reflect.StructTag(fmt.Sprintf("toml:%q", key)),
		})
	}
	return reflect.StructOf(list)
}

// fileShape returns the shape of a whole file.
func fileShape() shape {
	engine := shapeOf(engineKeys, "args", "env", "info").structType()
	file := shape{
		"engine":   reflect.SliceOf(engine),
		"each":     reflect.PointerTo(engine),
		"openings": reflect.PointerTo(shapeOf(openingKeys).structType()),
		"sprt":     reflect.PointerTo(shapeOf(sprtKeys).structType()),
		"draw":     reflect.PointerTo(shapeOf(drawKeys).structType()),
		"resign":   reflect.PointerTo(shapeOf(resignKeys).structType()),
		"preset":   anyType,
	}
	for _, st := range settings {
		file[st.name] = anyType
	}
	return file
}

// decode parses a file. Errors begin with the line.
//
// It does so twice, as the decoder does not tell errors of the syntax from values of
// another kind than a key takes; of the latter it would name the Go types that stand
// for the tables here.
func decode(text []byte) (map[string]any, error) {
	var syntax map[string]any
	if err := toml.Unmarshal(text, &syntax); err != nil {
		return nil, decodeError(err, func(e *toml.DecodeError) string { return strings.TrimPrefix(e.Error(), "toml: ") })
	}
	v := reflect.New(fileShape().structType())
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(v.Interface())
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		e := missing.Errors[0]
		line, _ := e.Position()
		return nil, fmt.Errorf("%d: unknown key %s", line, strings.Join(e.Key(), "."))
	}
	if err != nil {
		return nil, decodeError(err, kindText)
	}
	return table(v.Elem()), nil
}

// decodeError returns an error of the decoder with its place and the given text.
func decodeError(err error, text func(*toml.DecodeError) string) error {
	e, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return fmt.Errorf(" %w", err)
	}
	line, column := e.Position()
	return fmt.Errorf("%d:%d: %s", line, column, text(e))
}

// kindText returns the text of an error about a value that is no table, where a table
// has to be.
func kindText(e *toml.DecodeError) string {
	key := strings.Join(e.Key(), ".")
	switch key {
	case "":
		return "a value of the wrong kind"
	case "engine":
		return "engine must be tables: [[engine]], one for each engine"
	}
	return fmt.Sprintf("%s must be a table: [%s]", key, key)
}

// table returns the keys of a decoded struct that are present in the file.
func table(v reflect.Value) map[string]any {
	m := make(map[string]any)
	for i := range v.NumField() {
		key, field := v.Type().Field(i).Tag.Get("toml"), v.Field(i)
		switch {
		case field.Kind() == reflect.Slice:
			list := make([]map[string]any, field.Len())
			for j := range list {
				list[j] = table(field.Index(j))
			}
			m[key] = list
		case field.IsNil():
		case field.Kind() == reflect.Pointer:
			m[key] = table(field.Elem())
		default:
			m[key] = field.Interface()
		}
	}
	return m
}
