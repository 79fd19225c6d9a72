package chaintest

import (
	"encoding/binary"
	"fmt"

	"tonql/internal/chain"
)

// Kind distinguishes the hashes of one name: a block has a root hash and a file hash.
type Kind byte

// The kinds of hashes.
const (
	Tx      Kind = iota + 1
	State        // of the account after the transaction of this name
	Message      // of a message
	Root         // of a block
	File         // of a block
	Norm         // normalised, of an external-in message
	Action       // for tests that classify traces
	Rand         // seed of a block
)

// Hash returns the hash of a name. Hashes of one kind are in the order of letters, then seqnos.
func (k Kind) Hash(letter byte, seqno uint32) chain.Hash {
	h := chain.Hash{0: byte(k), 1: letter}
	binary.BigEndian.PutUint32(h[28:], seqno)
	return h
}

// Name returns the name of a hash, such as "W12".
func Name(h chain.Hash) string {
	return fmt.Sprintf("%c%d", h[1], binary.BigEndian.Uint32(h[28:]))
}
