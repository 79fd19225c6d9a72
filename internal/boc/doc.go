// Package boc reads the header and the root of a bag of cells where it lies, without building cells. Messages, states and raw transactions are
// stored as bags of cells, and often the first bytes of one are all that a reader needs.
package boc
