package indexer

import (
	"fmt"
	"maps"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

// expectedState is what the chain says about the state of an account after a transaction.
type expectedState struct {
	key      chain.TransactionKey
	tx, hash chain.Hash
	executed bool // the state must be there
	checked  bool // with the transaction that made it: only its hash is compared here
}

var noAccountHash = chain.Hash(rebuild.NoAccount.HashKey())

// expected lists the states after the transactions, and those before them, which belong to an earlier block or to none.
func (c *rowCheck) expected() []expectedState {
	list := make([]expectedState, 0, 2*len(c.want.Transactions))
	for i := range c.want.Transactions {
		t := &c.want.Transactions[i]
		list = append(list, expectedState{
			key: t.Key(), tx: t.Hash, hash: t.StateHashAfter, executed: t.Verification == chain.Replayed || t.EndStatus == chain.Nonexist,
		})
		if t.StateHashBefore == noAccountHash {
			continue
		}
		before := chain.TransactionKey{Account: t.Account, LT: t.PrevLT}
		if c.rows[before] == nil {
			list = append(list, expectedState{
				key: before, tx: t.PrevHash, hash: t.StateHashBefore, executed: t.Verification == chain.Replayed, checked: c.others[before] != nil,
			})
		}
	}
	return list
}

// states builds the account states and compares their hashes and columns.
func (c *rowCheck) states() (bool, error) {
	list := c.expected()
	keys := make([]chain.TransactionKey, 0, len(list)+len(c.rows))
	for i := range list {
		keys = append(keys, list[i].key)
	}
	for _, t := range c.rows {
		if t.PrevLT > 0 {
			keys = append(keys, chain.TransactionKey{Account: t.Account, LT: t.PrevLT})
		}
	}
	rows, err := c.db.StoredStates(c.ctx, keys)
	if err != nil {
		return false, fmt.Errorf("account states: %w", err)
	}
	found := make(map[chain.TransactionKey]*chain.AccountState, len(rows))
	for i := range rows {
		found[chain.TransactionKey{Account: rows[i].Account, LT: rows[i].LT}] = &rows[i]
	}
	for key, t := range c.rows {
		if len(t.States) > 0 && !store.SameStates(t, found) {
			c.differ("transactions", keyText(key), "the states around it are not those of the account")
		}
	}
	var build []*chain.AccountState
	for i := range list {
		e, s := &list[i], found[list[i].key]
		switch {
		case s == nil && e.executed:
			c.differ("account_states", keyText(e.key), "missing")
		case s == nil:
		case s.Hash != e.hash || s.TxHash != e.tx:
			c.differ("account_states", keyText(e.key), "the transaction names another state")
		case e.checked:
		case s.Rest == nil && s.Status != chain.Nonexist:
			c.report.Incomplete++
		default:
			build = append(build, s)
		}
	}
	c.report.States += len(build)
	const atOnce = 64 // earlier versions did not split the data of large accounts
	for part := range slices.Chunk(build, atOnce) {
		cells, err := c.cells(part)
		if err != nil {
			return false, err
		}
		for _, s := range part {
			c.state(s, cells)
		}
	}
	return true, nil
}

// state builds one account state.
func (c *rowCheck) state(s *chain.AccountState, cells map[chain.Hash]*cell.Cell) {
	key := keyText(chain.TransactionKey{Account: s.Account, LT: s.LT})
	part := func(h *chain.Hash) *cell.Cell {
		if h == nil {
			return nil
		}
		return cells[*h]
	}
	parts := rebuild.AccountCells{Code: part(s.CodeHash), Data: part(s.DataHash)}
	if rest, err := rebuild.ParseAccountRest(s.Rest, s.LT); err == nil {
		parts.Libraries = part(rest.Libraries)
	}
	root, err := rebuild.Account(s, s.Rest, parts)
	if err == nil && chain.Hash(root.HashKey(0)) != s.Hash {
		err = fmt.Errorf("the row gives the hash %s, the transaction names %s", chain.Hash(root.HashKey(0)).Hex(), s.Hash.Hex())
	}
	if err != nil {
		c.differ("account_states", key, err.Error())
		return
	}
	want, err := decode.Account(s.Account, chain.TransactionRef{LT: s.LT, Hash: s.TxHash}, root)
	if err != nil {
		c.differ("account_states", key, err.Error())
		return
	}
	c.report.Accounts++
	c.comparison().equal("account_states", key, want.Row, *s)
}

func (c *rowCheck) comparison() *comparison {
	return &comparison{ctx: c.ctx, db: c.db, want: c.want.MasterBlock, report: c.report}
}

// cells reads the code, data and libraries of states as they are stored: each must have its hash, be serialized as it is written, and refer to
// parts of which the same is true.
func (c *rowCheck) cells(states []*chain.AccountState) (map[chain.Hash]*cell.Cell, error) {
	required := map[chain.Hash]bool{}
	add := func(h *chain.Hash, stored bool) {
		if h != nil {
			required[*h] = required[*h] || stored
		}
	}
	for _, s := range states {
		small := s.UsedCells <= decode.MaxDataCells // an earlier version may not have stored data and libraries of a larger account
		rest, err := rebuild.ParseAccountRest(s.Rest, s.LT)
		if err != nil {
			continue // reported when the state is built
		}
		add(s.CodeHash, true)
		add(s.DataHash, small)
		add(rest.Libraries, small)
	}
	cells, err := c.parts(required)
	if err != nil {
		return nil, err
	}
	for below := c.below(cells); len(below) > 0; {
		parts, err := c.parts(below)
		if err != nil {
			return nil, err
		}
		below = c.below(parts)
	}
	return cells, nil
}

// below returns the parts that others refer to and that were not checked with this block.
func (c *rowCheck) below(parts map[chain.Hash]*cell.Cell) map[chain.Hash]bool {
	if c.checked == nil {
		c.checked = map[chain.Hash]struct{}{}
	}
	below := map[chain.Hash]bool{}
	for hash, part := range parts {
		err := cellparts.Branches(part, func(h chain.Hash) {
			if _, again := c.checked[h]; !again {
				c.checked[h] = struct{}{}
				below[h] = true
			}
		})
		if err != nil {
			c.differ("cells", hash.Hex(), err.Error())
		}
	}
	return below
}

// parts reads parts. The values of required say which must be stored.
func (c *rowCheck) parts(required map[chain.Hash]bool) (map[chain.Hash]*cell.Cell, error) {
	bags, err := c.db.CellParts(c.ctx, slices.Collect(maps.Keys(required)))
	if err != nil {
		return nil, fmt.Errorf("cells: %w", err)
	}
	cells := make(map[chain.Hash]*cell.Cell, len(bags))
	for h, stored := range required {
		bag, ok := bags[h]
		if !ok {
			if stored {
				c.differ("cells", h.Hex(), "missing")
			}
			continue
		}
		root, err := rebuild.Exact(bag, decode.SerializeState)
		if err == nil && chain.Hash(root.HashKey(0)) != h {
			err = fmt.Errorf("its hash is %s", chain.Hash(root.HashKey(0)).Hex())
		}
		if err != nil {
			c.differ("cells", h.Hex(), err.Error())
			continue
		}
		cells[h] = root
	}
	return cells, nil
}

// accounts compares the newest states of the accounts of the block with the rows that they repeat.
func (c *rowCheck) accounts() (bool, error) {
	newest := map[chain.Address]uint64{}
	var addresses []chain.Address
	for i := range c.want.Transactions {
		t := &c.want.Transactions[i]
		if _, ok := newest[t.Account]; !ok {
			addresses = append(addresses, t.Account)
		}
		if t.Verification == chain.Replayed {
			newest[t.Account] = max(newest[t.Account], t.LT)
		}
	}
	if len(addresses) == 0 {
		return true, nil
	}
	rows, err := c.db.AccountStates(c.ctx, chain.AccountFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
	if err != nil {
		return false, fmt.Errorf("accounts: %w", err)
	}
	keys := make([]chain.TransactionKey, len(rows))
	got := map[chain.Address]*chain.AccountState{}
	for i := range rows {
		keys[i] = chain.TransactionKey{Account: rows[i].Account, LT: rows[i].LT}
		got[rows[i].Account] = &rows[i]
	}
	states, err := c.db.AccountStatesAt(c.ctx, keys)
	if err != nil {
		return false, fmt.Errorf("account states: %w", err)
	}
	same := map[chain.Address]*chain.AccountState{}
	for i := range states {
		same[states[i].Account] = &states[i]
	}
	for a, lt := range newest {
		g, w := got[a], same[a]
		switch {
		case g == nil && lt > 0:
			c.differ("accounts", a.String(), "missing")
		case g == nil:
		case w == nil || g.LT < lt:
			c.differ("accounts", a.String(), "it is not the newest state")
		default:
			w.Methods, w.Interfaces = g.Methods, g.Interfaces // of the code
			c.comparison().equal("accounts", a.String(), *w, *g)
		}
	}
	return true, nil
}

// verdicts compares the verification of transactions with the rows of mismatches and of unverified transactions.
func (c *rowCheck) verdicts() (bool, error) {
	keys := make([]chain.TransactionKey, 0, len(c.rows))
	for key := range c.rows {
		keys = append(keys, key)
	}
	mismatches, err := c.db.MismatchesByKey(c.ctx, keys)
	if err != nil {
		return false, fmt.Errorf("mismatches: %w", err)
	}
	unverified, err := c.db.UnverifiedByKey(c.ctx, keys)
	if err != nil {
		return false, fmt.Errorf("unverified transactions: %w", err)
	}
	said := map[chain.TransactionKey]chain.Verification{}
	for i := range mismatches {
		m := &mismatches[i]
		said[m.TransactionKey] = chain.Mismatch
		if m.Hash != c.rows[m.TransactionKey].Hash || m.McSeqno != c.seqno {
			c.differ("replay_mismatches", keyText(m.TransactionKey), "it is of another transaction")
		}
	}
	for i := range unverified {
		u := &unverified[i]
		said[u.TransactionKey] = chain.Unverified
		if u.Hash != c.rows[u.TransactionKey].Hash || u.McSeqno != c.seqno {
			c.differ("replay_unverified", keyText(u.TransactionKey), "it is of another transaction")
		}
	}
	for key, t := range c.rows {
		listed := t.Verification == chain.Mismatch || t.Verification == chain.Unverified
		if v, ok := said[key]; ok != listed || ok && v != t.Verification {
			c.differ("transactions", keyText(key), "the verification is "+t.Verification.String()+", other rows have another result")
		}
	}
	return true, nil
}
