package v3

import "tonql/internal/chain"

// The objects of this API, for the streaming API, which has the same ones.

// Addresses collects the addresses that objects name, each once, for their address book and metadata.
type Addresses struct{ named addresses }

// Add adds an address; nil is none.
func (a *Addresses) Add(address *chain.Address) { a.named.add(address) }

// AddTransaction adds the account of a transaction, the source of the message it received and the destinations of those it sent.
func (a *Addresses) AddTransaction(t *chain.FullTransaction) { a.named.addTransaction(t) }

// AddAction adds the addresses in the details of an action.
func (a *Addresses) AddAction(action *chain.Action) { nameAction(&a.named, action) }

// List returns the addresses in the order in which they were added.
func (a *Addresses) List() []chain.Address { return a.named.list }

// AppendTransaction appends a Transaction.
func AppendTransaction(b []byte, t *chain.FullTransaction) []byte { return appendTransaction(b, t) }

// AppendAction appends an Action with its accounts.
func AppendAction(b []byte, a *chain.Action) []byte {
	b = appendActionMembers(b, a)
	return append(appendAddresses(append(b, `,"accounts":`...), a.Accounts), '}')
}

// AppendTraceNode appends a TraceNode.
func AppendTraceNode(b []byte, n *chain.TraceNode) []byte { return appendTraceNode(b, n) }

// AppendJettonWallet appends a JettonWallet.
func AppendJettonWallet(b []byte, w *chain.JettonWallet) []byte { return appendJettonWallet(b, w) }

// AppendAddressBook appends an AddressBook.
func AppendAddressBook(b []byte, rows []chain.AddressBookRow, testOnly bool) []byte {
	return appendAddressBook(b, rows, testOnly)
}

// AppendMetadata appends a Metadata.
func AppendMetadata(b []byte, rows []chain.Metadata) []byte { return appendMetadata(b, rows) }
