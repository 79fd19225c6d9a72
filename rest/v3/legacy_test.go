package v3_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
)

func TestAddressInformation_HasTheStateAtTheBlock(t *testing.T) {
	t.Parallel()
	d := serve(t)
	wallet := escape(chaintest.Wallet)
	for _, path := range []string{"/addressInformation", "/account"} {
		got := d.get(path + "?address=" + wallet)
		require.Len(t, got, 7)
		require.Equal(t, "140000000", got["balance"])
		require.Equal(t, "14001", got["last_transaction_lt"])
		require.Equal(t, "active", got["status"])
		require.Nil(t, got["frozen_hash"])
		require.True(t, strings.HasPrefix(got["data"].(string), "te6ccg"))
		require.NotNil(t, got["code"])
		// At an earlier block, by a user-friendly address.
		past := d.get(path + "?seqno=12&address=" + url.QueryEscape(chaintest.Wallet.Friendly(true, false)))
		require.Equal(t, "120000000", past["balance"])
		require.Equal(t, "12001", past["last_transaction_lt"])
		require.NotEqual(t, got["data"], past["data"])
		require.Equal(t, got["code"], past["code"])
	}
	const none = `{"balance":"0","code":null,"data":null,"last_transaction_lt":"0",` +
		`"last_transaction_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","frozen_hash":null,"status":"uninit"}`
	nobody := escape(chain.Address{ID: chain.Hash{0xee}})
	require.JSONEq(t, none, d.do("/addressInformation?address="+nobody).Body.String())
	require.JSONEq(t, strings.Replace(none, "uninit", "uninitialized", 1), d.do("/addressInformation?use_v2=true&address="+nobody).Body.String())

	require.Equal(t, "address of account is required", d.refuse("/addressInformation", http.StatusUnauthorized))
	require.Equal(t, "address of account is required", d.refuse("/account?seqno=12", http.StatusUnauthorized))
	d.refuse("/addressInformation?address=", http.StatusUnprocessableEntity)
	d.refuse("/addressInformation?address=x", http.StatusUnprocessableEntity)
	d.refuse("/addressInformation?use_v2=maybe&address="+wallet, http.StatusUnprocessableEntity)
	d.refuse("/addressInformation?seqno=0&address="+wallet, http.StatusUnprocessableEntity)
	require.Contains(t, d.refuse("/addressInformation?seqno=99&address="+wallet, http.StatusNotFound),
		"masterchain block 99 is not in the index, which holds 10 to 14")
}

func TestWalletInformation_HasTheWalletAtTheBlock(t *testing.T) {
	t.Parallel()
	d := serve(t)
	wallet := escape(chaintest.Wallet)
	for _, path := range []string{"/walletInformation", "/wallet"} {
		got := d.get(path + "?address=" + wallet)
		require.Equal(t, "wallet v4 r2", got["wallet_type"])
		require.InDelta(t, 14, got["seqno"], 0)
		require.InDelta(t, 698983191, got["wallet_id"], 0)
		require.Equal(t, "140000000", got["balance"])
		require.Equal(t, "active", got["status"])
		require.Len(t, got, 7)
		require.InDelta(t, 11, d.get(path + "?seqno=11&address=" + wallet)["seqno"], 0)
	}
	nobody := d.get("/walletInformation?address=" + escape(chain.Address{ID: chain.Hash{0xee}}))
	require.Equal(t, map[string]any{
		"balance": "0", "status": "uninit", "last_transaction_lt": "0",
		"last_transaction_hash": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
	}, nobody)
	require.Equal(t, "not a wallet", d.refuse("/walletInformation?address="+escape(chaintest.JettonWallet), http.StatusConflict))
	require.Equal(t, "address of account is required", d.refuse("/wallet", http.StatusUnauthorized))
	d.refuse("/walletInformation?address=0:1", http.StatusUnprocessableEntity)
}

// Each invalid body has its status and message. The index has no network.
func TestLegacyRoutes_InvalidRequestsAreRejected(t *testing.T) {
	t.Parallel()
	d := serve(t)
	a := chaintest.Wallet.String()
	inside := boc(must(tlb.ToCell(&tlb.InternalMessage{
		SrcAddr: address.NewAddress(0, 0, make([]byte, 32)), DstAddr: address.NewAddress(0, 0, make([]byte, 32)),
		Body: cell.BeginCell().EndCell(),
	})))
	external := boc(must(tlb.ToCell(&tlb.ExternalMessage{
		DstAddr: address.NewAddress(0, 0, make([]byte, 32)), Body: cell.BeginCell().EndCell(),
	})))
	for _, tc := range []struct {
		path, body string
		status     int
		text       string
	}{
		{"/message", `{}`, 401, "boc is required"},
		{"/message", `{"boc":""}`, 401, "boc is required"},
		{"/message", `{"boc":"%"}`, 422, "boc: not base64"},
		{"/message", `{"boc":"AAAA"}`, 422, "boc is not a bag of cells"},
		{"/message", `{"boc":"` + boc(cell.BeginCell().EndCell()) + `"}`, 422, "boc is not a message"},
		{"/message", `{"boc":"` + inside + `"}`, 422, "only external-in messages can be sent from outside"},
		{"/message", `{"boc":"` + strings.Repeat("AAAA", 30_000) + `"}`, 422, "at most 65535 can be sent"},
		{"/message", `{"boc":"` + external + `"}`, 503, "no connection to the network"},
		{"/message", `{`, 422, "unexpected end of JSON input"},
		{"/message", `{"boc":5}`, 422, "boc"},

		{"/runGetMethod", `{"method":"seqno","stack":[]}`, 401, "address is required"},
		{"/runGetMethod", `{"address":"` + a + `","stack":[]}`, 401, "method is required"},
		{"/runGetMethod", `{"address":"` + a + `","method":85143,"stack":[]}`, 422, "method"},
		{"/runGetMethod", `{"address":"x","method":"seqno"}`, 422, "x"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","seqno":0}`, 422, "seqno: not a positive number"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","seqno":99}`, 404, "masterchain block 99 is not in the index"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"tuple","value":[]}]}`, 422, "unsupported stack parameter type: tuple"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"num","value":"0x"}]}`, 422, "a number is decimal or 0x hex digits"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"num","value":"1e5"}]}`, 422, "a number is decimal"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"num","value":true}]}`, 422, "the value of a num is a string"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"num","value":1.5}]}`, 422, "a number is decimal"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"cell","value":5}]}`, 422, "the value of a cell is a string"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"num","value":"0x1` + strings.Repeat("0", 64) + `"}]}`, 422, "does not fit 257 bits"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"cell","value":""}]}`, 422, "a cell needs a bag of cells"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[{"type":"slice","value":"AAAA"}]}`, 422, "not a bag of cells"},
		{"/runGetMethod", `{"address":"` + a + `","method":"seqno","stack":[` + strings.Repeat(`{"type":"num","value":"1"},`, 255) + `{"type":"num","value":"1"}]}`, 422, "256 arguments are too many"},

		{"/estimateFee", `{"body":""}`, 401, "address is required"},
		{"/estimateFee", `{"address":"` + a + `","body":"!"}`, 422, "body: not base64"},
		{"/estimateFee", `{"address":"` + a + `","init_code":"AAAA"}`, 422, "init_code: not a bag of cells"},
		{"/estimateFee", `{"address":"` + a + `","ignore_chksig":"yes"}`, 422, "ignore_chksig"},
		{"/estimateFee", `{"address":"` + a + `","seqno":99}`, 404, "masterchain block 99 is not in the index"},
	} {
		w := d.post(tc.path, "application/json", tc.body)
		var body struct {
			Error string
			Code  int
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
		require.Equal(t, tc.status, w.Code, "%s %.200s: %s", tc.path, tc.body, w.Body)
		require.Equal(t, tc.status, body.Code)
		require.Contains(t, body.Error, tc.text)
	}
	for _, path := range []string{"/message", "/runGetMethod", "/estimateFee"} {
		w := d.post(path, "text/plain", `{}`)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code)
		require.Contains(t, w.Body.String(), "Unprocessable Entity")
	}
}

func must(c *cell.Cell, err error) *cell.Cell {
	if err != nil {
		panic(err)
	}
	return c
}
