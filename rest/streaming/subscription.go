package streaming

import (
	"cmp"
	"maps"
	"slices"

	"tonql/internal/chain"
)

// subscription is what a connection receives. It is not modified once it is in force.
type subscription struct {
	kinds       kinds
	addresses   map[chain.Address]bool
	traces      map[chain.Hash]bool // normalised hashes of external messages
	minFinality finality
	addressBook bool
	metadata    bool
	actionTypes map[string]bool // nil: all
	supported   map[string]bool
	bodyHash    *chain.Hash // of received messages; nil: all
}

// newSubscription returns a subscription to nothing with the default options. actionsVersion is X-Actions-Version, "" for none.
func newSubscription(actionsVersion string) *subscription {
	s := &subscription{minFinality: finalized, supported: latestTypes}
	if actionsVersion != "" {
		s.supported = supportedSet([]string{actionsVersion})
	}
	return s
}

// renewed returns a subscription to nothing with the options of s: a later request replaces what is subscribed to and retains the options that it does
// not name, as published.
func (s *subscription) renewed() *subscription {
	return &subscription{
		minFinality: s.minFinality, addressBook: s.addressBook, metadata: s.metadata, actionTypes: s.actionTypes, supported: s.supported,
	}
}

// without returns s without addresses and traces.
func (s *subscription) without(addresses map[chain.Address]bool, traces map[chain.Hash]bool) *subscription {
	rest := *s
	rest.addresses, rest.traces = maps.Clone(s.addresses), maps.Clone(s.traces)
	for a := range addresses {
		delete(rest.addresses, a)
	}
	for h := range traces {
		delete(rest.traces, h)
	}
	return &rest
}

// wants reports whether notifications of a kind can be sent.
func (s *subscription) wants(kind kinds) bool {
	if kind == trace {
		return s.kinds&trace != 0 && len(s.traces) > 0
	}
	return s.kinds&kind != 0 && len(s.addresses) > 0
}

// anyOf reports whether one of the accounts is subscribed to.
func (s *subscription) anyOf(accounts []chain.Address) bool {
	return slices.ContainsFunc(accounts, func(a chain.Address) bool { return s.addresses[a] })
}

// extraCurrency is the type that transfers of extra currencies are shown with. No set of types has it; clients of the latest set expect it.
const extraCurrency = "extra_currency_transfer"

// latestTypes are the types that a client understands which names none.
var latestTypes = supportedSet(nil)

func supportedSet(names []string) map[string]bool {
	set := textSet(chain.ExpandActionTypes(names))
	if len(names) == 0 || slices.Contains(names, chain.LatestActionTypes) {
		set[extraCurrency] = true
	}
	return set
}

// size is what a subscription takes in memory, in bytes and about; those of the types that all share are not counted.
func (s *subscription) size() int {
	const ofAddress, ofHash, ofType = 96, 96, 64
	n := len(s.addresses)*ofAddress + len(s.traces)*ofHash
	for name := range s.actionTypes {
		n += len(name) + ofType
	}
	if len(s.supported) != len(latestTypes) {
		for name := range s.supported {
			n += len(name) + ofType
		}
	}
	return n
}

// errTooLarge is the error of a subscription for which there is no room, errTooLargeOfClient that of one whose client takes all that it may.
var (
	errTooLarge         = chain.Unavailablef(nil, "this server has too many subscriptions; try again later")
	errTooLargeOfClient = chain.Unavailablef(nil, "the subscriptions of this client take too much memory: end some, or subscribe to fewer addresses")
)

// shows reports whether an action passes both filters of types. The type that is shown counts.
func (s *subscription) shows(a *chain.Action) bool {
	kind := a.ShownType()
	return s.supported[kind] && (s.actionTypes == nil || s.actionTypes[kind]) &&
		!slices.ContainsFunc(a.Ancestors, func(above string) bool { return s.supported[above] })
}

// own returns the transactions of a trace that belong to the subscription, by LT, newest first.
func (s *subscription) own(txs []chain.FullTransaction) []*chain.FullTransaction {
	var own []*chain.FullTransaction
	for i := range txs {
		tx := &txs[i]
		if s.addresses[tx.Account] && (s.bodyHash == nil || tx.InMessage != nil && tx.InMessage.BodyHash == *s.bodyHash) {
			own = append(own, tx)
		}
	}
	slices.SortStableFunc(own, func(x, y *chain.FullTransaction) int { return cmp.Compare(y.LT, x.LT) })
	return own
}

// visible returns the actions of a trace that pass the filters of types, and if mine is true have a subscribed account; by end LT, then start LT, latest
// first.
func (s *subscription) visible(all []chain.Action, mine bool) []*chain.Action {
	var shown []*chain.Action
	for i := range all {
		if a := &all[i]; s.shows(a) && (!mine || s.anyOf(a.Accounts)) {
			shown = append(shown, a)
		}
	}
	slices.SortStableFunc(shown, func(x, y *chain.Action) int {
		return cmp.Or(cmp.Compare(y.EndLT, x.EndLT), cmp.Compare(y.StartLT, x.StartLT))
	})
	return shown
}
