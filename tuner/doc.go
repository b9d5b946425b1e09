// Package tuner is the core: it asks a search strategy for configurations, has a family build
// them, has runners compile, guard and race them, keeps every evaluation, and says which
// configuration is best, or that the baseline stands.
//
// The core never loads a driver. Families and runners are other processes; one that dies costs
// one verdict and is replaced.
package tuner

// Version is the tool's version, set when the binary is linked.
var Version = "devel"
