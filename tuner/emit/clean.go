package emit

import (
	"reflect"
	"strings"
	"unicode"
)

// clean returns a copy without control and format characters in any string: device names and
// programs' words end up on terminals. Absent lists and maps become empty ones, so that readers
// find [] and {} rather than null.
func (r Result) clean() Result {
	return cleanValue(reflect.ValueOf(r)).Interface().(Result)
}

// strip drops what a terminal acts on rather than shows.
func strip(s string) string {
	return strings.Map(func(r rune) rune {
		if r != ' ' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func cleanValue(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(strip(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(cleanValue(v.Field(i)))
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(cleanValue(v.Index(i)))
		}
	case reflect.Map:
		out.Set(reflect.MakeMap(v.Type()))
		for _, k := range v.MapKeys() {
			out.SetMapIndex(cleanValue(k), cleanValue(v.MapIndex(k)))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		if v.Kind() == reflect.Interface {
			return cleanValue(v.Elem())
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(cleanValue(v.Elem()))
	default:
		return v
	}
	return out
}
