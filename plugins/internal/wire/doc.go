// Package wire carries the plugins vocabulary between processes: the two conversions
// (family_convert.go, runner_convert.go), the servers and clients on top of them, and the one
// way in which every process of ours serves (Serve). It is the only package that knows both
// the domain types and the generated ones.
package wire
