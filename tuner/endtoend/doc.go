// Package endtoend holds the tests of the program as a whole: the command line's contract as
// scripts, what the README shows, a real driver's arms, interrupts and kills, and the rules for
// imports between rooms. It has tests only; they run in the module's root folder.
package endtoend
