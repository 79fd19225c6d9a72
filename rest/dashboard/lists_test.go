package dashboard_test

import (
	"cmp"
	"html"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
	"tonql/internal/testdb"
	"tonql/rest/dashboard"
)

var older = regexp.MustCompile(`<a href="([^"]+)">Older</a>`)

// listed returns what a pattern finds on the pages of a list, from the first one by the links to the next.
func (v *visit) listed(path string, pattern *regexp.Regexp) (found []string, pages int) {
	v.t.Helper()
	for path != "" {
		status, page := v.get(path)
		require.Equal(v.t, 200, status)
		for _, m := range pattern.FindAllStringSubmatch(page, -1) {
			found = append(found, m[1])
		}
		path = ""
		if m := older.FindStringSubmatch(page); m != nil {
			path = strings.TrimPrefix(html.UnescapeString(m[1]), dashboard.Prefix)
		}
		pages++
	}
	return found, pages
}

// An export that is cut says so in its last line, after complete payments.
func TestExport_TheLastLineSaysThatItIsCut(t *testing.T) {
	t.Parallel()
	const further = "There may be further payments. Export a shorter period."
	for others, cut := range map[int]bool{1200: true, 300: false} {
		v := newVisit(t, func(o *dashboard.Options) { o.ExportLines = 500 })
		v.signIn()
		handle := v.db.SQLDB()
		tr := &payment.Transfer{
			Asset: payment.NativeAsset(), Amount: big.NewInt(99_000_000_000), Sender: testdb.Address(), Recipient: testdb.Address(),
			CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour), AssetText: "TON",
		}
		_, err := payment.Prepare(tr)
		require.NoError(t, err)
		require.NoError(t, v.payments.RegisterPayment(t.Context(), v.merchant.ID, tr))
		_, err = handle.ExecContext(t.Context(), `INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('reference', gen_random_uuid()::text,
			'body_hash', sha256(n::text::bytea)::text))).* FROM payments p, generate_series(1, $1) n`, others)
		require.NoError(t, err)
		require.NoError(t, handle.Close())
		_, export := v.get("/payments.csv")
		lines := strings.Split(strings.TrimSpace(export), "\n")[1:]
		if !cut {
			require.Len(t, lines, others+1)
			require.NotContains(t, export, further)
			continue
		}
		require.Len(t, lines, 501)
		require.Equal(t, further, lines[500])
		for _, line := range lines[:500] {
			require.Equal(t, 17, strings.Count(line, ","), line)
		}
	}
}

// Each page continues where the last one ended, with its filter, also among rows of one moment; an export has them all.
func TestLists_PagesHaveEachRowOnce(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	exec := func(statement string, args ...any) {
		t.Helper()
		_, err := handle.ExecContext(t.Context(), statement, args...)
		require.NoError(t, err)
	}
	tr := &payment.Transfer{
		Asset: payment.NativeAsset(), Amount: big.NewInt(99_000_000_000), Sender: testdb.Address(), Recipient: testdb.Address(),
		CommentToRecipient: "a & b", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour), AssetText: "TON",
	}
	_, err := payment.Prepare(tr)
	require.NoError(t, err)
	require.NoError(t, v.payments.RegisterPayment(t.Context(), v.merchant.ID, tr))
	const others = 1000 // an export reads them in three parts
	exec(`INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('reference', gen_random_uuid()::text, 'body_hash', sha256(n::text::bytea)::text,
		'comment_to_recipient', CASE WHEN n <= 120 THEN 'a & b' ELSE 'c' END))).* FROM payments p, generate_series(1, $1) n`, others)

	rows, pages := v.listed("/payments?q=a+%26+b", regexp.MustCompile(`href="[^"]*/payments/([0-9a-f-]{36})"`))
	slices.Sort(rows)
	require.Len(t, slices.Compact(rows), 121)
	require.Equal(t, 3, pages)
	_, export := v.get("/payments.csv")
	lines := strings.Split(strings.TrimSpace(export), "\n")[1:]
	require.Len(t, lines, others+1)
	slices.Sort(lines)
	require.Len(t, slices.Compact(lines), others+1)

	exec(`INSERT INTO payment_links (merchant_id, page, title, ticker, decimals, amount, recipient, recipient_text, asset_text, once)
		SELECT $1, 'page' || n, 'a & b', 'TON', 9, n, (SELECT recipient FROM payments LIMIT 1), '', 'TON', false FROM generate_series(1, 120) n`, v.merchant.ID)
	rows, pages = v.listed("/links", regexp.MustCompile(`data-copy="[^"]*/(page[0-9]+)"`))
	slices.Sort(rows)
	require.Len(t, slices.Compact(rows), 120)
	require.Equal(t, 3, pages)

	status, _ := v.form("/webhooks", "url", "https://shop.example/hook")
	require.Equal(t, 200, status)
	status, page := v.form("/webhooks/1/test", "type", "success")
	require.Equal(t, 200, status, page)
	exec(`INSERT INTO webhook_deliveries (event_id, endpoint_id, trigger, state) SELECT event_id, endpoint_id, 1, n % 2 * 3 FROM webhook_deliveries, generate_series(1, 240) n`)
	rows, pages = v.listed("/deliveries?state=exhausted&endpoint=1", regexp.MustCompile(`href="/dashboard/deliveries/([0-9]+)"`))
	require.True(t, slices.IsSortedFunc(rows, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(b, a)) }), "newest first")
	slices.Sort(rows)
	require.Len(t, slices.Compact(rows), 120)
	require.Equal(t, 3, pages)
}
