package rest_test

import (
	"crypto/ed25519"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
	"tonql/internal/pacetest"
)

// carrying adds extra currencies to a message.
func carrying(m *tlb.InternalMessage, extra map[uint32]*big.Int) *tlb.InternalMessage {
	m.ExtraCurrencies = layout.Currencies{Extra: extra}.ExtraCell().AsDict(32)
	return m
}

// currencies returns the extra currencies of an account, which all APIs show alike.
func (n *localNetwork) currencies(a *address.Address) map[string]string {
	n.t.Helper()
	raw := a.StringRaw()
	var states struct {
		Accounts []struct {
			Currencies map[string]string `json:"extra_currencies"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v3/accountStates?address="+url.QueryEscape(raw), "", &states)
	require.Len(n.t, states.Accounts, 1)
	want := states.Accounts[0].Currencies
	for _, method := range []string{"getAddressInformation", "getExtendedAddressInformation"} {
		var v2 struct {
			Result struct {
				Currencies []oldAmount `json:"extra_currencies"`
			}
		}
		fetch(n.t, n.api, http.MethodGet, "/api/v2/"+method+"?address="+url.QueryEscape(raw), "", &v2)
		require.Equal(n.t, want, oldAmounts(v2.Result.Currencies), method)
	}
	var graph struct {
		Account struct {
			State struct{ ExtraCurrencies []amount }
		}
	}
	query(n.t, n.api, `query($a: Address!) { account(address: $a) { state { extraCurrencies { id amount } } } }`, map[string]any{"a": raw}, &graph)
	require.Equal(n.t, want, byID(graph.Account.State.ExtraCurrencies))
	return want
}

// currencyChanges returns the changes of extra currencies by a transaction's trace, by account.
func (n *localNetwork) currencyChanges(tx string) map[string]map[string]string {
	n.t.Helper()
	var graph struct {
		Traces struct {
			Nodes []struct {
				BalanceChanges []struct {
					Account         struct{ Address string }
					ExtraCurrencies []amount
				}
			}
		}
	}
	query(n.t, n.api, `query($t: Hash!) { traces(where: {transactions: [$t]}, first: 1) { nodes { balanceChanges {
		account { address } extraCurrencies { id amount } } } } }`, map[string]any{"t": tx}, &graph)
	require.Len(n.t, graph.Traces.Nodes, 1)
	changes := map[string]map[string]string{}
	for _, c := range graph.Traces.Nodes[0].BalanceChanges {
		if len(c.ExtraCurrencies) > 0 {
			changes[c.Account.Address] = byID(c.ExtraCurrencies)
		}
	}
	return changes
}

// Extra currencies are minted, sent, received by accounts with and without code, returned by a bounce, and sent with the rest of a
// balance. Every API shows them in messages, states, actions and balance changes.
func TestProtocol_ExtraCurrencies(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	minter, err := contracts.NewWallet(contracts.V3R2, -1, ed25519.NewKeyFromSeed(make([]byte, 32)), 0)
	require.NoError(t, err)
	closing, err := contracts.NewWallet(contracts.V3R2, 0, ed25519.NewKeyFromSeed(make([]byte, 32)), 0)
	require.NoError(t, err)
	huge := new(big.Int).Lsh(big.NewInt(1), 240)
	n := startLocal(t, devnet.Options{
		Seed: [32]byte{0xec}, Minter: minter.Address, Mint: map[uint32]*big.Int{300: big.NewInt(1000), 0xffffffff: huge},
		Accounts: []genesis.Account{
			{Address: minter.Address, Balance: 100e9, Code: minter.Init.Code, Data: minter.Init.Data},
			{Address: closing.Address, Balance: 5e9, Code: closing.Init.Code, Data: closing.Init.Data, Extra: map[uint32]*big.Int{300: big.NewInt(40)}},
		},
	})
	n.advance(2)
	system := address.NewAddress(0, 0xff, make([]byte, 32))
	minted := n.messages(system, minter.Address)
	require.Len(t, minted, 1, "currencies are minted once")
	all := map[string]string{"300": "960", "4294967295": huge.String()} // the zerostate has 40
	require.Equal(t, all, minted[0].Currencies)
	require.Equal(t, all, n.currencies(minter.Address))
	require.Equal(t, map[string]map[string]string{rawText(minter.Address): all}, n.currencyChanges(minted[0].Transaction))

	send := func(w *contracts.Wallet, seqno uint32, mode uint8, m *tlb.InternalMessage) {
		t.Helper()
		ext, err := w.External(contracts.Ticket{Seqno: seqno, ValidUntil: n.devnet.Chain.Now() + 600}, contracts.Order{Message: m, Mode: mode})
		require.NoError(t, err)
		require.NoError(t, n.devnet.Chain.SendExternal(n.ctx, ext))
		n.advance(3)
	}
	faucet := n.faucet.Address
	send(minter, 0, 0, carrying(contracts.Transfer(faucet, 1e9, "currencies"), map[uint32]*big.Int{300: big.NewInt(60), 0xffffffff: huge}))
	received := n.messages(minter.Address, faucet)
	require.Len(t, received, 1)
	require.Equal(t, map[string]string{"300": "60", "4294967295": huge.String()}, received[0].Currencies)
	require.Contains(t, n.actions(received[0].Transaction), "extra_currency_transfer ok")
	require.Equal(t, map[string]map[string]string{
		rawText(minter.Address): {"300": "-60", "4294967295": "-" + huge.String()}, rawText(faucet): {"300": "60", "4294967295": huge.String()},
	}, n.currencyChanges(received[0].Transaction))
	require.Equal(t, map[string]string{"300": "900"}, n.currencies(minter.Address))

	nobody := address.NewAddress(0, 0, make([]byte, 32))
	n.order(carrying(contracts.Transfer(nobody, 1e9, ""), map[uint32]*big.Int{300: big.NewInt(7)}))
	n.advance(2)
	require.Equal(t, map[string]string{"300": "7"}, n.currencies(nobody), "an account without code has currencies too")

	n.order(carrying(contracts.Call(nobody, 1e9, nil), map[uint32]*big.Int{0xffffffff: huge}))
	n.advance(2)
	back := n.messages(nobody, faucet)
	require.Len(t, back, 1)
	require.True(t, back[0].Bounced)
	require.Equal(t, map[string]string{"4294967295": huge.String()}, back[0].Currencies)
	require.Empty(t, n.currencyChanges(back[0].Transaction), "what bounced changes nothing")
	require.Equal(t, map[string]string{"300": "53", "4294967295": huge.String()}, n.currencies(faucet))

	send(closing, 0, contracts.ModeAllBalance, contracts.Transfer(faucet, 0, ""))
	last := n.messages(closing.Address, faucet)
	require.Len(t, last, 1)
	left, came := n.currencies(closing.Address), last[0].Currencies
	require.Equal(t, "40", add(left["300"], came["300"]), "nothing is lost: %v stay, %v are sent", left, came)
	require.Equal(t, add("53", came["300"]), n.currencies(faucet)["300"])
	n.requireReplayed()
}

// rawText is the form of addresses in GraphQL and /api/v3.
func rawText(a *address.Address) string {
	workchain, id, _ := strings.Cut(a.StringRaw(), ":")
	return workchain + ":" + strings.ToUpper(id)
}

// add adds two decimal numbers; an empty one is zero.
func add(a, b string) string {
	x, _ := new(big.Int).SetString("0"+a, 10)
	y, _ := new(big.Int).SetString("0"+b, 10)
	return x.Add(x, y).String()
}
