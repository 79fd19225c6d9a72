package payment

import (
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
	"tonql/internal/contract/jetton"
)

// Query identifies a Jetton transfer by its query id and sender.
type Query struct {
	ID     uint64
	Sender chain.Address
}

// MatchKeys are the keys in a trace by which registered transfers are looked up.
type MatchKeys struct {
	BodyHashes []chain.Hash
	References []string
	Queries    []Query
	Pairs      []Pair // wallets of transfers that may be refunds
}

// Add collects the match keys of a trace, or of a part of one.
func (c *MatchKeys) Add(t *chain.TraceContent) {
	c.addPairs(t)
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		if tx.In == nil {
			continue
		}
		for _, m := range requestedMessages(requestOf(tx), tx.Account) {
			c.BodyHashes = append(c.BodyHashes, m.body)
		}
		if tx.In.Kind == chain.ExternalIn || isBounced(tx.In) || tx.In.Opcode == nil {
			continue
		}
		c.BodyHashes = append(c.BodyHashes, tx.In.BodyHash)
		c.addNames(tx.In)
	}
}

// Merge adds the match keys of another trace.
func (c *MatchKeys) Merge(of *MatchKeys) {
	c.BodyHashes, c.References = append(c.BodyHashes, of.BodyHashes...), append(c.References, of.References...)
	c.Queries, c.Pairs = append(c.Queries, of.Queries...), append(c.Pairs, of.Pairs...)
}

// RecordKeys are the match keys of registered transfers.
type RecordKeys struct {
	bodies     map[chain.Hash]bool
	references map[string]bool
	queries    map[Query]bool
	pairs      map[Pair]bool // of refunds
}

// KeysOf returns the match keys of records, by their references.
func KeysOf(records map[string]*Record) *RecordKeys {
	k := &RecordKeys{bodies: map[chain.Hash]bool{}, references: map[string]bool{}, queries: map[Query]bool{}, pairs: map[Pair]bool{}}
	for reference, r := range records {
		k.references[reference], k.bodies[r.BodyHash] = true, true
		if r.QueryID >= drawnQueryID {
			k.queries[Query{ID: r.QueryID, Sender: r.Sender}] = true
		}
		if payer, paid := r.Payer(); paid {
			k.pairs[Pair{From: r.Recipient, To: payer}] = true
		}
	}
	return k
}

// Match reports whether one of the keys is that of a record.
func (k *RecordKeys) Match(c *MatchKeys) bool {
	return slices.ContainsFunc(c.BodyHashes, func(h chain.Hash) bool { return k.bodies[h] }) ||
		slices.ContainsFunc(c.References, func(r string) bool { return k.references[r] }) ||
		slices.ContainsFunc(c.Queries, func(q Query) bool { return k.queries[q] }) ||
		slices.ContainsFunc(c.Pairs, func(p Pair) bool { return k.pairs[p] })
}

func (c *MatchKeys) addNames(m *chain.Message) {
	switch *m.Opcode {
	case opComment, opInvoice:
		c.name(parse(m.BodyBOC()))
	case jetton.OpTransfer:
		if t, err := jetton.ParseTransfer(parse(m.BodyBOC())); err == nil {
			c.name(t.ForwardPayload)
			if m.Source != nil && t.QueryID >= drawnQueryID {
				c.Queries = append(c.Queries, Query{ID: t.QueryID, Sender: *m.Source})
			}
		}
	case jetton.OpTransferNotification: // the credit may be in an earlier block
		if n, err := parseNotification(parse(m.BodyBOC())); err == nil {
			c.name(n.payload)
			if n.sender != nil && n.queryID >= drawnQueryID {
				c.Queries = append(c.Queries, Query{ID: n.queryID, Sender: *n.sender})
			}
		}
	case jetton.OpInternalTransfer:
		if t, err := parseCredit(parse(m.BodyBOC())); err == nil {
			c.name(t.payload)
			if t.from != nil && t.queryID >= drawnQueryID {
				c.Queries = append(c.Queries, Query{ID: t.queryID, Sender: *t.from})
			}
		}
	}
}

func (c *MatchKeys) name(payload *cell.Cell) {
	if reference := named(payload); reference != "" {
		c.References = append(c.References, reference)
	}
}

// named returns the reference in a body or forward payload, from an invoice or a text comment; "" for none.
//
//	invoice#7aa23eb5 id:bits128 url:MsgAddress = InternalMsgBody;
func named(payload *cell.Cell) string {
	l := contract.Load(payload)
	op := l.Uint(32)
	if l.Err() != nil {
		return ""
	}
	switch op {
	case opInvoice:
		if id := l.Bytes(16); l.Err() == nil {
			return referenceOf(id)
		}
	case opComment:
		return referenceIn(comment(payload))
	}
	return ""
}

// comment returns a text comment; "" for none, and for encrypted and binary comments.
func comment(payload *cell.Cell) string {
	l := contract.Load(payload)
	if op := l.Uint(32); l.Err() != nil || op != opComment {
		return ""
	}
	bytes := content.SliceBytes(l.Slice())
	if len(bytes) > 0 && bytes[0] == binaryComment {
		return ""
	}
	return clean(string(bytes))
}

// parse decodes a bag of cells; nil for an empty or invalid one.
func parse(boc chain.BOC) *cell.Cell {
	if len(boc) == 0 {
		return nil
	}
	c, err := cell.FromBOC(boc)
	if err != nil {
		return nil
	}
	return c
}

func isBounced(m *chain.Message) bool { return m.Bounced != nil && *m.Bounced }
