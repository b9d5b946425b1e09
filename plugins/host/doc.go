// Package host finds, starts, watches and kills the processes that serve families and runners.
//
// Every process is the leader of its own group, reads nothing (stdin is the null device), has
// exactly the environment that it is given, and goes when this process goes, however this one
// dies. Their answers are checked as a stranger's. host never loads a driver.
package host
