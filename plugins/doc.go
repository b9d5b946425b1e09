// Package plugins is the vocabulary shared by the tuner core, kernel families and runners.
//
// A family describes a kind of kernel (its parameters, its problems, how a configuration is
// launched, what it should compute); it is data and mathematics and never touches a driver.
// A runner, always our own binary, compiles, guards and times on one device in one arm.
// The two never trust each other: a family cannot certify its own kernels.
//
// The package holds domain types only. The wire forms live in plugins/internal/pb and do not
// leave the plugins folder.
package plugins
