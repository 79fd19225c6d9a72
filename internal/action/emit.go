package action

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"tonql/internal/chain"
)

// emitter writes the rows of a trace: of the blocks in its tree, and of their parts.
type emitter struct {
	trace   *Trace
	actions []*Action
	seen    map[string]bool
}

// emit appends the row of a block and, unless its type stands alone, of its parts.
func (e *emitter) emit(b *Block, ancestors []string, parent string) {
	if b.IsBasic() && (b.Msg == nil && b.Type != typeTickTock || b.IsLog() || b.Msg != nil && b.Msg.Source == nil) {
		return
	}
	a := e.row(b)
	if b.IsBasic() {
		a.Columns, a.Success = basicColumns(b), BasicSuccess(b)
	} else {
		a.Columns, a.Success = b.Columns, b.Success
	}
	e.finish(a, b)
	if a.ID == parent || e.seen[a.ID] {
		return
	}
	e.seen[a.ID] = true
	a.ParentID, a.Ancestors = parent, ancestors
	e.actions = append(e.actions, a)
	if withoutParts[b.Type] {
		return
	}
	above := slices.Clone(ancestors)
	if !slices.Contains(above, b.Type) {
		above = append(above, b.Type)
		slices.Sort(above)
	}
	for _, p := range b.Parts {
		e.emit(p, above, a.ID)
	}
}

// deploys appends the deployments in a block. They are always at the top.
func (e *emitter) deploys(b *Block) {
	for _, p := range b.basics() {
		if !p.Deployed {
			continue
		}
		d := *p
		d.Type, d.Kind = typeContractDeploy, typeContractDeploy
		a := e.row(&d)
		a.Columns, a.Success = callColumns(p), !p.Aborted()
		a.Extra = nil
		e.finish(a, &d)
		if !e.seen[a.ID] {
			e.seen[a.ID] = true
			e.actions = append(e.actions, a)
		}
	}
}

// row returns a row with the values that follow from the messages of a block.
func (e *emitter) row(b *Block) *Action {
	a := e.blank()
	a.Type = b.Kind
	var first *Block
	parts := b.basics()
	a.TxHashes, a.Accounts = make([]chain.Hash, 0, len(parts)+1), make([]chain.Address, 0, len(parts)+4)
	for _, p := range parts {
		lt, at := p.start()
		if first == nil || lt < a.StartLT {
			first, a.StartLT = p, lt
		}
		if a.StartUtc == 0 || at < a.StartUtc {
			a.StartUtc = at
		}
		tx := p.Tx
		if tx == nil {
			tx = p.Sender
		}
		a.add(tx)
		a.EndLT, a.EndUtc = max(a.EndLT, tx.LT), max(a.EndUtc, tx.Now)
		a.McSeqnoEnd = max(a.McSeqnoEnd, tx.McSeqno)
	}
	if first.Sender != nil && !b.alone {
		a.add(first.Sender)
		a.McSeqnoEnd = max(a.McSeqnoEnd, first.Sender.McSeqno)
	}
	hash := e.trace.ID
	if first.Msg != nil {
		hash = first.Msg.Hash
	}
	a.ID = actionID(hash.String(), b.Type)
	return a
}

// blank returns a row with the values of the trace.
func (e *emitter) blank() *Action {
	t := e.trace
	return &Action{
		TraceID: t.ID, TraceEndLT: t.EndLT, TraceEndUtime: t.EndUtime, TraceMcSeqnoEnd: t.McSeqnoEnd,
		TraceExternalHash: t.ExternalHash, TraceExternalHashNorm: t.ExternalHashNorm,
	}
}

func (a *Action) add(tx *Transaction) {
	a.TxHashes = append(a.TxHashes, tx.Hash)
	a.Accounts = append(a.Accounts, tx.Account)
}

// start returns the creation time of the message; of an external message, the time of its transaction.
func (b *Block) start() (lt uint64, at uint32) {
	tx := b.Tx
	if tx == nil {
		tx = b.Sender
	}
	lt, at = tx.LT, tx.Now
	if b.Msg != nil && b.Msg.CreatedLT != nil {
		lt = *b.Msg.CreatedLT
	}
	if b.Msg != nil && b.Msg.CreatedAt != nil {
		at = *b.Msg.CreatedAt
	}
	return lt, at
}

// actionID returns the id of an action: a hash of the message hash, in base64, and the internal type.
func actionID(message, internal string) string {
	sum := sha256.Sum256([]byte(message + internal))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// finish adds the accounts in columns, and sorts the sets.
func (e *emitter) finish(a *Action, b *Block) {
	for _, s := range []string{a.Source, a.SourceSecondary, a.Destination, a.DestinationSecondary} {
		if s == "" {
			continue
		}
		if addr, err := chain.ParseAddress(s); err == nil {
			a.Accounts = append(a.Accounts, addr)
		} else if !slices.Contains(a.HexKeys, s) {
			a.HexKeys = append(a.HexKeys, s)
		}
	}
	a.Accounts = append(a.Accounts, b.also...)
	a.sortSets()
}

// sortSets sorts the sets and removes duplicates.
func (a *Action) sortSets() {
	slices.SortFunc(a.Accounts, chain.Address.Compare)
	a.Accounts = slices.Compact(a.Accounts)
	slices.Sort(a.HexKeys)
	slices.SortFunc(a.TxHashes, func(x, y chain.Hash) int { return slices.Compare(x[:], y[:]) })
	a.TxHashes = slices.Compact(a.TxHashes)
}

// unknown appends the only action of a trace in which nothing was recognized.
func (e *emitter) unknown() {
	t := e.trace
	a := e.blank()
	a.ID, a.Type, a.Success = t.ID.String(), typeUnknown, true
	root := t.root()
	a.StartLT, a.StartUtc = root.LT, root.Now
	for _, tx := range t.Transactions {
		a.add(tx)
		a.Success = a.Success && !tx.Aborted
		a.EndLT, a.EndUtc, a.McSeqnoEnd = max(a.EndLT, tx.LT), max(a.EndUtc, tx.Now), max(a.McSeqnoEnd, tx.McSeqno)
	}
	e.finish(a, &Block{})
	e.actions = append(e.actions, a)
}
