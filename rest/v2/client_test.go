package v2_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// The fixture of these tests: masterchain blocks 10 to 12, each with basechain block seqno + 10. In block k, at LT 1000k,
// the sender receives an external-in message (+1) and sends a comment (+2), which the receiver receives (+3).
const (
	firstMc = 10
	lastMc  = 12
	era     = 1_700_000_000
)

var (
	sender   = chain.Address{ID: chain.Hash{0: 0x11}}
	receiver = chain.Address{ID: chain.Hash{0: 0x22}}
	unused   = chain.Address{ID: chain.Hash{0: 0x99}}

	v4Code, _  = chain.ParseHash("/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=")
	parameter0 = cell.BeginCell().MustStoreUInt(0x55, 8).EndCell()
	library    = cell.BeginCell().MustStoreUInt(0x77, 8).EndCell()
)

func hashOf(c *cell.Cell) chain.Hash { return chain.Hash(c.HashKey()) }

func numbered(kind uint64, k uint32) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(kind, 32).MustStoreUInt(uint64(k), 32).EndCell()
}

func senderCell(k uint32) *cell.Cell   { return numbered(0xa, k) }
func receiverCell(k uint32) *cell.Cell { return numbered(0xb, k) }

func masterBlock(k uint32) *chain.MasterBlock {
	lt := uint64(k) * 1000
	master := chain.Block{
		BlockIDExt: chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: k},
			RootHash: hashOf(numbered(1, k)), FileHash: hashOf(numbered(2, k)),
		},
		McSeqno: k, GlobalID: -3, GenUtime: era + k, StartLT: lt, EndLT: lt + 9, RandSeed: hashOf(numbered(3, k)),
		PrevBlocks: []chain.BlockID{{Workchain: -1, Shard: chain.FullShard, Seqno: k - 1}}, ValidatorListHashShort: 4_000_000_000,
	}
	shard := master
	shard.BlockIDExt = chain.BlockIDExt{
		BlockID:  chain.BlockID{Shard: chain.FullShard, Seqno: k + 10},
		RootHash: hashOf(numbered(4, k)), FileHash: hashOf(numbered(5, k)),
	}
	shard.StartLT, shard.TxCount, shard.MasterRefSeqno = lt+1, 2, new(k-1)
	shard.PrevBlocks = []chain.BlockID{{Shard: chain.FullShard, Seqno: k + 9}}

	data := cell.BeginCell().MustStoreUInt(uint64(k), 32).MustStoreUInt(698983191, 32).MustStoreSlice(make([]byte, 32), 256).
		MustStoreBoolBit(false).EndCell()
	b := &chain.MasterBlock{
		Block: master, ShardBlocks: []chain.Block{shard}, Shards: []chain.BlockIDExt{shard.BlockIDExt},
		Cells: map[chain.Hash]chain.BOC{hashOf(data): data.ToBOC(), v4Code: parameter0.ToBOC()},
	}
	s := transactionOf(senderCell(k), senderCell(k-1), k, sender, lt+1, shard.BlockID)
	s.InMsg, s.OutMsgCount = &chain.MessageKey{Account: sender, LT: lt + 1}, 1
	r := transactionOf(receiverCell(k), receiverCell(k-1), k, receiver, lt+3, shard.BlockID)
	r.InMsg = &chain.MessageKey{Account: sender, LT: lt + 2}
	b.Transactions = []chain.Transaction{s, r}
	b.BOCs = []chain.BOC{senderCell(k).ToBOC(), receiverCell(k).ToBOC()}
	b.States = []chain.AccountState{{
		Account: sender, LT: s.LT, TxHash: s.Hash, Hash: s.StateHashAfter, Status: chain.Active, Balance: 5_000_000_000,
		CodeHash: &v4Code, DataHash: new(hashOf(data)), LastPaid: era + k,
	}, {
		Account: receiver, LT: r.LT, TxHash: r.Hash, Hash: r.StateHashAfter, Status: chain.Uninit, Balance: 7, LastPaid: era + k,
	}}
	call := cell.BeginCell().MustStoreUInt(7, 20).EndCell()
	hello := cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hello"), 40).EndCell()
	b.Messages = []chain.Message{
		{
			Key: *s.InMsg, Hash: hashOf(numbered(6, k)), HashNorm: new(hashOf(numbered(7, k))), Kind: chain.ExternalIn,
			Destination: &sender, BodyHash: hashOf(call), Body: call.ToBOC(), ReceivedBy: &chain.TransactionRef{LT: s.LT, Hash: s.Hash},
		},
		{
			Key: *r.InMsg, Hash: hashOf(numbered(8, k)), Kind: chain.InternalMessage, Source: &sender, Destination: &receiver,
			Value: new(chain.Coins(1e9)), FwdFee: new(chain.Coins(400_000)), IHRFee: new(chain.Coins(0)),
			CreatedLT: new(lt + 2), CreatedAt: new(era + k), IHRDisabled: new(true), Bounce: new(true), Bounced: new(false),
			Opcode: new(uint32(0)), BodyHash: hashOf(hello), Body: hello.ToBOC(),
			SentBy: &chain.TransactionRef{LT: s.LT, Hash: s.Hash}, ReceivedBy: &chain.TransactionRef{LT: r.LT, Hash: r.Hash},
		},
	}
	if k == firstMc {
		dict := cell.NewDict(32)
		value := cell.BeginCell().MustStoreRef(parameter0).EndCell()
		if err := dict.SetIntKey(big.NewInt(0), value); err != nil {
			panic(err)
		}
		root := dict.AsCell()
		b.Block.KeyBlock = true
		b.Config = &chain.Config{McSeqno: k, Root: hashOf(root), BOC: root.ToBOC()}
		b.Libraries = []chain.Library{{Hash: hashOf(library), BOC: library.ToBOC()}}
	}
	return b
}

func transactionOf(self, prev *cell.Cell, k uint32, account chain.Address, lt uint64, block chain.BlockID) chain.Transaction {
	tx := chain.Transaction{
		Account: account, LT: lt, Hash: hashOf(self), PrevHash: hashOf(prev), PrevLT: lt - 1000, Now: era + k,
		OrigStatus: chain.Active, EndStatus: chain.Active, TotalFees: 1000, Block: block, McSeqno: k,
		StateHashAfter: hashOf(numbered(lt, k)),
		Description:    chain.TransactionDescription{Storage: &chain.StoragePhase{FeesCollected: 10}},
	}
	if k == firstMc {
		tx.PrevLT, tx.PrevHash = 0, chain.Hash{}
	}
	return tx
}

// client sends requests to the API.
type client struct {
	t       testing.TB
	handler http.Handler
}

// serve indexes the fixture and returns a client of the API on it.
func serve(t testing.TB) *client {
	t.Helper()
	db := testdb.New(t)
	for k := uint32(firstMc); k <= lastMc; k++ {
		require.NoError(t, db.Writer().Apply(t.Context(), masterBlock(k)))
	}
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	return &client{t: t, handler: v2.New(svc, v2.Options{})}
}

// withoutIndex returns a client of an API without an index, for methods that need none.
func withoutIndex(t testing.TB) *client {
	t.Helper()
	return &client{t: t, handler: v2.New(nil, v2.Options{})}
}

func (d *client) do(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, httptest.NewRequest(method, v2.Prefix+"/"+path, strings.NewReader(body)))
	return w
}

type envelope struct {
	OK      bool            `json:"ok"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Code    int             `json:"code"`
	Extra   string          `json:"@extra"`
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
}

func (d *client) open(w *httptest.ResponseRecorder) envelope {
	d.t.Helper()
	var e envelope
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &e), w.Body)
	require.Equal(d.t, v2.DefaultVersion, w.Header().Get("X-API-Version"))
	require.NotEmpty(d.t, e.Extra)
	require.Equal(d.t, w.Code == http.StatusOK, e.OK)
	if !e.OK {
		require.Equal(d.t, w.Code, e.Code)
		require.NotEmpty(d.t, e.Error)
	}
	return e
}

// result sends a GET request that must succeed, and returns its result.
func (d *client) result(path string, query ...string) string {
	d.t.Helper()
	q := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		q.Add(query[i], query[i+1])
	}
	e := d.open(d.do(http.MethodGet, path+"?"+q.Encode(), ""))
	require.True(d.t, e.OK, "%s: %s", path, e.Error)
	return string(e.Result)
}
