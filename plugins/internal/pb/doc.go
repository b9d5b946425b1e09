// Package pb is the generated wire form of the plugins vocabulary. Only plugins/internal/wire
// converts between the two, and nothing outside the plugins folder sees either.
package pb

//go:generate go run ./gen
