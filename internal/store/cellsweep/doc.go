// Package cellsweep removes cells that no state of an account refers to any more.
package cellsweep
