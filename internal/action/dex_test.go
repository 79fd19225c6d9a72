package action_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// The accounts of the traces of exchanges. Expected rows contain them as A1, A2 and so on.
const (
	atTrader   = 1
	atTraderA  = 2 // the trader's wallets of the Jettons A and B
	atTraderB  = 3
	atRouter   = 4 // a router or a vault
	atRouterA  = 5
	atRouterB  = 6
	atPool     = 7
	atPool2    = 8
	atProxy    = 9 // the router's wallet of a proxy
	atVault    = 10
	atDeposit  = 11 // the contract that collects a deposit
	atReferral = 12
	atTraderLP = 13
	jettonA    = 20
	jettonB    = 21
	jettonLP   = 22
)

// proxyJetton represents TON.
const proxyJetton = "0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3"

// exchange is a trace with trades, and the records of its contracts.
type exchange struct {
	*builder

	root *action.Transaction
	r    records
}

func newExchange() *exchange {
	b, root := external(atTrader)
	m := &exchange{builder: b, root: root, r: records{
		wallets: map[chain.Address]*action.JettonWallet{}, pools: map[chain.Address]*action.DedustPool{},
		items: map[chain.Address]*action.NFTItem{},
	}}
	for _, w := range [][3]byte{
		{atTraderA, atTrader, jettonA}, {atTraderB, atTrader, jettonB}, {atTraderLP, atTrader, jettonLP},
		{atRouterA, atRouter, jettonA}, {atRouterB, atRouter, jettonB},
	} {
		m.r.wallets[account(w[0])] = &action.JettonWallet{Owner: account(w[1]), Jetton: account(w[2])}
	}
	proxy, err := chain.ParseAddress(proxyJetton)
	if err != nil {
		panic(err)
	}
	m.r.wallets[account(atProxy)] = &action.JettonWallet{Owner: account(atRouter), Jetton: proxy}
	return m
}

// log adds a log to a transaction: an external-out message.
func (b *builder) log(from *action.Transaction, body *cell.Cell) {
	b.lt++
	m := &action.Message{Source: new(from.Account), CreatedLT: new(b.lt), CreatedAt: new(uint32(1000)), Body: action.Parsed(body)}
	m.Hash = chain.Hash{0xdd, byte(b.lt >> 8), byte(b.lt)}
	if s, err := body.BeginParse(); err == nil {
		if op, err := s.LoadUInt(32); err == nil {
			m.Opcode = new(uint32(op))
		}
	}
	from.Out = append(from.Out, m)
}

// withQueryID returns an opcode and a query id.
func withQueryID(code uint64) *cell.Builder { return op(code).MustStoreUInt(7, 64) }

// to adds the addresses of accounts of the trace.
func to(b *cell.Builder, accounts ...byte) *cell.Builder {
	for _, a := range accounts {
		b.MustStoreAddr(std(a))
	}
	return b
}

// ref adds a reference.
func ref(b *cell.Builder, inner *cell.Builder) *cell.Builder { return b.MustStoreRef(inner.EndCell()) }

// move adds a transfer of Jettons between two wallets, with a payload for the receiving owner; nil for none. It returns
// the transaction of that owner, who is notified.
func (m *exchange) move(from *action.Transaction, wallet, toWallet, owner byte, amount uint64, payload *cell.Builder) *action.Transaction {
	body := to(withQueryID(0x0f8a7ea5).MustStoreCoins(amount), owner, atTrader).MustStoreBoolBit(false).MustStoreCoins(1)
	if payload == nil {
		body.MustStoreBoolBit(false)
	} else {
		ref(body.MustStoreBoolBit(true), payload)
	}
	tx := m.send(from, wallet, 1000, body.EndCell())
	tx = m.send(tx, toWallet, 900, to(withQueryID(0x178d4519).MustStoreCoins(amount), from.Account.ID[0], atTrader).
		MustStoreCoins(1).MustStoreBoolBit(false).EndCell())
	return m.send(tx, owner, 1, withQueryID(0x7362d09c).MustStoreCoins(amount).EndCell())
}

// payCoins adds a payment of coins through the proxy to the router.
func (m *exchange) payCoins(from *action.Transaction, amount uint64, payload *cell.Builder) *action.Transaction {
	tx := m.send(from, atProxy, int64(amount)+100, to(withQueryID(0x01f3835d).MustStoreCoins(amount), atTrader).EndCell())
	notification := to(withQueryID(0x7362d09c).MustStoreCoins(amount), atTrader)
	return m.send(tx, atRouter, 50, ref(notification.MustStoreBoolBit(true), payload).EndCell())
}

// giveCoins adds a payment of coins by the router through the proxy.
func (m *exchange) giveCoins(router *action.Transaction, receiver byte, amount uint64) *action.Transaction {
	tx := m.send(router, atProxy, 500, to(withQueryID(0x0f8a7ea5).MustStoreCoins(amount), receiver, receiver).
		MustStoreBoolBit(false).MustStoreCoins(0).MustStoreBoolBit(false).EndCell())
	return m.send(tx, receiver, int64(amount), to(withQueryID(0x01f3835d).MustStoreCoins(amount), receiver).EndCell())
}

// rows returns the actions of a kind as JSON, without the columns that every row has and without nulls, with accounts
// by their short names.
func (m *exchange) rows(t *testing.T, kind string) []string {
	t.Helper()
	actions, err := action.Classify(m.trace, m.r)
	require.NoError(t, err)
	var rows []string
	for _, a := range actions {
		if a.Type != kind {
			continue
		}
		row := columns(t, a)
		for _, name := range []string{
			"action_id", "start_lt", "end_lt", "start_utime", "end_utime", "tx_hashes", "accounts", "mc_seqno_end", "trace_id",
			"trace_end_lt", "trace_end_utime", "trace_mc_seqno_end", "type", "value_extra_currencies",
		} {
			delete(row, name)
		}
		raw, err := json.Marshal(filled(row))
		require.NoError(t, err)
		text := strings.ReplaceAll(string(raw), proxyJetton, "proxy")
		for n := range byte(32) {
			text = strings.ReplaceAll(text, account(n).String(), fmt.Sprintf("A%d", n))
		}
		rows = append(rows, text)
	}
	return rows
}

// filled removes null and empty values.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if e = filled(e); e != nil {
				out[k] = e
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			out = append(out, filled(e))
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return v
}

// requireKinds requires the types of the actions that have no parent.
func (m *exchange) requireKinds(t *testing.T, kinds ...string) {
	t.Helper()
	actions, err := action.Classify(m.trace, m.r)
	require.NoError(t, err)
	var top []string
	for _, a := range actions {
		if a.ParentID == "" {
			top = append(top, a.Type)
		}
	}
	require.ElementsMatch(t, kinds, top)
}

// requireRow requires exactly one row of a kind, with the values.
func (m *exchange) requireRow(t *testing.T, kind, want string) {
	t.Helper()
	rows := m.rows(t, kind)
	require.Len(t, rows, 1)
	require.JSONEq(t, want, rows[0])
}
