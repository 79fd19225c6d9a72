package action_test

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// Orders of one request do not change each other's actions, nor do the orders of a contract that received the last message of another request, such as a payment,
// a notification or the rest of some coins: recorded traces are joined under one transaction, each with the next ones and with its own copy, before and after it.
func TestRecordedTraces_TogetherHaveTheActionsOfEach(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	type recorded struct {
		trace   *action.Trace
		records action.Records
		rows    []string
		joined  bool // has actions of messages that are not connected
		rooted  bool // has actions of the message before its own
	}
	var all []recorded
	for _, name := range traceFiles(t) {
		trace, records := readTrace(t, name)
		actions, err := action.Classify(trace, records)
		require.NoError(t, err)
		if len(first(trace).Out) == 0 {
			continue
		}
		r := recorded{trace: trace, records: records, rows: contents(t, actions)}
		for _, a := range actions {
			r.joined = r.joined || a.Type == "dex_deposit_liquidity" || a.Type == "tgbtc_new_key" || a.Type == "tgbtc_dkg_log_fallback"
			r.rooted = r.rooted || a.Type == "coffee_mev_protect_hold_funds" || a.Type == "tgbtc_new_key"
		}
		all = append(all, r)
	}
	const following = 3
	for i, a := range all {
		for j := range following + 1 {
			b := all[(i+j)%len(all)]
			if a.joined && b.joined {
				continue
			}
			places := []*action.Transaction{first(a.trace)}
			if !b.rooted {
				places = append(places, ends(a.trace)...)
			}
			for _, place := range places {
				for _, lt := range []uint64{1000, 1_000_000_000_000_000} {
					if lt == 1000 && b.rooted {
						continue // its messages have to be the first ones of the request
					}
					got, err := action.Classify(together(a.trace, shifted(b.trace, lt), place), both{a.records, b.records})
					require.NoError(t, err)
					want := slices.Concat(a.rows, b.rows)
					slices.Sort(want)
					require.Equal(t, want, contents(t, got), "%s and %s", a.trace.ID, b.trace.ID)
				}
			}
		}
	}
}

// ends returns the transactions that sent nothing, except those that failed or deployed a contract.
func ends(t *action.Trace) (all []*action.Transaction) {
	for _, tx := range t.Transactions {
		if tx != first(t) && len(tx.Out) == 0 && !tx.Aborted && tx.OrigStatus == tx.EndStatus {
			all = append(all, tx)
		}
	}
	return all
}

// first returns the first transaction of a trace.
func first(t *action.Trace) *action.Transaction {
	i := slices.IndexFunc(t.Transactions, func(tx *action.Transaction) bool { return tx.Hash == t.ID })
	return t.Transactions[i]
}

// shifted returns a copy of a trace that begins at an LT and has other hashes.
func shifted(t *action.Trace, lt uint64) *action.Trace {
	from := first(t).LT
	messages := map[*action.Message]*action.Message{}
	shift := func(m *action.Message) *action.Message {
		if m == nil {
			return nil
		}
		if messages[m] == nil {
			c := *m
			c.Hash = sha256.Sum256(m.Hash[:])
			if m.CreatedLT != nil {
				c.CreatedLT = new(*m.CreatedLT - from + lt)
			}
			messages[m] = &c
		}
		return messages[m]
	}
	out := &action.Trace{ID: sha256.Sum256(t.ID[:])}
	for _, tx := range t.Transactions {
		c := *tx
		c.Hash, c.LT, c.In, c.Out = sha256.Sum256(tx.Hash[:]), tx.LT-from+lt, shift(tx.In), nil
		for _, m := range tx.Out {
			c.Out = append(c.Out, shift(m))
		}
		out.Transactions = append(out.Transactions, &c)
	}
	return out
}

// together returns the trace a, of which one transaction also sends what the first one of b sends.
func together(a, b *action.Trace, at *action.Transaction) *action.Trace {
	out := &action.Trace{ID: a.ID}
	for _, tx := range a.Transactions {
		if tx == at {
			c := *tx
			c.Out = slices.Concat(tx.Out, first(b).Out)
			tx = &c
		}
		out.Transactions = append(out.Transactions, tx)
	}
	for _, tx := range b.Transactions {
		if tx != first(b) {
			out.Transactions = append(out.Transactions, tx)
		}
	}
	return out
}

// contents returns the rows without hashes, times and accounts, in order.
func contents(t *testing.T, actions []*action.Action) []string {
	t.Helper()
	texts := make([]string, 0, len(actions))
	for _, a := range actions {
		row, err := json.Marshal([]any{a.Type, a.Success, a.ParentID != "", a.Ancestors, a.Columns, a.Payloads})
		require.NoError(t, err)
		texts = append(texts, string(row))
	}
	slices.Sort(texts)
	return texts
}

// both has the records of two traces.
type both [2]action.Records

// either returns the first of two records that is there.
func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

func (r both) JettonWallet(a chain.Address) *action.JettonWallet {
	return either(r[0].JettonWallet(a), r[1].JettonWallet(a))
}
func (r both) NFTItem(a chain.Address) *action.NFTItem {
	return either(r[0].NFTItem(a), r[1].NFTItem(a))
}
func (r both) NFTSale(a chain.Address) *action.NFTSale {
	return either(r[0].NFTSale(a), r[1].NFTSale(a))
}
func (r both) NFTAuction(a chain.Address) *action.NFTAuction {
	return either(r[0].NFTAuction(a), r[1].NFTAuction(a))
}

func (r both) MultisigOrder(a chain.Address) *action.MultisigOrder {
	return either(r[0].MultisigOrder(a), r[1].MultisigOrder(a))
}
func (r both) NominatorPool(a chain.Address) bool {
	return r[0].NominatorPool(a) || r[1].NominatorPool(a)
}
func (r both) JVaultPool(a chain.Address) *chain.Address {
	return either(r[0].JVaultPool(a), r[1].JVaultPool(a))
}

func (r both) JVaultLockWallet(a chain.Address) *chain.Address {
	return either(r[0].JVaultLockWallet(a), r[1].JVaultLockWallet(a))
}

func (r both) DedustPool(a chain.Address) *action.DedustPool {
	return either(r[0].DedustPool(a), r[1].DedustPool(a))
}
