package chain

// SearchHit is one thing that a text may mean; exactly one field besides Title is set, but for a token, which is an
// account, too.
type SearchHit struct {
	Kind        SearchKind
	Title       string // what a person reads in the list of hits
	Account     *Account
	Block       *Block
	Transaction *Transaction
	Message     *Message
	Trace       *Trace
	Token       *Metadata
	Correction  *AddressCorrection // of a mistyped address
}

// SearchKind says what was found.
type SearchKind uint8

// The kinds of hit.
const (
	FoundAccount SearchKind = iota
	FoundBlock
	FoundTransaction
	FoundMessage
	FoundTrace
	FoundJetton
	FoundCollection
	FoundItem
	FoundDomain
	FoundSimilar // an account whose address is nearly the text
)
