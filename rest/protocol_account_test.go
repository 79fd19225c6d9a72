package rest_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
)

// state is what all APIs show of an account.
type state struct {
	Status     string
	FrozenHash string // empty unless frozen
}

// state returns the newest state of an account. The three APIs agree, /api/v2 as far as its states go.
func (n *localNetwork) state(a *address.Address) state {
	n.t.Helper()
	text := a.StringRaw()
	var v3 struct {
		Accounts []struct {
			Status     string
			FrozenHash *string `json:"frozen_hash"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v3/accountStates?address="+url.QueryEscape(text), "", &v3)
	require.Len(n.t, v3.Accounts, 1)
	s := state{Status: v3.Accounts[0].Status}
	if h := v3.Accounts[0].FrozenHash; h != nil {
		s.FrozenHash = *h
	}
	var graph struct {
		Account struct {
			State struct{ Status, FrozenHash string }
		}
	}
	query(n.t, n.api, `query($a: Address!) { account(address: $a) { state { status frozenHash } } }`, map[string]any{"a": text}, &graph)
	require.Equal(n.t, state{strings.ToLower(graph.Account.State.Status), graph.Account.State.FrozenHash}, s)
	var v2 struct {
		Result struct {
			State      string
			FrozenHash string `json:"frozen_hash"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v2/getAddressInformation?address="+url.QueryEscape(text), "", &v2)
	states := map[string]string{"active": "active", "frozen": "frozen", "uninit": "uninitialized", "nonexist": "uninitialized"}
	require.Equal(n.t, state{states[s.Status], s.FrozenHash}, state{v2.Result.State, v2.Result.FrozenHash})
	return s
}

// life returns the statuses through which an account went: before and after each transaction, with what the storage phase
// changed and why no code ran, as /api/v3 and GraphQL show them.
func (n *localNetwork) life(a *address.Address) []string {
	n.t.Helper()
	var v3 struct {
		Transactions []struct {
			Before      string `json:"orig_status"`
			After       string `json:"end_status"`
			Description struct {
				Storage struct {
					Change string `json:"status_change"`
				} `json:"storage_ph"`
				Compute struct {
					Skipped bool
					Reason  string
				} `json:"compute_ph"`
			}
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v3/transactions?sort=asc&account="+url.QueryEscape(a.StringRaw()), "", &v3)
	var graph struct {
		Transactions struct {
			Nodes []struct {
				OrigStatus, EndStatus string
				Description           struct {
					Storage struct{ StatusChange string }
					Compute struct{ Reason *string }
				}
			}
		}
	}
	query(n.t, n.api, `query($a: Address!) { transactions(where: {accounts: [$a]}, first: 100, sort: ASC) { nodes { origStatus endStatus
		description { storage { statusChange } compute { reason } } } } }`, map[string]any{"a": a.StringRaw()}, &graph)
	require.Len(n.t, graph.Transactions.Nodes, len(v3.Transactions))
	var list []string
	for i, tx := range v3.Transactions {
		line := tx.Before + ", " + tx.Description.Storage.Change + ", " + tx.After
		g := graph.Transactions.Nodes[i]
		other := strings.ToLower(g.OrigStatus + ", " + g.Description.Storage.StatusChange + ", " + g.EndStatus)
		if tx.Description.Compute.Skipped {
			line += ", " + tx.Description.Compute.Reason
			other += ", " + strings.ToLower(*g.Description.Compute.Reason)
		}
		require.Equal(n.t, line, other)
		list = append(list, line)
	}
	return list
}

// Accounts that owe their storage freeze, and are deleted when they owe more. A frozen account comes back with the state that it
// had, and with no other.
func TestProtocol_AccountsFreezeThawAndEnd(t *testing.T) {
	t.Parallel()
	const years = 30 * 365 * 24 * 3600
	account := func(c contracts.Contract, balance uint64) genesis.Account {
		return genesis.Account{Address: c.Address, Balance: balance, Code: c.Init.Code, Data: c.Init.Data, Unpaid: years}
	}
	// A contract that is as it was deployed freezes to uninit: its address has the hash of its state. That of the others is
	// another one, as if they had changed their data.
	deployed, other := contracts.Thrower(contracts.Basechain, 1), contracts.Thrower(contracts.Basechain, 3)
	relic, ruin := elsewhere(contracts.Thrower(contracts.Basechain, 4), 0xaa), elsewhere(bulky(), 0xbb)
	hollow := address.NewAddress(0, 0, slices.Repeat([]byte{0xba}, 32))
	n := startLocal(t, devnet.Options{Seed: [32]byte{0xf2}, Accounts: []genesis.Account{
		account(deployed, 1000), account(relic, 1000), account(ruin, 1000), {Address: hollow, Balance: 1000, Unpaid: years},
	}})
	send := func(to *address.Address, value uint64, init *tlb.StateInit, body *cell.Cell) {
		t.Helper()
		m := contracts.Call(to, value, body)
		m.StateInit = init
		n.order(m)
		n.advance(2)
	}
	send(deployed.Address, 1e9, nil, nil)
	require.Equal(t, state{Status: "uninit"}, n.state(deployed.Address))
	send(deployed.Address, 1e9, deployed.Init, nil)
	require.Equal(t, []string{"active, frozen, uninit, no_state", "uninit, unchanged, active"}, n.life(deployed.Address))

	send(relic.Address, 1e9, nil, nil)
	frozen := n.state(relic.Address)
	require.Equal(t, "frozen", frozen.Status)
	init, err := tlb.ToCell(relic.Init)
	require.NoError(t, err)
	require.Equal(t, base64Hash(init), frozen.FrozenHash)

	send(relic.Address, 1e9, other.Init, nil)
	require.Equal(t, frozen, n.state(relic.Address), "another state does not thaw it")
	send(relic.Address, 1e9, relic.Init, nil)
	require.Equal(t, state{Status: "active"}, n.state(relic.Address))
	send(relic.Address, 1e9, nil, contracts.ThrowCode(700))
	//nolint:dupword // of the phases and the end
	require.Equal(t, []string{
		"active, frozen, frozen, no_state", "frozen, unchanged, frozen, bad_state", "frozen, unchanged, active", "active, unchanged, active",
	}, n.life(relic.Address))

	send(ruin.Address, 1e8, nil, nil)
	require.Equal(t, "frozen", n.state(ruin.Address).Status)
	send(ruin.Address, 1e8, nil, nil)
	require.Equal(t, state{Status: "nonexist"}, n.state(ruin.Address))
	m := contracts.Transfer(ruin.Address, 1e9, "")
	n.order(m)
	n.advance(2)
	require.Equal(t, state{Status: "uninit"}, n.state(ruin.Address))
	//nolint:dupword // of the phases and the end
	require.Equal(t, []string{
		"active, frozen, frozen, no_state", "frozen, deleted, nonexist, no_state", "nonexist, unchanged, uninit, no_state",
	}, n.life(ruin.Address))

	send(hollow, 1e8, nil, nil)
	require.Equal(t, []string{"uninit, unchanged, nonexist, no_state"}, n.life(hollow), "without code and coins nothing is left")
	n.requireReplayed()
}

// elsewhere moves a contract to another address, where its state cannot have been deployed.
func elsewhere(c contracts.Contract, id byte) contracts.Contract {
	c.Address = address.NewAddress(0, 0, slices.Repeat([]byte{id}, 32))
	return c
}

// bulky is a contract that pays much for its storage.
func bulky() contracts.Contract {
	data := cell.BeginCell().MustStoreUInt(2, 32).EndCell()
	for i := range 400 {
		data = cell.BeginCell().MustStoreUInt(uint64(i), 32).MustStoreRef(data).EndCell()
	}
	init := &tlb.StateInit{Code: contracts.Thrower(contracts.Basechain, 0).Init.Code, Data: data}
	return contracts.Contract{Address: init.CalcAddress(contracts.Basechain), Init: init}
}

func base64Hash(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.Hash()) }
