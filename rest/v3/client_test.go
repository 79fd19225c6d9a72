package v3_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// The fixture of these tests: masterchain blocks 10 to 14, each with one basechain block (seqno + 10) and three
// transactions, named by letter and masterchain seqno:
//
//	W12  the wallet accepts an external-in message and sends J12 to the Jetton wallet
//	J12  the Jetton wallet receives it and writes a log (external-out)
//	T12  tick of a masterchain contract, in the masterchain block itself
//
// Block k starts at LT 1000k; its transactions have LT 1000k+1, +3, +5. W10 is the wallet's first transaction.
const (
	firstMc = 10
	lastMc  = 14
	era     = 1_700_000_000 // gen_utime of block k is era + k
)

var (
	walletAddress = chain.Address{Workchain: 0, ID: chain.Hash{0: 0x11}}
	jettonAddress = chain.Address{Workchain: 0, ID: chain.Hash{0: 0x22}}
	tickAddress   = chain.Address{Workchain: -1, ID: chain.Hash{0: 0x33}}

	walletCode = chain.Hash{0xfe, 0xb5, 0xff, 0x68, 0x20, 0xe2, 0xff, 0x0d, 0x94, 0x83, 0xe7, 0xe0, 0xd6, 0x2c, 0x81, 0x7d,
		0x84, 0x67, 0x89, 0xfb, 0x4a, 0xe5, 0x80, 0xc8, 0x78, 0x86, 0x6d, 0x95, 0x9d, 0xab, 0xd5, 0xc0} // v4 r2
	jettonCode = chain.Hash{0: 0x44}
)

const transferOp = 0x0f8a7ea5

// id returns a hash that encodes the kind, letter and block of its object.
func id(kind byte, name byte, k uint32) chain.Hash {
	h := chain.Hash{0: kind, 1: name}
	binary.BigEndian.PutUint32(h[28:], k)
	return h
}

const (
	hTx byte = iota + 1
	hState
	hMessage
	hBlock
	hFile
	hNorm
)

// walletCell returns the data of a v4 wallet with seqno k.
func walletCell(k uint32) (chain.BOC, chain.Hash) {
	c := cell.BeginCell().MustStoreUInt(uint64(k), 32).MustStoreUInt(698983191, 32).MustStoreSlice(make([]byte, 32), 256).
		MustStoreBoolBit(false).EndCell()
	return c.ToBOCWithOptions(cell.BOCSerializeOptions{}), chain.HashFrom(c.Hash())
}

// body returns a message body that starts with op.
func body(op uint32, k uint32) (chain.BOC, chain.Hash) {
	c := cell.BeginCell().MustStoreUInt(uint64(op), 32).MustStoreUInt(uint64(k), 64).EndCell()
	return c.ToBOC(), chain.HashFrom(c.Hash())
}

// masterBlock returns masterchain block k of the fixture.
func masterBlock(k uint32) *chain.MasterBlock {
	lt := uint64(k) * 1000
	master := chain.Block{
		BlockIDExt: chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: k},
			RootHash: id(hBlock, 'M', k), FileHash: id(hFile, 'M', k),
		},
		McSeqno: k, GlobalID: -3, GenUtime: era + k, StartLT: lt, EndLT: lt + 9, TxCount: 1, RandSeed: id(9, 'M', k),
		PrevBlocks: []chain.BlockID{{Workchain: -1, Shard: chain.FullShard, Seqno: k - 1}}, ValidatorListHashShort: 4_000_000_000,
	}
	shard := master
	shard.BlockIDExt = chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: 0, Shard: chain.FullShard, Seqno: k + 10},
		RootHash: id(hBlock, 'S', k), FileHash: id(hFile, 'S', k),
	}
	shard.StartLT, shard.TxCount, shard.MasterRefSeqno = lt+1, 2, new(k-1)
	shard.PrevBlocks = []chain.BlockID{{Workchain: 0, Shard: chain.FullShard, Seqno: k + 9}}

	b := &chain.MasterBlock{
		Block: master, ShardBlocks: []chain.Block{shard}, Shards: []chain.BlockIDExt{shard.BlockIDExt},
		Cells: map[chain.Hash]chain.BOC{},
	}
	addTransactions(b, k, lt)
	return b
}

func addTransactions(b *chain.MasterBlock, k uint32, lt uint64) {
	shard := b.ShardBlocks[0].BlockID
	walletData, walletDataHash := walletCell(k)
	callBody, callHash := body(transferOp, k)
	logBody, logHash := body(1, k)
	maps.Copy(b.Cells, map[chain.Hash]chain.BOC{walletDataHash: walletData, walletCode: callBody, jettonCode: logBody})
	w := transactionOf('W', k, walletAddress, lt+1, shard)
	w.InMsg, w.OutMsgCount = &chain.MessageKey{Account: walletAddress, LT: lt + 1}, 1
	if k == firstMc {
		w.OrigStatus, w.PrevLT, w.PrevHash = chain.Nonexist, 0, chain.Hash{}
	}
	j := transactionOf('J', k, jettonAddress, lt+3, shard)
	j.InMsg, j.OutMsgCount = &chain.MessageKey{Account: walletAddress, LT: lt + 2}, 1
	tick := transactionOf('T', k, tickAddress, lt+5, b.Block.BlockID)
	tick.Description.Kind = chain.TickTock
	b.Transactions = []chain.Transaction{tick, w, j}
	b.BOCs = []chain.BOC{walletData, callBody, logBody}
	b.States = []chain.AccountState{stateAfter(&tick, &jettonCode, nil), stateAfter(&w, &walletCode, &walletDataHash), stateAfter(&j, &jettonCode, nil)}
	b.Messages = []chain.Message{
		{
			Key: *w.InMsg, Hash: id(hMessage, 'E', k), HashNorm: new(id(hNorm, 'E', k)), Kind: chain.ExternalIn,
			Destination: &walletAddress, ImportFee: big.NewInt(0), BodyHash: walletDataHash, Body: walletData,
			Opcode: new(k), ReceivedBy: &chain.TransactionRef{LT: w.LT, Hash: w.Hash},
		},
		{
			Key: *j.InMsg, Hash: id(hMessage, 'I', k), Kind: chain.InternalMessage, Source: &walletAddress, Destination: &jettonAddress,
			Value: new(chain.Coins(1e9)), FwdFee: new(chain.Coins(400_000)), IHRFee: new(chain.Coins(0)),
			CreatedLT: new(lt + 2), CreatedAt: new(era + k), IHRDisabled: new(true), Bounce: new(true), Bounced: new(false),
			Opcode: new(uint32(transferOp)), BodyHash: callHash, Body: callBody,
			SentBy: &chain.TransactionRef{LT: w.LT, Hash: w.Hash}, ReceivedBy: &chain.TransactionRef{LT: j.LT, Hash: j.Hash},
		},
		{
			Key: chain.MessageKey{Account: jettonAddress, LT: lt + 4}, Hash: id(hMessage, 'O', k), Kind: chain.ExternalOut,
			Source: &jettonAddress, CreatedLT: new(lt + 4), CreatedAt: new(era + k), Opcode: new(uint32(1)),
			BodyHash: logHash, Body: logBody, SentBy: &chain.TransactionRef{LT: j.LT, Hash: j.Hash},
		},
	}
}

func transactionOf(name byte, k uint32, account chain.Address, lt uint64, block chain.BlockID) chain.Transaction {
	return chain.Transaction{
		Account: account, LT: lt, Hash: id(hTx, name, k), PrevHash: id(hTx, name, k-1), PrevLT: lt - 1000, Now: era + k,
		OrigStatus: chain.Active, EndStatus: chain.Active, TotalFees: 1000 + chain.Coins(k),
		StateHashBefore: id(hState, name, k-1), StateHashAfter: id(hState, name, k), Block: block, McSeqno: k,
		Verification: chain.Replayed,
		Description: chain.TransactionDescription{
			Storage: &chain.StoragePhase{FeesCollected: 1},
			Compute: &chain.ComputePhase{Success: true, GasFees: 1200, GasUsed: 3, GasLimit: 1_000_000, VMSteps: 5},
			Action:  &chain.ActionPhase{Success: true, Valid: true, TotalActions: 1, MsgsCreated: 1, MsgSize: chain.MessageSize{Cells: 1, Bits: 500}},
		},
	}
}

// stateAfter returns the account state after a transaction. Balances grow with the block, and the wallet's is the highest.
func stateAfter(tx *chain.Transaction, code, data *chain.Hash) chain.AccountState {
	s := chain.AccountState{
		Account: tx.Account, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Active,
		Balance: chain.Coins(tx.McSeqno) * 1_000_000, CodeHash: code, DataHash: data, LastPaid: tx.Now, UsedCells: 3, UsedBits: 700,
	}
	if tx.Account == walletAddress {
		s.Balance *= 10
	}
	return s
}

// serve indexes the fixture and returns a client of the API on it.
func serve(t testing.TB) *testClient {
	t.Helper()
	db := testdb.New(t)
	for k := uint32(firstMc); k <= lastMc; k++ {
		require.NoError(t, db.Writer().Apply(t.Context(), masterBlock(k)))
	}
	return open(t, db)
}

// open returns a client of the API on db.
func open(t testing.TB, db *store.DB) *testClient {
	t.Helper()
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test", TestOnly: true})
	return &testClient{t: t, handler: v3.New(svc, v3.Options{Version: "1.4.0"})}
}

// testClient sends requests to the API. Every JSON response is validated against the OpenAPI documents.
type testClient struct {
	t       testing.TB
	handler http.Handler
}

// do sends a GET request. path is relative to the prefix of the API; headers are names and values, alternating.
func (d *testClient) do(path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, v3.Prefix+path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if w.Header().Get("Content-Type") == "application/json" {
		fits(d.t, http.MethodGet, path, w.Code, w.Body.Bytes())
	}
	return w
}

// get sends a request that must succeed, and returns the JSON object of the response.
func (d *testClient) get(path string, headers ...string) map[string]any {
	d.t.Helper()
	w := d.do(path, headers...)
	require.Equal(d.t, http.StatusOK, w.Code, "%s: %s", path, w.Body)
	var body map[string]any
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &body), "%s: %s", path, w.Body)
	return body
}

// refuse sends a request that must fail with status, and returns the text of the error.
func (d *testClient) refuse(path string, status int) string {
	d.t.Helper()
	w := d.do(path)
	var body struct {
		Error string
		Code  int
	}
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &body), "%s: %s", path, w.Body)
	require.Equal(d.t, status, w.Code, "%s: %s", path, w.Body)
	require.Equal(d.t, status, body.Code)
	require.NotEmpty(d.t, body.Error)
	return body.Error
}

// names lists the rows by their names in the fixture: "W12 J12".
func names(rows any) string {
	var list []string
	for _, row := range rows.([]any) {
		list = append(list, nameOf(row.(map[string]any)))
	}
	return strings.Join(list, " ")
}

func nameOf(row map[string]any) string {
	text, ok := row["hash"].(string)
	if !ok {
		text = row["root_hash"].(string)
	}
	h, err := chain.ParseHash(text)
	if err != nil {
		return text
	}
	return fmt.Sprintf("%c%d", h[1], binary.BigEndian.Uint32(h[28:]))
}

func escape(s fmt.Stringer) string { return url.QueryEscape(s.String()) }
