// Package actionphase executes what follows the compute phase of a transaction: the action phase, the bounce that it may cause, and the
// account after them. It follows the rules of every global version from 0 to 15, of lists that fail above all: which fees a failed list
// has, what is left of the account and of the message's value, and which lists are refused before any of their actions is performed.
//
// The phases before it come from a transaction that another executor made; [Redo] makes the transaction again from them.
package actionphase
