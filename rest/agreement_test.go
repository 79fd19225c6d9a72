package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

// Every transaction of a mainnet block has the same hash, fees, messages and outcome in REST v3 and GraphQL, and in
// REST v2 as far as its format has them.
func TestAPIs_AgreeOnAMainnetBlock(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m, err := decode.MasterBlock(t.Context(), fat.Raw)
	require.NoError(t, err)
	_, err = replay.New(replay.NewNetwork(fat), replay.Options{}).Run(t.Context(), m)
	require.NoError(t, err)
	db := testdb.New(t)
	require.NoError(t, db.Writer().Apply(t.Context(), m.MasterBlock))

	require.Len(t, agreeOnTransactions(t, newService(t, db, nil), m.Block.Seqno), fat.TxCount)
}

// newService returns the complete service over a database.
func newService(t *testing.T, db *store.DB, node chain.Node) http.Handler {
	t.Helper()
	service := resolvers.New(db.Reader(), node, resolvers.Options{Network: "mainnet"})
	t.Cleanup(service.Close)
	resolver := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits}
	silent := slog.New(slog.DiscardHandler)
	return rest.New(rest.Options{
		Service: service, Logger: silent,
		GraphQL: graphql.New(graphql.Options{
			Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}), Limits: graphql.DefaultLimits,
			Logger: silent, RequestID: func(context.Context) string { return "" }, Prepare: resolver.Prepare,
		}),
	})
}

// agreeOnTransactions compares the transactions of a masterchain block in all APIs and returns their accounts.
func agreeOnTransactions(t *testing.T, h http.Handler, seqno uint32) (accounts []string) {
	t.Helper()
	byREST := map[string]facts{}
	var page struct{ Transactions []restTransaction }
	fetch(t, h, http.MethodGet, fmt.Sprintf("/api/v3/transactionsByMasterchainBlock?seqno=%d&limit=1000", seqno), "", &page)
	for _, tx := range page.Transactions {
		byREST[tx.Hash] = tx.facts()
	}
	byGraphQL := map[string]facts{}
	for after := "null"; after != ""; {
		var response struct {
			Data struct {
				Transactions struct {
					Nodes    []graphTransaction
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
			}
		}
		query := fmt.Sprintf(`{ transactions(first: 100, after: %s, where: {mcSeqno: %d}) { pageInfo { hasNextPage endCursor } nodes {
			hash lt totalFees verification account { address } stateAfter { balance hash }
			description { aborted compute { exitCode gasUsed } action { resultCode } }
			inMessage { hash hashNorm value bodyHash } outMessages { hash value fwdFee } } } }`, after, seqno)
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		fetch(t, h, http.MethodPost, "/graphql", string(body), &response)
		for _, tx := range response.Data.Transactions.Nodes {
			require.Equal(t, "REPLAYED", tx.Verification)
			byGraphQL[tx.Hash] = tx.facts()
		}
		after = ""
		if info := response.Data.Transactions.PageInfo; info.HasNextPage {
			after = fmt.Sprintf("%q", info.EndCursor)
		}
	}
	require.Equal(t, byREST, byGraphQL)
	for _, tx := range page.Transactions {
		query := url.Values{"address": {tx.Account}, "lt": {tx.Lt}, "hash": {tx.Hash}, "limit": {"1"}}
		var response struct{ Result []nodeTransaction }
		fetch(t, h, http.MethodGet, "/api/v2/getTransactions?"+query.Encode(), "", &response)
		require.Len(t, response.Result, 1)
		require.Equal(t, tx.nodeFacts(), response.Result[0].facts())
		accounts = append(accounts, tx.Account)
	}
	return accounts
}

// nodeTransaction is a transaction in the format of nodes: the fees are one sum, and the outcome is in its cell only.
type nodeTransaction struct {
	Account, Fee string
	ID           struct{ LT, Hash string } `json:"transaction_id"`
	In           *nodeMessage              `json:"in_msg"`
	Out          []nodeMessage             `json:"out_msgs"`
}

type nodeMessage struct {
	Hash, Value string
	FwdFee      string `json:"fwd_fee"`
	BodyHash    string `json:"body_hash"`
}

// nodeFacts returns the fields of a transaction that must agree in REST v3 and v2.
type nodeFacts struct {
	Hash, LT, Account, Fee string
	In                     nodeMessage
	Out                    []nodeMessage
}

func (tx nodeTransaction) facts() nodeFacts {
	f := nodeFacts{Hash: tx.ID.Hash, LT: tx.ID.LT, Account: tx.Account, Fee: tx.Fee, Out: tx.Out}
	if tx.In != nil {
		f.In = *tx.In
	}
	return f
}

func (tx restTransaction) nodeFacts() nodeFacts {
	f := nodeFacts{Hash: tx.Hash, LT: tx.Lt, Account: tx.Account, Out: []nodeMessage{}}
	fee := number(tx.TotalFees)
	if tx.InMsg.Hash != "" {
		f.In = tx.InMsg.node()
	}
	for _, m := range tx.OutMsgs {
		fee += number(m.FwdFee)
		f.Out = append(f.Out, m.node())
	}
	f.Fee = strconv.FormatUint(fee, 10)
	return f
}

// node returns a message in the format of nodes, with 0 for absent fields.
func (m restMessage) node() nodeMessage {
	return nodeMessage{
		Hash: m.Hash, BodyHash: m.Content.Hash, Value: strconv.FormatUint(number(m.Value), 10), FwdFee: strconv.FormatUint(number(m.FwdFee), 10),
	}
}

// number reads a decimal; 0 when it is left out.
func number(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// facts are the fields of a transaction that must agree.
type facts struct {
	LT, Account, Fees, Balance, StateHash string
	Aborted                               bool
	Exit, Result                          int
	Gas                                   string
	In                                    messageFacts
	Out                                   []messageFacts
}

type messageFacts struct{ Hash, HashNorm, Value, FwdFee, BodyHash string }

type restTransaction struct {
	Hash, Account, Lt string
	TotalFees         string `json:"total_fees"`
	Description       struct {
		Aborted bool
		Compute struct {
			ExitCode int    `json:"exit_code"`
			GasUsed  string `json:"gas_used"`
		} `json:"compute_ph"`
		Action struct {
			ResultCode int `json:"result_code"`
		}
	}
	InMsg   restMessage                    `json:"in_msg"`
	OutMsgs []restMessage                  `json:"out_msgs"`
	After   struct{ Hash, Balance string } `json:"account_state_after"`
}

type restMessage struct {
	Hash, Value string
	HashNorm    string                `json:"hash_norm"`
	FwdFee      string                `json:"fwd_fee"`
	Content     struct{ Hash string } `json:"message_content"`
}

func (tx restTransaction) facts() facts {
	f := facts{
		LT: tx.Lt, Account: tx.Account, Fees: tx.TotalFees, Balance: tx.After.Balance, StateHash: tx.After.Hash,
		Aborted: tx.Description.Aborted, Exit: tx.Description.Compute.ExitCode, Result: tx.Description.Action.ResultCode,
		Gas: tx.Description.Compute.GasUsed,
		In:  messageFacts{Hash: tx.InMsg.Hash, HashNorm: tx.InMsg.HashNorm, Value: tx.InMsg.Value, BodyHash: tx.InMsg.Content.Hash},
	}
	for _, m := range tx.OutMsgs {
		f.Out = append(f.Out, messageFacts{Hash: m.Hash, Value: m.Value, FwdFee: m.FwdFee})
	}
	return f
}

type graphTransaction struct {
	Hash, Lt, TotalFees, Verification string
	Account                           struct{ Address string }
	StateAfter                        struct{ Balance, Hash string }
	Description                       struct {
		Aborted bool
		Compute struct {
			ExitCode int
			GasUsed  string
		}
		Action struct{ ResultCode int }
	}
	InMessage   graphMessage
	OutMessages []graphMessage
}

type graphMessage struct{ Hash, HashNorm, Value, FwdFee, BodyHash string }

func (tx graphTransaction) facts() facts {
	f := facts{
		LT: tx.Lt, Account: tx.Account.Address, Fees: tx.TotalFees, Balance: tx.StateAfter.Balance, StateHash: tx.StateAfter.Hash,
		Aborted: tx.Description.Aborted, Exit: tx.Description.Compute.ExitCode, Result: tx.Description.Action.ResultCode,
		Gas: tx.Description.Compute.GasUsed,
		In:  messageFacts{Hash: tx.InMessage.Hash, HashNorm: tx.InMessage.HashNorm, Value: tx.InMessage.Value, BodyHash: tx.InMessage.BodyHash},
	}
	if f.In.HashNorm == f.In.Hash { // REST omits a normalized hash that equals the hash
		f.In.HashNorm = ""
	}
	if f.Gas == "0" { // a skipped compute phase: zeros in GraphQL, absent in REST
		f.Gas = ""
	}
	for _, m := range tx.OutMessages {
		f.Out = append(f.Out, messageFacts{Hash: m.Hash, Value: m.Value, FwdFee: m.FwdFee})
	}
	return f
}

func fetch(t *testing.T, h http.Handler, method, target, body string, into any) {
	t.Helper()
	req := httptest.NewRequest(method, target, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	require.Equal(t, http.StatusOK, rec.Code, rec.Body.String())
	require.NotContains(t, rec.Body.String(), `"errors"`)
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), into))
}
