// Package endurance holds the long checks of the whole program on a real driver: tuning runs
// that are killed again and again, and one of ten thousand evaluations. It has tests only; their
// short forms run with every other test, the long ones with `make check-kill` and
// `make check-soak`.
package endurance
