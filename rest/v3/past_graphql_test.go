package v3_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/graph"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/resolvers"
	"tonql/rest/graphql"
)

// pastResult is the GraphQL result about a past state.
type pastResult struct {
	Account struct {
		McSeqno uint32
		State   *struct {
			Lt, Balance, Status string
			CodeHash, DataHash  *chain.Hash
			Code                *string
		}
	}
	JettonWallet *struct {
		Balance string
		Owner   struct{ Address string }
	}
	NftOwner *struct {
		Owner   *struct{ Address string }
		McSeqno uint32
	}
	RunGetMethod struct {
		ExitCode int
		Stack    []entry
		McSeqno  uint32
	}
}

// past returns a function that queries the network's index with GraphQL.
func (n *network) past() func(t *testing.T, query string, into any) string {
	svc := resolvers.New(n.db.Reader(), n.node, resolvers.Options{Network: "devnet", HeadTTL: time.Nanosecond, Classifier: trace.Classifier{}})
	n.t.Cleanup(svc.Close)
	return queryService(svc)
}

// queryService returns a function that sends GraphQL queries to a service. With into, the response must have no errors.
func queryService(svc *resolvers.Service) func(t *testing.T, query string, into any) string {
	send := queryWith(svc)
	return func(t *testing.T, query string, into any) string {
		t.Helper()
		return send(t, query, nil, into)
	}
}

// queryWith is queryService with variables.
func queryWith(svc *resolvers.Service) func(t *testing.T, query string, variables, into any) string {
	r := &resolvers.Resolver{Service: svc, Limits: graphql.DefaultLimits}
	h := graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: graphql.DefaultLimits,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
	})
	return func(t *testing.T, query string, variables, into any) string {
		t.Helper()
		body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
		require.NoError(t, err)
		req := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if into != nil {
			var response struct {
				Data   json.RawMessage
				Errors json.RawMessage
			}
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &response))
			require.Empty(t, response.Errors, query)
			require.NoError(t, json.Unmarshal(response.Data, into))
		}
		return w.Body.String()
	}
}

// At 100 past blocks GraphQL and the liteserver return the same accounts, Jetton wallets, owners of items and results
// of get-methods.
func TestGraphQLPast_AgreesWithTheLiteserver(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const first, blocks = 5, 100
	n := startNetwork(t, first+blocks+2)
	query := n.past()
	reader := n.db.Reader()
	rich, err := reader.TopAccounts(n.ctx, chain.Page{Limit: 60})
	require.NoError(t, err)
	wallets, err := reader.JettonWallets(n.ctx, chain.JettonWalletFilter{}, chain.Page{Limit: 40})
	require.NoError(t, err)
	items, err := reader.NFTItems(n.ctx, chain.NFTItemFilter{}, chain.Page{Limit: 40})
	require.NoError(t, err)
	require.NotEmpty(t, wallets)
	require.NotEmpty(t, items)
	there, walletCount, owned, ran := 0, 0, 0, 0
	for i := range blocks {
		seqno := uint32(first + i)
		b, err := n.devnet.Chain.BySeqno(-1, -1<<63, seqno)
		require.NoError(t, err)
		a, w, item := rich[i%len(rich)].Account, wallets[i%len(wallets)].Address, items[i%len(items)].Address
		var got pastResult
		query(t, fmt.Sprintf(`{ account(address: "%s", at: {seqno: %d}) { mcSeqno state { lt balance status codeHash dataHash code } }
			jettonWallet(address: "%s", at: {seqno: %d}) { balance owner { address } }
			nftOwner(address: "%s", at: {seqno: %d}) { owner { address } mcSeqno }
			runGetMethod(address: "%s", method: "get_wallet_data", at: {seqno: %d}) { exitCode stack mcSeqno } }`,
			a, seqno, w, seqno, item, seqno, w, seqno), &got)
		require.Equal(t, seqno, got.Account.McSeqno)

		want, err := n.lite.GetAccount(n.ctx, &b.ID, std(a))
		require.NoError(t, err)
		if s := got.Account.State; want.State == nil {
			require.Nil(t, s, "%s at %d", a, seqno)
		} else {
			there++
			require.NotNil(t, s, "%s at %d", a, seqno)
			require.Equal(t, want.State.Balance.Nano().String(), s.Balance, "%s at %d", a, seqno)
			require.Equal(t, fmt.Sprint(want.LastTxLT), s.Lt)
			require.Equal(t, strings.ToUpper(strings.TrimSuffix(string(want.State.Status), "IALIZED")), s.Status)
			if want.Code != nil {
				require.Equal(t, chain.Hash(want.Code.HashKey()), *s.CodeHash)
				require.Equal(t, chain.Hash(want.Data.HashKey()), *s.DataHash)
				require.NotNil(t, s.Code)
			}
		}

		data, err := n.lite.RunGetMethod(n.ctx, &b.ID, std(w), "get_wallet_data")
		if err != nil {
			require.ErrorAs(t, err, new(ton.ContractExecError))
			require.Nil(t, got.JettonWallet, "%s at %d", w, seqno)
			require.NotContains(t, []int{0, 1}, got.RunGetMethod.ExitCode)
		} else {
			walletCount++
			require.NotNil(t, got.JettonWallet, "%s at %d", w, seqno)
			require.Equal(t, data.MustInt(0).String(), got.JettonWallet.Balance, "%s at %d", w, seqno)
			require.Equal(t, own(data.MustSlice(1).MustLoadAddr()).String(), got.JettonWallet.Owner.Address)
			require.Zero(t, got.RunGetMethod.ExitCode)
			ran++
			_, m, _ := n.run(w, "get_wallet_data", seqno)
			stack := got.RunGetMethod.Stack
			for i := range stack {
				if stack[i].Type == "slice" { // a cell in /api/v3
					stack[i].Type = "cell"
				}
			}
			require.Equal(t, m.Stack, stack)
		}
		require.Equal(t, seqno, got.RunGetMethod.McSeqno)

		data, err = n.lite.RunGetMethod(n.ctx, &b.ID, std(item), "get_nft_data")
		if err != nil {
			require.ErrorAs(t, err, new(ton.ContractExecError))
			require.Nil(t, got.NftOwner, "%s at %d", item, seqno)
			continue
		}
		owned++
		require.NotNil(t, got.NftOwner, "%s at %d", item, seqno)
		if owner := data.MustSlice(3).MustLoadAddr(); owner.IsAddrNone() {
			require.Nil(t, got.NftOwner.Owner)
		} else {
			require.NotNil(t, got.NftOwner.Owner, "%s at %d", item, seqno)
			require.Equal(t, own(owner).String(), got.NftOwner.Owner.Address, "%s at %d", item, seqno)
		}
	}
	t.Logf("of %d blocks: %d accounts, %d Jetton wallets, %d items, %d methods", blocks, there, walletCount, owned, ran)
	require.Greater(t, there, blocks/2)
	require.Greater(t, walletCount, blocks/4)
	require.Greater(t, owned, blocks/4)
	compareMoments(t, n, query)
	compareOwned(t, n, query)
}

// compareOwned compares lists at past blocks: the Jetton wallets and items of owners, and the masterchain block.
func compareOwned(t *testing.T, n *network, query func(*testing.T, string, any) string) {
	t.Helper()
	reader := n.db.Reader()
	wallets, err := reader.JettonWallets(n.ctx, chain.JettonWalletFilter{}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	items, err := reader.NFTItems(n.ctx, chain.NFTItemFilter{}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	owners := map[chain.Address]int{}
	for i := range wallets {
		owners[wallets[i].Owner]++
	}
	for i := range items {
		if o := items[i].Owner; o != nil {
			owners[*o] += 2
		}
	}
	list := slices.SortedFunc(maps.Keys(owners), func(a, b chain.Address) int {
		return cmp.Or(cmp.Compare(owners[b], owners[a]), a.Compare(b))
	})
	walletCount, owned := 0, 0
	for i := range 15 {
		seqno := uint32(12 + 6*i)
		b, err := n.devnet.Chain.BySeqno(-1, -1<<63, seqno)
		require.NoError(t, err)
		owner := list[i%min(len(list), 6)]
		var got struct {
			Accounts []struct {
				McSeqno       uint32
				State         *struct{ Balance string }
				JettonWallets struct {
					Nodes []struct {
						Account struct{ Address string }
						Balance string
					}
				}
				NftItems struct {
					Nodes []struct{ Account, Owner struct{ Address string } }
				}
			}
			Masterchain struct {
				Block         struct{ RootHash chain.Hash }
				Zerostate     struct{ RootHash chain.Hash }
				StateRootHash *chain.Hash
				Config        struct{ McSeqno uint32 }
				First, Last   struct{ Seqno uint32 }
				Shards        []struct {
					Workchain int
					Shard     string
					Seqno     uint32
					RootHash  chain.Hash
				}
			}
		}
		query(t, fmt.Sprintf(`{ accounts(addresses: ["%s"], at: {seqno: %d}) { mcSeqno state { balance }
			jettonWallets(first: 100) { nodes { account { address } balance } } nftItems(first: 100) { nodes { account { address } owner { address } } } }
			masterchain(at: {seqno: %d}) { block { rootHash } zerostate { rootHash } stateRootHash config { mcSeqno } first { seqno } last { seqno }
				shards { workchain shard seqno rootHash } } }`, owner, seqno, seqno), &got)
		a := got.Accounts[0]
		require.Equal(t, seqno, a.McSeqno)
		account, err := n.lite.GetAccount(n.ctx, &b.ID, std(owner))
		require.NoError(t, err)
		require.Equal(t, account.State != nil, a.State != nil, "%s at %d", owner, seqno)
		if a.State != nil {
			require.Equal(t, account.State.Balance.Nano().String(), a.State.Balance)
		}
		want, have := map[string]string{}, map[string]string{}
		for j := range wallets {
			if wallets[j].Owner != owner {
				continue
			}
			data, err := n.lite.RunGetMethod(n.ctx, &b.ID, std(wallets[j].Address), "get_wallet_data")
			if err == nil {
				want[wallets[j].Address.String()] = data.MustInt(0).String()
			}
		}
		for _, w := range a.JettonWallets.Nodes {
			have[w.Account.Address] = w.Balance
		}
		require.Equal(t, want, have, "Jetton wallets of %s at %d", owner, seqno)
		walletCount += len(have)
		want, have = map[string]string{}, map[string]string{}
		for j := range items {
			data, err := n.lite.RunGetMethod(n.ctx, &b.ID, std(items[j].Address), "get_nft_data")
			if err != nil {
				continue
			}
			if o := data.MustSlice(3).MustLoadAddr(); !o.IsAddrNone() && own(o) == owner {
				want[items[j].Address.String()] = owner.String()
			}
		}
		for _, item := range a.NftItems.Nodes {
			have[item.Account.Address] = item.Owner.Address
		}
		require.Equal(t, want, have, "items of %s at %d", owner, seqno)
		owned += len(have)

		m := got.Masterchain
		require.Equal(t, chain.HashFrom(b.ID.RootHash), m.Block.RootHash)
		require.Equal(t, seqno, m.Config.McSeqno)
		require.NotNil(t, m.StateRootHash)
		root, err := n.node.StateRoot(n.ctx, chain.BlockIDExt{
			BlockID: chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: seqno}, RootHash: chain.HashFrom(b.ID.RootHash), FileHash: chain.HashFrom(b.ID.FileHash),
		})
		require.NoError(t, err)
		require.Equal(t, root, *m.StateRootHash)
		require.Equal(t, n.node.Zerostate().RootHash, m.Zerostate.RootHash)
		var state struct {
			Blocks []struct {
				Workchain int
				Shard     string
				Seqno     uint32
				RootHash  chain.Hash `json:"root_hash"`
			}
		}
		require.NoError(t, json.Unmarshal(n.do(fmt.Sprintf("/masterchainBlockShardState?seqno=%d", seqno)).Body.Bytes(), &state))
		require.Len(t, m.Shards, len(state.Blocks))
		for j, s := range state.Blocks {
			require.Equal(t, fmt.Sprint(s.Workchain, s.Seqno, s.RootHash), fmt.Sprint(m.Shards[j].Workchain, m.Shards[j].Seqno, m.Shards[j].RootHash))
		}
	}
	t.Logf("15 blocks: %d Jetton wallets, %d items", walletCount, owned)
	require.Positive(t, walletCount)
	require.Positive(t, owned)
}

// compareMoments selects blocks by LT and by time. Blocks outside the index are errors.
func compareMoments(t *testing.T, n *network, query func(*testing.T, string, any) string) {
	t.Helper()
	master, err := n.db.Reader().BlocksByID(n.ctx, []chain.BlockID{{Workchain: -1, Shard: chain.FullShard, Seqno: 30}, {Workchain: -1, Shard: chain.FullShard, Seqno: 31}})
	require.NoError(t, err)
	require.Len(t, master, 2)
	for _, b := range master {
		var got struct {
			Config struct {
				McSeqno uint32
				Params  []struct {
					Index int
					Value string
				}
			}
			Shards []struct{ Workchain int }
			ByTime struct{ McSeqno uint32 }
		}
		query(t, fmt.Sprintf(`{ config(at: {lt: "%d"}) { mcSeqno params(indexes: [0, 34, 7777]) { index value } }
			shards(at: {lt: "%d"}) { workchain } byTime: config(at: {utime: %d}) { mcSeqno } }`, b.StartLT, b.StartLT, b.GenUtime), &got)
		require.Equal(t, b.Seqno, got.Config.McSeqno)
		require.GreaterOrEqual(t, got.ByTime.McSeqno, b.Seqno)
		require.Len(t, got.Config.Params, 2)
		require.Equal(t, 34, got.Config.Params[1].Index)
		require.GreaterOrEqual(t, len(got.Shards), 2)
	}
	a := own(n.faucet.Address).String()
	for at, code := range map[string]string{
		`{seqno: 99999}`: "NOT_FOUND", `{utime: 1}`: "NOT_FOUND", `{utime: 4000000000}`: "BEHIND", `{seqno: 1, utime: 1}`: "",
	} {
		require.Contains(t, query(t, `{ account(address: "`+a+`", at: `+at+`) { state { balance } } }`, nil), code)
	}
	require.Contains(t, query(t, `{ runGetMethod(address: "`+a+`", method: "seqno", mcSeqno: 9, at: {seqno: 9}) { exitCode } }`, nil), "not both")
	var fees struct {
		EstimateFee struct {
			Source   struct{ InFwd, Gas string }
			ExitCode int
		}
		Decode struct {
			Opcodes []string
			Bodies  []json.RawMessage
		}
	}
	body := boc(n.sign(n.seqno).MustBeginParse().MustToCell())
	query(t, `{ estimateFee(address: "`+a+`", body: "`+body+`") { source { inFwd gas } exitCode } decode(opcodes: ["0x0f8a7ea5"], bodies: ["`+body+`"]) { opcodes bodies } }`, &fees)
	require.Equal(t, []string{"jetton_transfer"}, fees.Decode.Opcodes)
	require.Len(t, fees.Decode.Bodies, 1)
	gas, ok := new(big.Int).SetString(fees.EstimateFee.Source.InFwd, 10)
	require.True(t, ok)
	require.Positive(t, gas.Sign())
}
