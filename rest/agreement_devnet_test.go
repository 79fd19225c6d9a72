package rest_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// scenarioBlocks is the number of blocks in which every step of the scenario has happened.
const scenarioBlocks = 75

// The three APIs agree on every step of the local chain's scenario: transactions, states of accounts, Jettons, their
// wallets, and NFTs.
func TestAPIs_AgreeOnTheScenario(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*5*time.Minute)
	t.Cleanup(cancel)
	net := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0xa9}, Scenario: true, ActionsPerMinute: 60, ShardPeriod: 24}, Blocks: scenarioBlocks,
	})
	db := testdb.New(t)
	stopIndex := net.Index(t, db, indexer.Options{})
	net.WaitIndexed(t, db)
	stopIndex()
	h := newService(t, db, net.Client)

	info, err := db.Reader().MasterchainInfo(ctx)
	require.NoError(t, err)
	var accounts []string
	for seqno := info.First.Seqno; seqno <= info.Last.Seqno; seqno++ {
		accounts = append(accounts, agreeOnTransactions(t, h, seqno)...)
	}
	slices.Sort(accounts)
	accounts = slices.Compact(accounts)
	require.Greater(t, len(accounts), 50)
	agreeOnStates(t, h, accounts)
	require.NotZero(t, agreeOnJettons(t, h))
	require.NotZero(t, agreeOnItems(t, h))
}

// query sends a GraphQL query.
func query(t *testing.T, h http.Handler, text string, variables map[string]any, into any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	require.NoError(t, err)
	var response struct{ Data json.RawMessage }
	fetch(t, h, http.MethodPost, "/graphql", string(body), &response)
	require.NoError(t, json.Unmarshal(response.Data, into))
}

func agreeOnStates(t *testing.T, h http.Handler, accounts []string) {
	t.Helper()
	for chunk := range slices.Chunk(accounts, 50) {
		var v3 struct {
			Accounts []struct {
				Address, Balance, Status string
				LastLt                   string `json:"last_transaction_lt"`
				LastHash                 string `json:"last_transaction_hash"`
			}
		}
		fetch(t, h, http.MethodGet, "/api/v3/accountStates?"+url.Values{"address": chunk}.Encode(), "", &v3)
		require.Len(t, v3.Accounts, len(chunk))
		var graph struct {
			Accounts []struct {
				Address string
				State   struct{ Balance, LT, TxHash, Status string }
			}
		}
		query(t, h, `query($a: [Address!]!) { accounts(addresses: $a) { address state { balance lt txHash status } } }`, map[string]any{"a": chunk}, &graph)
		byAddress := map[string]struct{ Balance, LT, TxHash, Status string }{}
		for _, a := range graph.Accounts {
			byAddress[a.Address] = a.State
		}
		for _, a := range v3.Accounts {
			g := byAddress[a.Address]
			require.Equal(t, g.Balance, a.Balance, a.Address)
			require.Equal(t, g.LT, a.LastLt, a.Address)
			require.Equal(t, g.TxHash, a.LastHash, a.Address)
			var v2 struct {
				Result struct {
					Balance json.Number
					State   string
					Last    struct{ LT, Hash string } `json:"last_transaction_id"`
				}
			}
			fetch(t, h, http.MethodGet, "/api/v2/getAddressInformation?address="+url.QueryEscape(a.Address), "", &v2)
			require.Equal(t, a.Balance, v2.Result.Balance.String(), a.Address)
			if a.Status == "nonexist" { // the chain has no last transaction of an account that was deleted
				a.LastLt, a.LastHash = "0", base64.StdEncoding.EncodeToString(make([]byte, 32))
			}
			require.Equal(t, a.LastLt, v2.Result.Last.LT, a.Address)
			require.Equal(t, a.LastHash, v2.Result.Last.Hash, a.Address)
			require.Equal(t, v2.Result.State == "active", a.Status == "active", a.Address)
		}
	}
}

// agreeOnJettons compares masters and the wallets of each, by number.
func agreeOnJettons(t *testing.T, h http.Handler) int {
	t.Helper()
	var v3 struct {
		Masters []struct {
			Address  string
			Supply   string `json:"total_supply"`
			Mintable bool
		} `json:"jetton_masters"`
	}
	fetch(t, h, http.MethodGet, "/api/v3/jetton/masters?limit=100", "", &v3)
	for _, m := range v3.Masters {
		var graph struct {
			JettonMaster *struct {
				TotalSupply string
				Mintable    bool
			}
			JettonWallets struct {
				Nodes []struct {
					Account, Owner struct{ Address string }
					Balance        string
				}
			}
		}
		query(t, h, `query($a: Address!) { jettonMaster(address: $a) { totalSupply mintable }
			jettonWallets(where: {jettons: [$a]}, first: 100) { nodes { account { address } owner { address } balance } } }`, map[string]any{"a": m.Address}, &graph)
		require.NotNil(t, graph.JettonMaster, m.Address)
		require.Equal(t, graph.JettonMaster.TotalSupply, m.Supply, m.Address)
		require.Equal(t, graph.JettonMaster.Mintable, m.Mintable, m.Address)
		byGraphQL := map[string][2]string{}
		for _, w := range graph.JettonWallets.Nodes {
			byGraphQL[w.Account.Address] = [2]string{w.Owner.Address, w.Balance}
		}
		var wallets struct {
			Rows []struct{ Address, Owner, Balance string } `json:"jetton_wallets"`
		}
		fetch(t, h, http.MethodGet, "/api/v3/jetton/wallets?limit=100&jetton_address="+url.QueryEscape(m.Address), "", &wallets)
		byREST := map[string][2]string{}
		for _, w := range wallets.Rows {
			byREST[w.Address] = [2]string{w.Owner, w.Balance}
		}
		require.Equal(t, byGraphQL, byREST, m.Address)
		for address, w := range byREST {
			token := tokenData(t, h, address)
			require.Equal(t, w[1], fmt.Sprint(token["balance"]), address)
			owner, _ := token["owner"].(string)
			require.Equal(t, w[0], raw(t, owner), address)
		}
		require.Equal(t, m.Supply, fmt.Sprint(tokenData(t, h, m.Address)["total_supply"]), m.Address)
	}
	return len(v3.Masters)
}

func agreeOnItems(t *testing.T, h http.Handler) int {
	t.Helper()
	var v3 struct {
		Items []struct {
			Address, Index string
			Owner          string `json:"owner_address"`
			OnSale         bool   `json:"on_sale"`
			RealOwner      string `json:"real_owner"`
		} `json:"nft_items"`
	}
	fetch(t, h, http.MethodGet, "/api/v3/nft/items?limit=200", "", &v3)
	for _, i := range v3.Items {
		var graph struct {
			NFTItem *struct {
				Index string
				Owner *struct{ Address string }
			} `json:"nftItem"`
		}
		query(t, h, `query($a: Address!) { nftItem(address: $a) { index owner { address } } }`, map[string]any{"a": i.Address}, &graph)
		require.NotNil(t, graph.NFTItem, i.Address)
		require.Equal(t, graph.NFTItem.Index, i.Index, i.Address)
		owner := ""
		if graph.NFTItem.Owner != nil {
			owner = graph.NFTItem.Owner.Address
		}
		require.Equal(t, owner, i.Owner, i.Address)
		token := tokenData(t, h, i.Address)
		require.Equal(t, i.Index, fmt.Sprint(token["index"]), i.Address)
		if text, _ := token["owner_address"].(string); owner != "" {
			require.Equal(t, owner, raw(t, text), i.Address)
		}
	}
	return len(v3.Items)
}

func tokenData(t *testing.T, h http.Handler, address string) map[string]any {
	t.Helper()
	var response struct{ Result map[string]any }
	fetch(t, h, http.MethodGet, "/api/v2/getTokenData?address="+url.QueryEscape(address), "", &response)
	return response.Result
}

func raw(t *testing.T, text string) string {
	t.Helper()
	a, err := chain.ParseAddress(text)
	require.NoError(t, err)
	return a.String()
}
