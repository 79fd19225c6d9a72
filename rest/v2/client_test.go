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
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// The fixture of these tests: the blocks of chaintest up to lastMc. The message from the wallet to the Jetton wallet has a
// comment, the Jetton wallet has no code, and the first block has a configuration with one parameter, and two libraries.
const lastMc = 12

var (
	unused     = chain.Address{ID: chain.Hash{0: 0x99}}
	parameter0 = cell.BeginCell().MustStoreUInt(0x55, 8).EndCell()
	library    = cell.BeginCell().MustStoreUInt(0x77, 8).EndCell()
)

func hashOf(c *cell.Cell) chain.Hash { return chain.Hash(c.HashKey()) }

// editBlock makes a block of the fixture out of one of chaintest.
func editBlock(b *chain.MasterBlock) {
	hello := cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hello"), 40).EndCell()
	m := &b.Messages[1]
	m.Opcode, m.Body, m.BodyHash = new(uint32(0)), hello.ToBOC(), hashOf(hello)
	m.IHRFee = new(chain.Coins(7)) // belongs to no fee that is shown
	empty := &b.States[2]
	empty.Status, empty.CodeHash = chain.Uninit, nil
	if b.Block.Seqno == chaintest.First {
		addConfig(b)
	}
}

func addConfig(b *chain.MasterBlock) {
	dict := cell.NewDict(32)
	value := cell.BeginCell().MustStoreRef(parameter0).EndCell()
	if err := dict.SetIntKey(big.NewInt(0), value); err != nil {
		panic(err)
	}
	root := dict.AsCell()
	b.Block.KeyBlock = true
	b.Config = &chain.Config{McSeqno: b.Block.Seqno, Root: hashOf(root), BOC: root.ToBOC()}
	b.Libraries = []chain.Library{{Hash: hashOf(library), BOC: library.ToBOC()}, {Hash: hashOf(parameter0), BOC: parameter0.ToBOC()}}
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
	chaintest.Index(t, db, lastMc, editBlock)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	return &client{t: t, handler: v2.New(svc, v2.Options{})}
}

// withoutIndex returns a client of an API without an index, for methods that need none.
func withoutIndex(t testing.TB) *client {
	t.Helper()
	return &client{t: t, handler: v2.New(resolvers.New(nil, nil, resolvers.Options{}), v2.Options{})}
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
