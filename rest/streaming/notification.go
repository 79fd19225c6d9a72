package streaming

import (
	"context"
	"time"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
	v3 "tonql/rest/v3"
)

const (
	// maxNotification bounds a notification, in bytes. Anyone can send an account messages that are large; a longer notification is not sent, and counted.
	maxNotification = 16 << 20
	// namesTime bounds the lookup of the address book and metadata, without which a notification is sent after it.
	namesTime = 3 * time.Second
)

// message is a notification while it is written.
type message struct {
	b     []byte
	named v3.Addresses
}

// newNotification begins a notification of a trace; level is left out of those that have none.
func newNotification(kind string, level string, of chain.Hash) *message {
	n := &message{b: append(append([]byte(`{"type":"`), kind...), '"')}
	if level != "" {
		n.b = append(append(append(n.b, `,"finality":"`...), level...), '"')
	}
	n.b = handler.AppendHash(append(n.b, `,"trace_external_hash_norm":`...), &of)
	return n
}

// keyOf returns the published key of a trace: the normalised hash of its external message, or, of traces that no such message began, of what did.
func keyOf(t *chain.Trace) chain.Hash {
	switch {
	case t.ExternalHashNorm != nil:
		return *t.ExternalHashNorm
	case t.ExternalHash != nil:
		return *t.ExternalHash
	default:
		return t.ID
	}
}

func (n *message) full() bool { return len(n.b) > maxNotification }

// transactions adds an array of transactions.
func (n *message) transactions(txs []*chain.FullTransaction) {
	array(n, `,"transactions":[`, txs, n.named.AddTransaction, v3.AppendTransaction)
}

// actions adds an array of actions.
func (n *message) actions(list []*chain.Action) {
	array(n, `,"actions":[`, list, n.named.AddAction, v3.AppendAction)
}

// array adds objects and the addresses that they name, until the notification is full.
func array[T any](n *message, begin string, objects []*T, name func(*T), show func([]byte, *T) []byte) {
	n.b = append(n.b, begin...)
	for i, object := range objects {
		if n.full() {
			return
		}
		if i > 0 {
			n.b = append(n.b, ',')
		}
		name(object)
		n.b = show(n.b, object)
	}
	n.b = append(n.b, ']')
}

// trace adds the tree of a trace and its transactions by hash.
func (n *message) trace(t *chain.FullTrace) {
	n.b = append(n.b, `,"trace":`...)
	if t.Tree == nil {
		n.b = append(n.b, "null"...)
	} else {
		n.b = v3.AppendTraceNode(n.b, t.Tree)
	}
	n.b = append(n.b, `,"transactions":{`...)
	for i := range t.Transactions {
		if n.full() {
			return
		}
		if i > 0 {
			n.b = append(n.b, ',')
		}
		tx := &t.Transactions[i]
		n.named.AddTransaction(tx)
		n.b = append(handler.AppendHash(n.b, &tx.Hash), ':')
		n.b = v3.AppendTransaction(n.b, tx)
	}
	n.b = append(n.b, '}')
}

// names adds the address book and metadata that the subscription wants. They are empty when they cannot be read: clients look addresses up in them.
func (n *message) names(ctx context.Context, svc *resolvers.Service, s *subscription) {
	if !s.addressBook && !s.metadata || n.full() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, namesTime)
	defer cancel()
	var addressBook []chain.AddressBookRow
	var tokens []chain.Metadata
	list := n.named.List()
	if most := svc.Limits().Addresses; len(list) > most {
		list = list[:most]
	}
	switch {
	case len(list) == 0:
	case s.addressBook && s.metadata:
		addressBook, tokens, _ = svc.Last().Named(ctx, list) // they are left out
	case s.addressBook:
		addressBook, _ = svc.Last().AddressBook(ctx, list)
	default:
		tokens, _ = svc.Last().Metadata(ctx, list)
	}
	if s.addressBook {
		n.b = v3.AppendAddressBook(append(n.b, `,"address_book":`...), addressBook, svc.TestOnly())
	}
	if s.metadata {
		n.b = v3.AppendMetadata(append(n.b, `,"metadata":`...), tokens)
	}
}

// stateNotification returns the notification of an account state.
func stateNotification(s *chain.AccountState) []byte {
	b := handler.AppendAddress([]byte(`{"type":"account_state_change","finality":"finalized","account":`), &s.Account)
	b = handler.AppendHash(append(b, `,"state":{"hash":`...), &s.Hash)
	b = handler.AppendDecimal(append(b, `,"balance":`...), s.Balance)
	b = append(append(b, `,"extra_currencies":null,"account_status":"`...), s.Status.String()...)
	b = handler.AppendHash(append(b, `","frozen_hash":`...), s.FrozenHash)
	b = handler.AppendHash(append(b, `,"data_hash":`...), s.DataHash)
	b = handler.AppendHash(append(b, `,"code_hash":`...), s.CodeHash)
	return append(b, "}}"...)
}

// jettonWallet makes the notification of a Jetton wallet. Its address book has the wallet, too, its metadata the owner and the master.
func (n *message) jettonWallet(s *subscription, w *chain.JettonWallet) {
	shown := *w
	shown.Mintless = nil
	n.b = v3.AppendJettonWallet(append(n.b, `{"type":"jettons_change","finality":"finalized","jetton":`...), &shown)
	n.named.Add(&w.Owner)
	n.named.Add(&w.Jetton)
	if s.addressBook {
		n.named.Add(&w.Address)
	}
}
