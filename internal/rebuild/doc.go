// Package rebuild builds cells from the rows of the index: accounts, the dictionary of a block's transactions, and blocks. What
// it builds has the hash that the chain names, so rows are checked against the chain without a network, and parts of blocks and
// accounts can be proven to others.
//
// Rows have the fields that queries need. The rest of a cell is stored beside them in a compact form: [AccountRest] for an
// account, [Frame] for a block. Both are made together with the row, and both are tried at once: a cell that its columns do not
// give is stored in another form, as the cell itself with its large parts cut off. So a row that has a rest can be built into its
// cell, whatever the cell is.
//
// Rows may be damaged. No function panics; what is no cell of the chain gives an error or another hash.
package rebuild
