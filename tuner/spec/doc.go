// Package spec reads the TOML file that says what to tune.
//
// Reading is strict and has two steps. Parse knows the dialect alone: keys, types, domains,
// the safety rules for driver settings. Bind knows the family too: its parameters, its problem
// fields, its baseline. Both report the first fault as an *Error that names file, line and column.
package spec
