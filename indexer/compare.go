package indexer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"tonql/indexer/decode"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

// comparison compares one masterchain block of the database with the same block of the network.
type comparison struct {
	ctx    context.Context // of one call of verifyBlock
	db     *store.Reader
	want   *chain.MasterBlock
	report *Report
	rows   []*chain.Transaction // with states around them
}

func (c *comparison) differ(table, key, what string) {
	c.report.differ(Difference{McSeqno: c.want.Block.Seqno, Table: table, Key: key, What: what})
}

// equal compares two rows field by field and names the first that differs.
func (c *comparison) equal(table, key string, want, got any) {
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	for i := range w.NumField() {
		if a, b := w.Field(i).Interface(), g.Field(i).Interface(); !same(a, b) {
			c.differ(table, key, fmt.Sprintf("%s is %s, on the chain it is %s", w.Type().Field(i).Name, show(b), show(a)))
			return
		}
	}
}

// same compares values by their JSON form: a nil list equals an empty one, and big numbers compare by value.
func same(a, b any) bool { return reflect.DeepEqual(a, b) || bytes.Equal(printed(a), printed(b)) }

func printed(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Appendf(nil, "%#v", v)
	}
	if s := string(text); s == "[]" || s == "{}" || s == `""` {
		return []byte("null")
	}
	return text
}

func show(v any) string {
	const limit = 200 // bytes
	text := string(printed(v))
	if len(text) > limit {
		return text[:limit] + "…"
	}
	return text
}

func (c *comparison) blocks() error {
	want := append([]chain.Block{c.want.Block}, c.want.ShardBlocks...)
	rows, err := c.db.BlocksOfMasterchain(c.ctx, []uint32{c.want.Block.Seqno})
	if err != nil {
		return fmt.Errorf("blocks: %w", err)
	}
	got := map[chain.BlockID]chain.Block{}
	for _, b := range rows[c.want.Block.Seqno] {
		got[b.BlockID] = b
	}
	for _, w := range want {
		g, ok := got[w.BlockID]
		delete(got, w.BlockID)
		if !ok {
			c.differ("blocks", w.String(), "missing")
			continue
		}
		c.equal("blocks", w.String(), w, g)
	}
	for id := range got {
		c.differ("blocks", id.String(), "extra")
	}
	c.report.Blocks += len(want)
	if err := c.frames(want); err != nil {
		return err
	}
	return c.shards()
}

// frames compares the frames of blocks. A block that an earlier version indexed has none.
func (c *comparison) frames(blocks []chain.Block) error {
	ids := make([]chain.BlockID, len(blocks))
	for i := range blocks {
		ids[i] = blocks[i].BlockID
	}
	got, err := c.db.Frames(c.ctx, ids)
	if err != nil {
		return fmt.Errorf("frames: %w", err)
	}
	for i, id := range ids {
		switch frame, ok := got[id]; {
		case !ok:
			c.report.Unframed++
		case !bytes.Equal(frame, c.want.Frames[i]):
			c.differ("frames", id.String(), "differs")
		}
	}
	return nil
}

// shards compares the latest block of every shard with the masterchain's list.
func (c *comparison) shards() error {
	rows, err := c.db.ShardState(c.ctx, c.want.Block.Seqno)
	if err != nil {
		return fmt.Errorf("shards: %w", err)
	}
	var got []chain.BlockIDExt
	for _, b := range rows {
		if !b.IsMaster() {
			got = append(got, b.BlockIDExt)
		}
	}
	extra := map[chain.BlockIDExt]bool{}
	for _, id := range got {
		extra[id] = true
	}
	for _, id := range c.want.Shards {
		// A shard has no row when its latest block is older than the index or is the zero state.
		if !extra[id] && slices.ContainsFunc(c.want.ShardBlocks, func(b chain.Block) bool { return b.BlockIDExt == id }) {
			c.differ("shards", id.String(), "missing")
		}
		delete(extra, id)
	}
	for id := range extra {
		c.differ("shards", id.String(), "extra")
	}
	return nil
}

// keyText names a transaction in the report.
func keyText(k chain.TransactionKey) string { return fmt.Sprintf("%s %d", k.Account, k.LT) }

func (c *comparison) keys() []chain.TransactionKey {
	keys := make([]chain.TransactionKey, len(c.want.Transactions))
	for i := range c.want.Transactions {
		keys[i] = c.want.Transactions[i].Key()
	}
	return keys
}

func (c *comparison) transactions() error {
	seqno := c.want.Block.Seqno
	// One row more than expected reveals extra rows.
	rows, err := c.db.Transactions(c.ctx, chain.TransactionFilter{McSeqno: &seqno},
		chain.Page{Limit: len(c.want.Transactions) + 1, Sort: chain.Ascending})
	if errors.Is(err, store.ErrDamaged) {
		c.differ("transactions", fmt.Sprint(seqno), err.Error())
		return nil
	}
	if err != nil {
		return fmt.Errorf("transactions: %w", err)
	}
	got := make(map[chain.TransactionKey]*chain.Transaction, len(rows))
	for i := range rows {
		got[rows[i].Key()] = &rows[i]
	}
	for i := range c.want.Transactions {
		w := c.want.Transactions[i]
		key := w.Key()
		g, ok := got[key]
		delete(got, key)
		if !ok {
			c.differ("transactions", keyText(key), "missing")
			continue
		}
		w.TraceID, w.TraceExternalHash = g.TraceID, g.TraceExternalHash // set after the block was written
		executed := w.Verification == chain.Replayed
		if w.Verification == chain.Unverified || g.Verification == chain.Unverified || w.Verification == chain.Proven {
			w.Verification = g.Verification // depends on the budget and on the mode of this comparison, not on the chain
		}
		w.Raw, w.States = g.Raw, g.States // compared as raw transactions, and with the states
		if len(g.States) > 0 {
			c.rows = append(c.rows, g)
		}
		c.equal("transactions", keyText(key), w, *g)
		if executed {
			c.report.Replayed++
		}
	}
	for key := range got {
		c.differ("transactions", keyText(key), "extra")
	}
	c.report.Transactions += len(c.want.Transactions)
	return nil
}

func (c *comparison) bocs() error {
	keys := c.keys()
	got, err := c.db.TransactionBOCs(c.ctx, keys)
	if err != nil {
		return fmt.Errorf("raw transactions: %w", err)
	}
	for i, key := range keys {
		if !bytes.Equal(got[key], c.want.BOCs[i]) {
			c.differ("transaction_bocs", keyText(key), "differs or is missing")
		}
	}
	return nil
}

// messages compares the side of each message that this block contains. The database may have the other side as well.
func (c *comparison) messages() error {
	keys := make([]chain.MessageKey, len(c.want.Messages))
	wanted := make(map[chain.MessageKey]*chain.Message, len(c.want.Messages))
	for i := range c.want.Messages {
		keys[i] = c.want.Messages[i].Key
		wanted[keys[i]] = &c.want.Messages[i]
	}
	name := func(m *chain.Message) string { return fmt.Sprintf("%s %d", m.Key.Account, m.Key.LT) }
	err := c.db.VisitMessages(c.ctx, keys, func(got *chain.Message) {
		w := *wanted[got.Key]
		delete(wanted, got.Key)
		if w.SentBy == nil {
			w.SentBy = got.SentBy
		}
		if w.ReceivedBy == nil {
			w.ReceivedBy = got.ReceivedBy
		}
		w.Body, w.Init, w.Large = w.BodyBOC(), w.InitBOC(), nil
		c.equal("messages", name(&w), w, *got)
	})
	if err != nil {
		return fmt.Errorf("messages: %w", err)
	}
	for i := range c.want.Messages {
		if w := &c.want.Messages[i]; wanted[w.Key] == w {
			c.differ("messages", name(w), "missing")
		}
	}
	c.report.Messages += len(keys)
	return nil
}

func (c *comparison) states() error {
	keys := make([]chain.TransactionKey, 0, len(c.want.States))
	for i := range c.want.States {
		keys = append(keys, chain.TransactionKey{Account: c.want.States[i].Account, LT: c.want.States[i].LT})
	}
	for _, t := range c.rows {
		keys = append(keys, t.Key(), chain.TransactionKey{Account: t.Account, LT: t.PrevLT})
	}
	rows, err := c.db.StoredStates(c.ctx, keys)
	if errors.Is(err, store.ErrDamaged) {
		c.differ("account_states", fmt.Sprint(c.want.Block.Seqno), err.Error())
		return nil
	}
	if err != nil {
		return fmt.Errorf("account states: %w", err)
	}
	got := make(map[chain.TransactionKey]*chain.AccountState, len(rows))
	for i := range rows {
		got[chain.TransactionKey{Account: rows[i].Account, LT: rows[i].LT}] = &rows[i]
	}
	for _, t := range c.rows {
		if !store.SameStates(t, got) {
			c.differ("transactions", keyText(t.Key()), "the states around it are not those of the account")
		}
	}
	for i := range c.want.States {
		w := c.want.States[i]
		g, ok := got[keys[i]]
		if !ok {
			c.differ("account_states", keyText(keys[i]), "missing")
			continue
		}
		if g.Rest == nil && w.Rest != nil {
			w.Rest = nil // of an earlier version
			c.report.Incomplete++
		}
		c.equal("account_states", keyText(keys[i]), w, *g)
	}
	c.report.States += len(c.want.States)
	return nil
}

// isTree reports whether a bag is a complete tree of this hash.
func isTree(hash chain.Hash, bag chain.BOC) bool {
	root, err := rebuild.Exact(bag, decode.SerializeState)
	return err == nil && root.Level() == 0 && chain.Hash(root.HashKey()) == hash
}

// cells compares code, data and libraries byte for byte, except those that an earlier version stored without splitting them.
func (c *comparison) cells() error {
	hashes := slices.Collect(maps.Keys(c.want.Cells))
	got, err := c.db.CellParts(c.ctx, hashes)
	if err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	var trees, others []chain.Hash // trees are stored without splitting them
	for h, boc := range c.want.Cells {
		switch {
		case bytes.Equal(got[h], boc):
		case isTree(h, got[h]):
			trees = append(trees, h)
		default:
			others = append(others, h)
		}
	}
	if len(others) == 0 {
		return nil
	}
	within := c.partsWithin(trees, got)
	for _, h := range others {
		if _, stored := got[h]; stored || !within[h] {
			c.differ("cells", h.Hex(), "differs or is missing")
		}
	}
	return nil
}

// partsWithin returns the parts below trees that are stored without splitting them. Such a part needs no row, unless a state or a part that
// is stored refers to it.
func (c *comparison) partsWithin(trees []chain.Hash, got map[chain.Hash]chain.BOC) map[chain.Hash]bool {
	within := map[chain.Hash]bool{}
	for len(trees) > 0 {
		last := len(trees) - 1
		h := trees[last]
		trees = trees[:last]
		eachBranch(c.want.Cells[h], func(below chain.Hash) {
			if !within[below] {
				within[below] = true
				trees = append(trees, below)
			}
		})
	}
	for h, boc := range c.want.Cells {
		if bytes.Equal(got[h], boc) {
			eachBranch(boc, func(below chain.Hash) { delete(within, below) })
		}
	}
	for i := range c.want.States {
		s := &c.want.States[i]
		for _, h := range []*chain.Hash{s.CodeHash, s.DataHash} {
			if h != nil {
				delete(within, *h)
			}
		}
		if rest, err := rebuild.ParseAccountRest(s.Rest, s.LT); err == nil && rest.Libraries != nil {
			delete(within, *rest.Libraries)
		}
	}
	return within
}

// eachBranch calls visit with the hash of each part that a part refers to.
func eachBranch(part chain.BOC, visit func(chain.Hash)) {
	root, err := rebuild.Exact(part, decode.SerializeState)
	if err == nil {
		_ = cellparts.Branches(root, visit) // what it does not reach stays required
	}
}
