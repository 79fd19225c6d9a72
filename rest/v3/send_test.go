package v3_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/toncenter"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

type fees struct {
	InFwd   int64 `json:"in_fwd_fee"`
	Storage int64 `json:"storage_fee"`
	Gas     int64 `json:"gas_fee"`
	Fwd     int64 `json:"fwd_fee"`
}

type estimate struct {
	Source       fees   `json:"source_fees"`
	Destinations []fees `json:"destination_fees"`
}

// sent has the members of a transaction that these tests compare.
type sent struct {
	TotalFees   string `json:"total_fees"`
	Description struct {
		Storage struct {
			Collected string `json:"storage_fees_collected"`
		} `json:"storage_ph"`
		Compute struct {
			Gas string `json:"gas_fees"`
		} `json:"compute_ph"`
		Action struct {
			Fwd string `json:"total_fwd_fees"`
		}
	}
}

// A sent message costs its estimate and is found by both hashes. When it is sent again, it is rejected with the text of
// the liteserver.
//
//nolint:tparallel // the subtests use one chain, in order
func TestSentMessage_CostsItsEstimate(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startNetwork(t, 20)
	other := contractOf(cell.BeginCell().MustStoreUInt(0xff0030, 24).EndCell()) // takes every message
	n.order(contracts.Order{Message: other.Deploy(2e9, nil)})
	n.advance(n.head() + 4)

	transfer := contracts.Order{Message: contracts.Transfer(other.Address, 3e9, "for nothing")}
	root := n.sign(n.seqno, transfer)
	var m tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&m, root))
	guess := n.estimate(map[string]any{"address": n.faucet.Address.String(), "body": boc(m.Body)})
	require.Len(t, guess.Destinations, 1)

	var response struct {
		Hash string `json:"message_hash"`
		Norm string `json:"message_hash_norm"`
	}
	w := n.post("/message", "application/json", `{"boc":"`+boc(root)+`"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &response))
	require.Equal(t, base64.StdEncoding.EncodeToString(root.Hash()), response.Hash)
	n.seqno++
	n.advance(n.head() + 4)
	for _, hash := range []string{response.Hash, response.Norm} {
		tx := n.received(hash)
		require.Equal(t, number(tx.Description.Compute.Gas), guess.Source.Gas)
		require.Equal(t, number(tx.Description.Action.Fwd), guess.Source.Fwd)
		require.InDelta(t, number(tx.Description.Storage.Collected), guess.Source.Storage, 100, "storage fees grow every second")
		total := guess.Source.Gas + guess.Source.Storage + guess.Source.InFwd
		require.InEpsilon(t, number(tx.TotalFees), total+guess.Source.Fwd/3, 0.02)
	}
	_, found, _ := n.run(own(other.Address), "anything", 0)
	require.Zero(t, found.ExitCode)

	// The wallet rejects the message the second time: here and in the node with the same text.
	w = n.post("/message", "application/json", `{"boc":"`+boc(root)+`"}`)
	require.Equal(t, http.StatusInternalServerError, w.Code)
	var refusal struct{ Error string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &refusal))
	err := n.node.SendMessage(n.ctx, root.ToBOC())
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.Equal(t, "LITE_SERVER_UNKNOWN: "+chain.PublicMessage(err), refusal.Error)
	require.Contains(t, refusal.Error, "exitcode=33,")

	t.Run("unaccepted", func(t *testing.T) { estimateUnaccepted(t, n, &m) })
	t.Run("undeployed", func(t *testing.T) { estimateUndeployed(t, n) })
	t.Run("past", func(t *testing.T) { estimateInThePast(t, n, transfer) })
	t.Run("client", func(t *testing.T) { clientSends(t, n, transfer) })
}

func boc(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.ToBOC()) }

func number(text string) int64 {
	i, err := json.Number(text).Int64()
	if err != nil {
		return -1
	}
	return i
}

func (n *network) estimate(query map[string]any) estimate {
	n.t.Helper()
	body, err := json.Marshal(query)
	require.NoError(n.t, err)
	w := n.post("/estimateFee", "application/json", string(body))
	require.Equal(n.t, http.StatusOK, w.Code, w.Body)
	var e estimate
	require.NoError(n.t, json.Unmarshal(w.Body.Bytes(), &e))
	require.NotNil(n.t, e.Destinations)
	return e
}

// received returns the transaction that a message started.
func (n *network) received(hash string) sent {
	n.t.Helper()
	w := n.do("/transactionsByMessage?direction=in&msg_hash=" + strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(hash))
	var page struct{ Transactions []sent }
	require.NoError(n.t, json.Unmarshal(w.Body.Bytes(), &page))
	require.Len(n.t, page.Transactions, 1, w.Body)
	return page.Transactions[0]
}

// A wallet that rejects a message pays no gas; forward and storage fees are still estimated.
func estimateUnaccepted(t *testing.T, n *network, old *tlb.ExternalMessage) {
	t.Helper()
	query := map[string]any{"address": n.faucet.Address.String(), "body": boc(old.Body), "ignore_chksig": false}
	e := n.estimate(query)
	require.Zero(t, e.Source.Gas)
	require.Zero(t, e.Source.Fwd)
	require.Positive(t, e.Source.InFwd)
	require.Positive(t, e.Source.Storage)
	require.Empty(t, e.Destinations)
}

// A wallet that is not deployed is deployed by its first message, without a valid signature.
func estimateUndeployed(t *testing.T, n *network) {
	t.Helper()
	w, err := contracts.NewWallet(contracts.V4R2, 0, n.faucet.Key(), 0)
	require.NoError(t, err)
	root, err := w.External(contracts.Ticket{ValidUntil: n.devnet.Chain.Now() + 600, Deploy: true},
		contracts.Order{Message: contracts.Transfer(n.faucet.Address, 1e8, "")})
	require.NoError(t, err)
	var m tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&m, root))
	unsigned := cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreBuilder(rest(t, m.Body, 512)).EndCell()
	query := map[string]any{
		"address": w.Address.String(), "body": boc(unsigned), "init_code": boc(w.Init.Code), "init_data": boc(w.Init.Data),
	}
	unfunded := n.estimate(query) // wallets estimate before they are funded
	require.Positive(t, unfunded.Source.InFwd)
	n.order(contracts.Order{Message: contracts.Transfer(w.Address, 1e9, "")})
	n.advance(n.head() + 4)
	e := n.estimate(query)
	require.Positive(t, e.Source.Gas)
	require.Len(t, e.Destinations, 1)
	require.Positive(t, e.Destinations[0].Gas)
	require.Equal(t, []int64{e.Source.Gas, e.Source.Fwd, e.Source.InFwd},
		[]int64{unfunded.Source.Gas, unfunded.Source.Fwd, unfunded.Source.InFwd})
	require.Equal(t, e.Destinations[0].Gas, unfunded.Destinations[0].Gas)

	query["ignore_chksig"] = false
	require.Zero(t, n.estimate(query).Source.Gas, "the signature is invalid")
	delete(query, "init_data")
	body, err := json.Marshal(query)
	require.NoError(t, err)
	response := n.post("/estimateFee", "application/json", string(body))
	require.Equal(t, http.StatusUnprocessableEntity, response.Code)
	require.Contains(t, response.Body.String(), "init_code and init_data must be given together")
}

func rest(t *testing.T, c *cell.Cell, skip uint) *cell.Builder {
	t.Helper()
	s := c.MustBeginParse()
	require.NoError(t, s.SkipBits(skip))
	return s.ToBuilder()
}

// At an earlier block the wallet has another seqno, so the same message is not accepted.
func estimateInThePast(t *testing.T, n *network, transfer contracts.Order) {
	t.Helper()
	var m tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&m, n.sign(n.seqno, transfer)))
	query := map[string]any{"address": n.faucet.Address.String(), "body": boc(m.Body)}
	require.Positive(t, n.estimate(query).Source.Gas)
	query["seqno"] = 2
	require.Zero(t, n.estimate(query).Source.Gas)
}

// clientSends sends with a published client library.
func clientSends(t *testing.T, n *network, transfer contracts.Order) {
	t.Helper()
	server := httptest.NewServer(n.handler)
	defer server.Close()
	client := toncenter.New(server.URL, toncenter.WithHTTPClient(server.Client())).V3()
	root := n.sign(n.seqno, transfer)
	var m tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&m, root))
	price, err := client.EstimateFee(n.ctx, toncenter.EstimateFeeRequest{Address: n.faucet.Address, Body: m.Body, IgnoreSignatureCheck: true})
	require.NoError(t, err)
	require.Positive(t, price.SourceFees.GasFee)
	require.NoError(t, client.SendMessage(n.ctx, root.ToBOC()))
	n.seqno++
	n.advance(n.head() + 4)
	n.received(base64.StdEncoding.EncodeToString(root.Hash()))
}
