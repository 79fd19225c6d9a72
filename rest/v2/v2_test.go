package v2_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

// Every route responds in the published format.
func TestRoutes_RespondInThePublishedFormat(t *testing.T) {
	t.Parallel()
	d := serve(t)
	s, r := chaintest.Wallet.String(), chaintest.JettonWallet.String()
	mc := []string{"workchain", "-1", "shard", "-9223372036854775808", "seqno", "12"}
	basic := []string{"workchain", "0", "shard", "-9223372036854775808", "seqno", "22"}
	for _, tc := range []struct {
		name     string
		query    []string
		contains []string
	}{
		{"getMasterchainInfo", nil, []string{`"@type":"blocks.masterchainInfo"`, `"seqno":12`, `"shard":"-9223372036854775808"`, `"shard":"0","seqno":0`}},
		{"getConsensusBlock", nil, []string{`"@type":"ext.blocks.consensusBlock","consensus_block":12,"timestamp":`}},
		{"lookupBlock", mc, []string{`{"@type":"ton.blockIdExt","workchain":-1,`, `"seqno":12`}},
		{"lookupBlock", []string{"workchain", "0", "shard", "4611686018427387904", "lt", "11005"}, []string{`"seqno":21`}},
		{"lookupBlock", []string{"workchain", "0", "shard", "-9223372036854775808", "lt", "11500"}, []string{`"seqno":22`}},
		{"lookupBlock", []string{"workchain", "-1", "shard", "-9223372036854775808", "unixtime", "1700000011"}, []string{`"seqno":11`}},
		{"getShards", []string{"seqno", "12"}, []string{`{"@type":"blocks.shards","shards":[{"@type":"ton.blockIdExt","workchain":0`, `"seqno":22`}},
		{"shards", []string{"seqno", "11"}, []string{`"seqno":21`}},
		{"getBlockHeader", mc, []string{`"@type":"blocks.header"`, `"validator_list_hash_short":-294967296`, `"start_lt":"12000"`, `"prev_blocks":[{`, `"flags":0`}},
		{"getBlockTransactions", basic, []string{`"req_count":40,"incomplete":false`, `"mode":135,"account":"` + strings.ToLower(s), `"lt":"12003"`}},
		{"getBlockTransactions", append([]string{"count", "1"}, basic...), []string{`"req_count":1,"incomplete":true`, `"lt":"12001"`}},
		{"getBlockTransactions", append([]string{"after_lt", "12001", "after_hash", s}, basic...), []string{`"transactions":[{"@type":"blocks.shortTxId","mode":135,"account":"` + strings.ToLower(r)}},
		{"getBlockTransactions", append([]string{"after_lt", "0", "after_hash", chaintest.Ticker.String()}, mc...), []string{`"account":"` + chaintest.Ticker.String()}},
		{"getBlockTransactions", append([]string{"after_lt", "12005", "after_hash", chaintest.Ticker.String()}, mc...), []string{`"transactions":[]`}},
		{"getBlockTransactionsExt", basic, []string{`"@type":"raw.transactionExt"`, `"account":"` + s, `"source":{"@type":"accountAddress","account_address":""}`}},
		{"getAddressInformation", []string{"address", s}, []string{
			`"@type":"raw.fullAccountState","balance":"120000000","extra_currencies":[]`, `"lt":"12001"`, `"seqno":12`, `"sync_utime":1700000012`, `"frozen_hash":"","state":"active","suspended":false`}},
		{"getExtendedAddressInformation", []string{"address", s}, []string{`"account_state":{"@type":"wallet.v4.accountState","seqno":12,"wallet_id":698983191},"revision":2`}},
		{"getExtendedAddressInformation", []string{"address", s, "seqno", "11"}, []string{`"seqno":11,"wallet_id"`, `"lt":"11001"`}},
		{"getWalletInformation", []string{"address", s}, []string{`"wallet":true,"balance":"120000000","account_state":"active"`, `"wallet_type":"wallet v4 r2","seqno":12,"wallet_id":698983191`}},
		{"getAddressBalance", []string{"address", s}, []string{`"120000000"`}},
		{"getAddressState", []string{"address", s}, []string{`"active"`}},
		{"getAddressState", []string{"address", unused.String()}, []string{`"uninitialized"`}},
		{"getWalletInformation", []string{"address", unused.String()}, []string{`"wallet":false,"balance":"0","account_state":"uninitialized"`, `"lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="`}},
		{"getTransactionsStd", []string{"address", s, "limit", "1"}, []string{`"@type":"raw.transaction"`, `"previous_transaction_id":{"@type":"internal.transactionId","lt":"11001"`}},
		{"getTransactionsStd", []string{"address", s, "lt", "0", "hash", strings.Repeat("0", 64)}, []string{`"transactions":[]`}},
		{"tryLocateTx", []string{"source", s, "destination", r, "created_lt", "11002"}, []string{`"lt":"11003"`, `"@type":"ext.transaction"`, `{"@type":"msg.dataText","text":"aGVsbG8="},"message":"hello"`}},
		{"tryLocateResultTx", []string{"source", s, "destination", r, "created_lt", "11002"}, []string{`"lt":"11003"`}},
		{"tryLocateSourceTx", []string{"source", s, "destination", r, "created_lt", "11002"}, []string{`"lt":"11001"`, `"fee":"1400000","storage_fee":"100","other_fee":"1399900"`, `"init_state":""},"message":"AAAACympoxcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"`}},
		{"getConfigParam", []string{"config_id", "0"}, []string{`{"@type":"configInfo","config":{"@type":"tvm.cell","bytes":"` + base64.StdEncoding.EncodeToString(parameter0.ToBOC())}},
		{"getConfigParam", []string{"param", "5", "seqno", "11"}, []string{`"bytes":""`}},
		{"getConfigAll", nil, []string{`"bytes":"te6cc`}},
		{"getLibraries", []string{"libraries", hashOf(library).Hex(), "libraries", strings.Repeat("1", 64)}, []string{`"result":[{"@type":"smc.libraryEntry","hash":"` + hashOf(library).String()}},
		{"getLibraries", []string{"libraries", hashOf(parameter0).Hex(), "libraries", hashOf(library).Hex(), "libraries", hashOf(library).Hex()}, []string{
			`"result":[{"@type":"smc.libraryEntry","hash":"` + hashOf(parameter0).String(), `"},{"@type":"smc.libraryEntry","hash":"` + hashOf(library).String()}},
		{"getBlockHeader", append([]string{"root_hash", strings.Repeat("1", 64)}, basic...), []string{`"seqno":22`}}, // one hash alone is not used
	} {
		got := d.result(tc.name, tc.query...)
		for _, part := range tc.contains {
			require.Contains(t, got, part, "%s %v", tc.name, tc.query)
		}
	}
}

// Accounts without code that configuration parameter 44 lists are suspended until its time; accounts with code are not.
func TestSuspendedAccounts_AreMarkedUntilTheirTime(t *testing.T) {
	t.Parallel()
	for until, want := range map[uint32]string{math.MaxUint32: "true", 1: "false"} {
		db := testdb.New(t)
		chaintest.Index(t, db, lastMc, editBlock, func(b *chain.MasterBlock) {
			if b.Block.Seqno == chaintest.First {
				chaintest.Suspend(t, b, until, chaintest.Wallet, chaintest.JettonWallet, unused)
			}
		})
		svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
		t.Cleanup(svc.Close)
		d := &client{t: t, handler: v2.New(svc, v2.Options{})}
		for _, a := range []chain.Address{chaintest.JettonWallet, unused} {
			require.Contains(t, d.result("getAddressInformation", "address", a.String()), `"suspended":`+want)
		}
		require.Contains(t, d.result("getAddressInformation", "address", chaintest.Wallet.String()), `"suspended":false`)
	}
}

// Amounts of other currencies are in the order of their ids, which are signed.
func TestExtraCurrencies_AreInTheOrderOfTheirIDs(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	chaintest.Index(t, db, chaintest.First, func(b *chain.MasterBlock) {
		b.States[1].Extra = chain.ExtraCurrencies{}
		for _, id := range []uint32{300, 7, 1 << 31, 2} {
			b.States[1].Extra[id] = new(big.Int).SetUint64(uint64(id) << 32)
		}
	})
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	d := &client{t: t, handler: v2.New(svc, v2.Options{})}
	require.Contains(t, d.result("getAddressInformation", "address", chaintest.Wallet.String()), `"extra_currencies":[`+
		`{"@type":"extraCurrency","id":2,"amount":"8589934592"},{"@type":"extraCurrency","id":7,"amount":"30064771072"},`+
		`{"@type":"extraCurrency","id":300,"amount":"1288490188800"},{"@type":"extraCurrency","id":-2147483648,"amount":"9223372036854775808"}]`)
}

type listed struct {
	Data string
	ID   struct{ LT, Hash string } `json:"transaction_id"`
}

// Each row has the raw transaction with its hash, and a page starts with the transaction that lt and hash identify.
func TestTransactions_PagesStartAtTheGivenTransaction(t *testing.T) {
	t.Parallel()
	d := serve(t)
	page := func(query ...string) (lts []string, rows []listed) {
		require.NoError(t, json.Unmarshal([]byte(d.result("getTransactions", append(query, "address", chaintest.Wallet.String())...)), &rows))
		for _, row := range rows {
			boc, err := base64.StdEncoding.DecodeString(row.Data)
			require.NoError(t, err)
			c, err := cell.FromBOC(boc)
			require.NoError(t, err)
			hash, err := c.MustBeginParse().LoadSlice(256)
			require.NoError(t, err)
			require.Equal(t, row.ID.Hash, base64.StdEncoding.EncodeToString(hash))
			lts = append(lts, row.ID.LT)
		}
		return lts, rows
	}
	lts, rows := page()
	require.Equal(t, []string{"12001", "11001", "10001"}, lts)
	lts, _ = page("limit", "1", "lt", rows[1].ID.LT, "hash", rows[1].ID.Hash)
	require.Equal(t, []string{"11001"}, lts)
	lts, _ = page("to_lt", "10001")
	require.Equal(t, []string{"12001", "11001"}, lts, "to_lt is left out")
	lts, _ = page("to_lt", "-1")
	require.Equal(t, []string{"12001", "11001", "10001"}, lts, "nothing is below a bound that is negative")
	e := d.open(d.do(http.MethodPost, "getTransactions", `{"address":"`+chaintest.Wallet.String()+`","lt":null,"hash":null,"to_lt":null,"limit":null,"archival":null}`))
	require.NoError(t, json.Unmarshal(e.Result, &rows), "null is what clients send for a parameter that they do not set")
	require.Len(t, rows, 3)
	e = d.open(d.do(http.MethodGet, "getTransactions?address="+chaintest.Wallet.String()+"&lt=11001&hash="+strings.Repeat("0", 64), ""))
	require.Equal(t, 500, e.Code)
	require.Contains(t, e.Error, "cannot locate transaction in block with specified logical time")
	for _, archival := range []string{"5", "0", "true", `"yes"`, "null"} {
		body := `{"address":"` + chaintest.Wallet.String() + `","archival":` + archival + `}`
		require.True(t, d.open(d.do(http.MethodPost, "getTransactions", body)).OK, archival)
	}
	lts, _ = page("lt", "0")
	require.Equal(t, []string{"12001", "11001", "10001"}, lts)
	// What precedes the first transaction is no page: a client that follows the history would begin again.
	e = d.open(d.do(http.MethodGet, "getTransactions?address="+chaintest.Wallet.String()+"&lt=0&hash="+strings.Repeat("0", 64), ""))
	require.Equal(t, 422, e.Code)
}

// The four methods about addresses and hashes agree with the client library, for all forms of an address.
func TestAddresses_AgreeWithTheClientLibrary(t *testing.T) {
	t.Parallel()
	d := withoutIndex(t)
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 1000 {
		id := sha256.Sum256(fmt.Append(nil, random.Uint64()))
		workchain := []byte{0, 255, byte(random.Uint32())}[i%3]
		a := address.NewAddress(0, workchain, id[:])
		a.SetBounce(i%2 == 0)
		a.SetTestnetOnly(i%5 == 0)
		given, kind := a.String(), "friendly_bounceable"
		if !a.IsBounceable() {
			kind = "friendly_non_bounceable"
		}
		switch i % 4 {
		case 1:
			given = strings.NewReplacer("-", "+", "_", "/").Replace(given)
		case 2:
			a.SetBounce(true)
			a.SetTestnetOnly(false)
			given, kind = a.StringRaw(), "raw_form"
		}
		require.JSONEq(t, `"`+a.String()+`"`, d.result("packAddress", "address", given))
		require.Equal(t, strings.ToLower(a.StringRaw()), strings.ToLower(strings.Trim(d.result("unpackAddress", "address", given), `"`)))
		yes, no := a.Copy(), a.Copy()
		yes.SetBounce(true)
		no.SetBounce(false)
		std := strings.NewReplacer("-", "+", "_", "/")
		require.JSONEq(t, fmt.Sprintf(`{"@type":"ext.utils.detectedAddress","raw_form":%q,
			"bounceable":{"@type":"ext.utils.detectedAddressVariant","b64":%q,"b64url":%q},
			"non_bounceable":{"@type":"ext.utils.detectedAddressVariant","b64":%q,"b64url":%q},"given_type":%q,"test_only":%t}`,
			strings.ToLower(a.StringRaw()), std.Replace(yes.String()), yes.String(), std.Replace(no.String()), no.String(), kind, a.IsTestnetOnly()),
			d.result("detectAddress", "address", given))

		forms := []string{
			base64.StdEncoding.EncodeToString(id[:]), base64.RawURLEncoding.EncodeToString(id[:]),
			base64.URLEncoding.EncodeToString(id[:]), fmt.Sprintf("%x", id), fmt.Sprintf("%X", id),
		}
		require.JSONEq(t, fmt.Sprintf(`{"@type":"ext.utils.detectedHash","b64":%q,"b64url":%q,"hex":%q}`, forms[0], forms[1], forms[3]),
			d.result("detectHash", "hash", forms[i%len(forms)]))
	}
}

// Invalid input is rejected with the same status over REST and JSON-RPC.
func TestInvalidInput_HasOneStatusInRESTAndJSONRPC(t *testing.T) {
	t.Parallel()
	d := serve(t)
	s, zeros := chaintest.Wallet.String(), strings.Repeat("0", 64)
	external := base64.StdEncoding.EncodeToString(cell.BeginCell().MustStoreUInt(0b10_00_100, 7).MustStoreUInt(0, 8).
		MustStoreSlice(chaintest.Wallet.ID[:], 256).MustStoreUInt(0, 6).EndCell().ToBOC()) // ext_in_msg_info without source, fee, state and body
	untried := map[string]bool{}
	for _, r := range v2.Routes() {
		untried[r.Name] = true
	}
	for _, tc := range []struct {
		name, params string
		status       int
	}{
		{"getAddressInformation", `{}`, 422},
		{"getAddressInformation", `{"address":"nonsense"}`, 422},
		{"getAddressInformation", `{"address":"` + s + `","seqno":0}`, 422},
		{"getAddressInformation", `{"address":"` + s + `","seqno":999}`, 500},
		{"getAddressInformation", `{"address":"` + s + `","other":1}`, 422},
		{"getExtendedAddressInformation", `{"address":5}`, 422},
		{"getWalletInformation", `{"address":{}}`, 422},
		{"getAddressBalance", `{"address":"` + s + `","seqno":"x"}`, 422},
		{"getAddressState", `{}`, 422},
		{"getMasterchainInfo", `{"a":1}`, 422},
		{"getConsensusBlock", `{"a":1}`, 422},
		{"lookupBlock", `{"workchain":0,"shard":"8000000000000000"}`, 422},
		{"lookupBlock", `{"workchain":0,"shard":-9223372036854775808,"seqno":1,"lt":1}`, 422},
		{"lookupBlock", `{"workchain":0,"shard":-9223372036854775808,"seqno":999}`, 500},
		{"getShards", `{}`, 422},
		{"shards", `{"seqno":999}`, 500},
		{"getBlockHeader", `{"workchain":0}`, 422},
		{"getBlockHeader", `{"workchain":0,"shard":"-9223372036854775808","seqno":22,"root_hash":"` + zeros + `","file_hash":"` + zeros + `"}`, 500},
		{"getBlock", `{"workchain":0,"shard":"-9223372036854775808","seqno":0}`, 422},
		{"getBlockTransactions", `{"workchain":0,"shard":"-9223372036854775808","seqno":22,"count":0}`, 422},
		{"getBlockTransactions", `{"workchain":0,"shard":"-9223372036854775808","seqno":22,"after_lt":1}`, 422},
		{"getBlockTransactions", `{"workchain":0,"shard":"-9223372036854775808","seqno":22,"after_lt":1,"after_hash":"x"}`, 422},
		{"getBlockTransactionsExt", `{"workchain":0,"shard":"-9223372036854775808","seqno":22,"root_hash":"x"}`, 422},
		{"getTransactions", `{"address":"` + s + `","limit":1001}`, 422},
		{"getTransactions", `{"address":"` + s + `","lt":5}`, 422},
		{"getTransactionsStd", `{"address":"` + s + `","archival":"perhaps"}`, 422},
		{"tryLocateTx", `{"source":"` + s + `","destination":"` + s + `","created_lt":1}`, 404},
		{"tryLocateResultTx", `{"source":"` + s + `"}`, 422},
		{"tryLocateSourceTx", `{"source":"` + s + `","destination":"` + s + `","created_lt":-1}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno"}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["tvm.Builder","x"]]}`, 542},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["num"]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":{}}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[[5,"1"]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["num",true]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["num","0x"]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["tvm.Cell",5]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["tvm.Slice",""]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["cell","te6cckEBAQEAAgAAAEysuc0="]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["tuple",{"elements":null}]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":"seqno","stack":[["list",{"elements":[["num","1"]]}]]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":1.5,"stack":[]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":2147483648,"stack":[]}`, 422},
		{"runGetMethod", `{"address":"` + s + `","method":1e3,"stack":[]}`, 422},
		{"runGetMethodStd", `{"address":"` + s + `","method":true,"stack":[]}`, 422},
		{"runGetMethodStd", `{"address":"` + s + `","method":"seqno","stack":[{"@type":"tvm.stackEntryUnsupported"}]}`, 500},
		{"runGetMethodStd", `{"address":"` + s + `","method":"seqno","stack":["x"]}`, 422},
		{"runGetMethodStd", `{"address":"` + s + `","method":"seqno","stack":[{"@type":"tvm.stackEntryBuilder"}]}`, 422},
		{"sendBoc", `{"boc":""}`, 422},
		{"sendBoc", `{"boc":"AAAA"}`, 500},
		{"sendBoc", `{"boc":1234}`, 422},
		{"sendBocReturnHash", `{"boc":"%"}`, 422},
		{"sendBocReturnHashNoError", `{"boc":"AAAA"}`, 400},
		{"sendBocReturnHashNoError", `{"boc":"` + external + `"}`, 400},
		{"sendBocReturnHash", `{"boc":"` + external + `"}`, 542},
		{"estimateFee", `{"address":"` + s + `"}`, 422},
		{"detectAddress", `{"address":"EQ"}`, 422},
		{"packAddress", `{}`, 422},
		{"unpackAddress", `{"address":""}`, 422},
		{"detectHash", `{"hash":""}`, 422},
		{"getConfigParam", `{}`, 422},
		{"getConfigParam", `{"config_id":1,"param":1}`, 422},
		{"getConfigAll", `{"seqno":-1}`, 422},
		{"getLibraries", `{"libraries":["x"]}`, 422},
		{"getLibraries", `{"libraries":[5]}`, 422},
		{"getTokenData", `{"address":"` + s + `"}`, 409},
		{"getTokenData", `{"address":"x"}`, 422},
		{"getMasterchainBlockSignatures", `{}`, 422},
		{"getMasterchainBlockSignatures", `{"seqno":11}`, 542},
		{"getShardBlockProof", `{"workchain":0,"shard":"x","seqno":1}`, 422},
		{"getShardBlockProof", `{"workchain":0,"shard":"-9223372036854775808","seqno":22}`, 542},
		{"getOutMsgQueueSize", `{"x":1}`, 422},
		{"getOutMsgQueueSizes", `{}`, 542},
		{"getShardAccountCell", `{}`, 422},
		{"dnsResolve", `{}`, 422},
		{"dnsResolve", `{"domain":""}`, 422},
		{"dnsResolve", `{"domain":"."}`, 422},
		{"dnsResolve", `{"domain":"a..b"}`, 422},
		{"dnsResolve", `{"domain":"a.ton.."}`, 422},
		{"dnsResolve", `{"domain":"a b.ton"}`, 422},
		{"dnsResolve", `{"domain":"a\u007f.ton"}`, 422},
		{"dnsResolve", `{"domain":"` + strings.Repeat("a", 127) + `"}`, 422},
		{"dnsResolve", `{"domain":"` + strings.Repeat("a", 126) + `","resolver_address":"` + chaintest.Wallet.String() + `"}`, 422},
		{"dnsResolve", `{"domain":"a.ton","resolver_address":""}`, 422},
		{"dnsResolve", `{"domain":"a.ton","seqno":0}`, 422},
		{"dnsResolve", `{"domain":"a.ton","name":"b.ton"}`, 422},
		{"dnsResolve", `{"name":"a..b"}`, 422},
		{"dnsResolve", `{"domain":"` + strings.Repeat("a", 126) + `"}`, 500}, // there is no root
		{"dnsResolve", `{"domain":"a.ton","resolver_address":"` + chaintest.Wallet.String() + `"}`, 502},
		{"dnsResolve", `{"name":"a.ton","address":"` + chaintest.Wallet.String() + `","category":"","ttl":3}`, 502},
		{"getMasterchainInfo", `[]`, 422},
		{"getMasterchainInfo", ``, 422},
	} {
		delete(untried, tc.name)
		e := d.open(d.do(http.MethodPost, tc.name, tc.params))
		require.Equal(t, tc.status, e.Code, "%s %s: %s", tc.name, tc.params, e.Error)
		if tc.params == "" || tc.params == "[]" {
			continue
		}
		rpc := d.open(d.do(http.MethodPost, "jsonRPC", `{"id":1,"jsonrpc":"2.0","method":"`+tc.name+`","params":`+tc.params+`}`))
		require.Equal(t, e.Code, rpc.Code, tc.name)
		require.Equal(t, e.Error, rpc.Error)
		require.Equal(t, "1", string(rpc.ID))
	}
	require.Empty(t, untried)
	require.Equal(t, 422, d.open(d.do(http.MethodGet, "getMasterchainInfo?a=%zz", "")).Code)
	require.Equal(t, 404, d.open(d.do(http.MethodGet, "getNothing", "")).Code)
	for name, text := range map[string]string{
		"jsonRPC":            `"jsonRPC" cannot be called by JSON-RPC`,
		"getmasterchaininfo": `there is no method "getmasterchaininfo"; did you mean getMasterchainInfo?`,
	} {
		e := d.open(d.do(http.MethodPost, "jsonRPC", `{"method":"`+name+`"}`))
		require.Equal(t, 422, e.Code, name)
		require.Equal(t, text, e.Error)
	}
	for _, name := range []string{"jsonRPC", "runGetMethod", "sendBoc"} {
		w := d.do(http.MethodGet, name, "")
		require.Equal(t, 405, d.open(w).Code)
		require.Equal(t, "POST", w.Header().Get("Allow"))
	}
	w := d.do(http.MethodPut, "getMasterchainInfo", "{}")
	require.Equal(t, 405, d.open(w).Code)
	require.Equal(t, "GET, POST", w.Header().Get("Allow"))
	require.Equal(t, 200, d.do(http.MethodHead, "getMasterchainInfo", "").Code)
}

// A request that does not end in time is the server's failure.
func TestTimeout_HasStatus504(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	chaintest.Index(t, db, lastMc)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	d := &client{t: t, handler: v2.New(svc, v2.Options{Timeout: time.Nanosecond})}
	e := d.open(d.do(http.MethodGet, "getAddressState?address="+chaintest.Wallet.String(), ""))
	require.Equal(t, 504, e.Code)
	require.Equal(t, chain.PublicMessage(context.DeadlineExceeded), e.Error)
}

// The refusal of an account that is no token names it in the form in which it was sent.
func TestTokenData_RefusalNamesTheAccountAsSent(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for _, sent := range []string{chaintest.Wallet.String(), chaintest.Wallet.Friendly(true, false), chaintest.Wallet.Friendly(false, true)} {
		e := d.open(d.do(http.MethodPost, "getTokenData", `{"address":"`+sent+`"}`))
		require.Equal(t, "account "+sent+" is neither a Jetton nor an NFT", e.Error)
	}
}

// The id of a call is returned unchanged, responses to a batch are in its order, and an invalid call gets an error.
func TestJSONRPC_BatchRespondsInOrder(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for _, id := range []string{`1`, `"1"`, `null`, `{"a":[1]}`} {
		e := d.open(d.do(http.MethodPost, "jsonRPC", `{"jsonrpc":"2.0","id":`+id+`,"method":"getAddressBalance","params":{"address":"`+chaintest.Wallet.String()+`"}}`))
		require.Equal(t, `"120000000"`, string(e.Result))
		require.Equal(t, "2.0", e.Version)
		if id != "null" {
			require.Equal(t, id, string(e.ID))
		}
	}
	for _, params := range []string{``, `,"params":null`, `,"params":[]`, `,"params":7`} {
		require.True(t, d.open(d.do(http.MethodPost, "jsonRPC", `{"method":"getMasterchainInfo"`+params+`}`)).OK, params)
	}
	for _, body := range []string{``, `x`, `{}`, `5`, `[]`, `{"method":null}`, `{"method":"nothing"}`, `{"method":"getMasterchainInfo","params":[1]}`,
		`[` + strings.Repeat(`{},`, 32) + `{}]`} {
		require.Equal(t, 422, d.open(d.do(http.MethodPost, "jsonRPC", body)).Code, body)
	}
	w := d.do(http.MethodPost, "jsonRPC", `[{"id":"a","method":"getConsensusBlock"},{"id":2,"method":"nothing"},7]`)
	require.Equal(t, http.StatusOK, w.Code)
	var batch []envelope
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &batch))
	require.Len(t, batch, 3)
	require.True(t, batch[0].OK)
	require.Equal(t, `"a"`, string(batch[0].ID))
	require.Equal(t, 422, batch[1].Code)
	require.Equal(t, "2", string(batch[1].ID))
	require.Equal(t, 422, batch[2].Code)
}

// Names of members are exact, as in parameters; a response is UTF-8 whatever the id of the call is; the id of a call whose method is
// no text is returned, too.
func TestJSONRPC_NamesAreExact(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for body, text := range map[string]string{
		`{"METHOD":"getMasterchainInfo"}`:             "method is required",
		`{"Method":"getMasterchainInfo","params":{}}`: "method is required",
		`{"method":5}`: "a call must be an object with method, params and id",
		`7`:            "a call must be an object with method, params and id",
		"{\"method\":\"getMasterchainInfo\",\"id\":\"\xff\"}": "the body is not UTF-8",
	} {
		e := d.open(d.do(http.MethodPost, "jsonRPC", body))
		require.Equal(t, 422, e.Code, body)
		require.Equal(t, text, e.Error, body)
	}
	balance := `{"method":"getAddressBalance","params":{"address":"` + chaintest.Wallet.String() + `"},"Params":{}}`
	require.Equal(t, `"120000000"`, string(d.open(d.do(http.MethodPost, "jsonRPC", balance)).Result))
	require.Equal(t, "9", string(d.open(d.do(http.MethodPost, "jsonRPC", `{"method":5,"id":9}`)).ID))
	require.Equal(t, 422, d.open(d.do(http.MethodPost, "detectHash", "{\"hash\":\"\xff\"}")).Code)
}

// Route names are unique.
func TestRoutes_NamesAreUnique(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range v2.Routes() {
		require.False(t, seen[r.Name], r.Name)
		seen[r.Name] = true
	}
	require.Len(t, seen, 39)
}
