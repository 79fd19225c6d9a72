package v3_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

var nextPage = regexp.MustCompile(`^</api/v3(/\S*)>; rel="next"$`)

// listOf returns the rows of a response: its only member that is a list, or the response itself.
func listOf(t testing.TB, body []byte) []json.RawMessage {
	t.Helper()
	var rows []json.RawMessage
	if json.Unmarshal(body, &rows) == nil {
		return rows
	}
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(body, &members))
	for _, member := range members {
		if json.Unmarshal(member, &rows) == nil {
			return rows
		}
	}
	require.Fail(t, "no list", "%s", body)
	return nil
}

// requirePages follows the Link header from page to page and expects the same rows as one large page.
func (d *testClient) requirePages(path string, limit string) (pages int) {
	d.t.Helper()
	join := "?"
	if strings.Contains(path, "?") {
		join = "&"
	}
	all := listOf(d.t, d.do(path+join+"limit=1000").Body.Bytes())
	require.NotEmpty(d.t, all, path)
	var rows []json.RawMessage
	for next := path + join + "limit=" + limit; ; pages++ {
		require.LessOrEqual(d.t, len(rows), len(all), "%s never ends", path)
		w := d.do(next)
		require.Equal(d.t, http.StatusOK, w.Code, "%s: %s", next, w.Body)
		require.NotEmpty(d.t, w.Header().Get("X-Mc-Seqno"), next)
		rows = append(rows, listOf(d.t, w.Body.Bytes())...)
		link := w.Header().Get("Link")
		if link == "" {
			require.Empty(d.t, w.Header().Get("X-Next-Cursor"))
			break
		}
		found := nextPage.FindStringSubmatch(link)
		require.Len(d.t, found, 2, link)
		require.True(d.t, strings.HasSuffix(found[1], "&cursor="+w.Header().Get("X-Next-Cursor")), link)
		next = found[1]
	}
	require.Len(d.t, rows, len(all), path)
	for i := range all {
		require.JSONEq(d.t, string(all[i]), string(rows[i]), "%s, row %d", path, i)
	}
	return pages
}

// Every list can be read page by page, in each of its orders, with the rows of one large page.
func TestCursors_EveryListIsReadCompletely(t *testing.T) {
	t.Parallel()
	lists := []string{
		"/blocks", "/blocks?sort=asc", "/masterchainBlockShards?seqno=12", "/transactions", "/transactions?sort=asc",
		"/transactions?start_utime=1", "/transactions?start_utime=1&sort=asc", "/transactions?workchain=0",
		"/transactions?account=" + escape(chaintest.Wallet), "/transactions?start_utime=1&account=" + escape(chaintest.Wallet),
		"/transactions?account=" + escape(chaintest.Wallet) + "&account=" + escape(chaintest.JettonWallet),
		"/transactions?hash=" + escape(chaintest.Tx.Hash('W', 12)) + "&hash=" + escape(chaintest.Tx.Hash('J', 11)) + "&hash=" + escape(chaintest.Tx.Hash('T', 14)),
		"/transactionsByMasterchainBlock?seqno=13", "/transactionsByMasterchainBlock?seqno=13&sort=asc",
		"/transactionsByMessage?opcode=0f8a7ea5", "/transactionsByMessage?opcode=0f8a7ea5&sort=asc",
		"/transactionsByMessage?msg_hash=" + escape(chaintest.Message.Hash('I', 12)),
		"/messages", "/messages?sort=asc", "/messages?start_utime=1", "/messages?end_utime=2000000000&sort=asc",
		"/messages?source=" + escape(chaintest.Wallet), "/messages?source=null", "/messages?destination=null&direction=out",
		"/topAccountsByBalance",
	}
	market_ := []string{
		"/jetton/masters", "/jetton/masters?admin_address=A1,A2", "/jetton/wallets", "/jetton/wallets?owner_address=A1,A2",
		"/jetton/wallets?sort=desc", "/jetton/wallets?sort=asc&jetton_address=M1", "/jetton/wallets?sort=desc&owner_address=A1,A2",
		"/jetton/transfers", "/jetton/transfers?sort=asc", "/jetton/transfers?owner_address=A1,A2", "/jetton/transfers?jetton_master=M1",
		"/jetton/transfers?start_utime=1&owner_address=A1", "/jetton/burns", "/jetton/burns?sort=asc",
		"/nft/collections", "/nft/items", "/nft/items?owner_address=A1,A2&include_on_sale=1", "/nft/items?collection_address=C1",
		"/nft/items?sort_by_last_transaction_lt=true", "/nft/transfers", "/nft/transfers?sort=asc", "/nft/transfers?owner_address=A1",
		"/dns/records?wallet=A1", "/multisig/wallets?wallet_address=A1,A2,A3", "/multisig/wallets?address=G1,G2&sort=asc",
		"/multisig/orders?multisig_address=G1,G2", "/multisig/orders?address=O1,O2,O3&sort=asc",
		"/vesting?wallet_address=A1,A2,A3&check_whitelist=1",
	}
	d, m := serve(t), market(t)
	several := 0
	for _, limit := range []string{"1", "2"} {
		for _, path := range lists {
			several += min(1, d.requirePages(path, limit))
		}
		for _, path := range market_ {
			several += min(1, m.requirePages(expand(path), limit))
		}
	}
	require.Greater(t, several, len(lists)+len(market_), "lists of several pages")

	// A cursor is valid for its own list only, and without an offset.
	cursor := d.do("/transactions?limit=1").Header().Get("X-Next-Cursor")
	for path, want := range map[string]string{
		"/messages?cursor=" + cursor:                "is not one this list gave",
		"/transactions?cursor=x":                    "is not one this list gave",
		"/transactions?offset=1&cursor=" + cursor:   "cursor and offset cannot be combined",
		"/transactions?limit=1001&cursor=" + cursor: "limit is not allowed: 1001 > 1000",
	} {
		require.Contains(t, d.refuse(path, http.StatusUnprocessableEntity), want, path)
	}
	require.Empty(t, d.do("/transactions?limit=1&cursor=x").Header().Get("Link"))
	// With too many parameters for a Link header, only the cursor is returned.
	long := d.do("/transactions?limit=1" + strings.Repeat("&account="+escape(chaintest.Wallet), 100))
	require.Empty(t, long.Header().Get("Link"))
	require.NotEmpty(t, long.Header().Get("X-Next-Cursor"))
}

// X-Mc-Seqno is the masterchain seqno of the snapshot that the response was read from, also if it was cached.
func TestMcSeqno_IsThatOfTheSnapshot(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for _, path := range []string{
		"/transactions?limit=1", "/transactions?limit=1", "/blocks", "/messages", "/topAccountsByBalance", "/addressBook?address=" + escape(chaintest.Wallet),
		"/accountStates?address=" + escape(chaintest.Wallet),
	} {
		require.Equal(t, "14", d.do(path).Header().Get("X-Mc-Seqno"), path)
	}
	link := d.do("/transactions?limit=1").Header().Get("Link")
	require.Equal(t, link, d.do("/transactions?limit=1").Header().Get("Link"), "the same request again")
	for _, path := range []string{"/decode?opcodes=1", "/masterchainInfo", "/account?address=" + escape(chaintest.Wallet)} {
		require.Empty(t, d.do(path).Header().Get("X-Mc-Seqno"), path)
	}
}

// X-Min-Seqno waits for a block, up to a limit.
func TestMinSeqno_WaitsForABlock(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	require.NoError(t, db.Writer().Apply(t.Context(), chaintest.Master(12)))
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	d := &testClient{t: t, handler: v3.New(svc, v3.Options{SeqnoWait: 30 * time.Second})}
	require.Equal(t, "T12", names(d.get("/transactions?limit=1", "X-Min-Seqno", "12")["transactions"]))
	written := make(chan error, 1)
	go func() { written <- db.Writer().Apply(t.Context(), chaintest.Master(13)) }()
	require.Equal(t, "T13", names(d.get("/transactions?limit=1&x_min_seqno=13")["transactions"]))
	require.NoError(t, <-written)

	d.handler = v3.New(svc, v3.Options{SeqnoWait: 10 * time.Millisecond})
	w := d.do("/transactions?limit=1", "X-Min-Seqno", "99")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Contains(t, w.Body.String(), "masterchain block 99 is not indexed yet: the index has reached 13, and did not get there in 10ms")
	for _, path := range []string{"/transactions", "/masterchainInfo"} {
		require.Equal(t, http.StatusUnprocessableEntity, d.do(path, "X-Min-Seqno", "soon").Code)
		require.Equal(t, http.StatusServiceUnavailable, d.do(path, "X-Min-Seqno", "99").Code)
	}
	require.Equal(t, http.StatusOK, d.do("/decode?opcodes=1", "X-Min-Seqno", "99").Code, "does not depend on the index")
}

// A server can be configured to reject unknown parameters; strict=0 overrides that.
func TestStrictServer_UnknownParametersAreRejected(t *testing.T) {
	t.Parallel()
	svc := resolvers.New(testdb.New(t).Reader(), nil, resolvers.Options{Network: "test"})
	d := &testClient{t: t, handler: v3.New(svc, v3.Options{Strict: true})}
	require.Equal(t, `unknown parameter "acount"; did you mean account?`, d.refuse("/transactions?acount=x", http.StatusUnprocessableEntity))
	require.Equal(t, http.StatusOK, d.do("/transactions?acount=x&strict=0").Code)
}
