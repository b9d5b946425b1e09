// Package mutants measures the guard: it breaks shaders on purpose, one defect each, and
// counts how many of the broken ones the guard refuses (mutation testing; DeMillo, Lipton and
// Sayward, Hints on Test Data Selection, 1978), and how many right ones it refuses.
//
// The subjects are the shipped shaders and, where no family has them yet, test shaders under
// testdata. A mutant is source text with one edit, compiled by the pinned compiler and guarded
// in a runner process of its own. RESULTS.md holds the outcome; checkmutants writes it.
package mutants
