// Package digests has hashes of the rows of the index, of all and of those of a range of masterchain blocks.
package digests
