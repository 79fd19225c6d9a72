// Package validator reads validator sets and finds the validators that sign masterchain blocks, from cells alone.
//
// The set in force is configuration parameter 35, the temporary validators, or parameter 34 when 35 is absent. A set has
// one of two constructors (validators#11, without the total weight, and validators_ext#12), and so has each entry
// (validator#53, without an ADNL id, and validator_addr#73). The masterchain is signed by the first main entries of the
// list, in an order that parameter 28 decides ([Session]).
//
// Cells may come from a Merkle proof. Only what decides is read, so the rest may be pruned. A pruned branch where
// something is read is an error and never counts as absence.
package validator
