// Package rawtx reads raw transactions: bags of cells with one transaction$0111 each, as the index stores them. It reads the bits of
// the fields where they lie and builds no cells, which takes a tenth of the time of parsing the bag.
//
// Raw transactions come from proven blocks, from nodes, and from storage that may be damaged. Every function returns an error for a
// malformed one, and its work is bounded by the length of the bag and by a [Budget].
package rawtx
