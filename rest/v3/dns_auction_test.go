package v3_test

import (
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// auctioned indexes domains with auctions: D1 and D2 have ended, D3 ends with the block, D4 is open, D5 is another's, and D6 has none.
func auctioned(t *testing.T) (*testClient, *store.DB) {
	t.Helper()
	db := testdb.New(t)
	mb := testdb.Master(marketMc)
	now := mb.Block.GenUtime
	for name, a := range map[string]*chain.DNSAuction{
		"D1": {Bidder: at("A1"), Bid: big.NewInt(1_050_000_000), EndsAt: now - 7}, "D2": {Bidder: at("A1"), Bid: big.NewInt(2), EndsAt: now - 9},
		"D3": {Bidder: at("A1"), Bid: big.NewInt(3), EndsAt: now}, "D4": {Bidder: at("A1"), Bid: big.NewInt(4), EndsAt: now + 1},
		"D5": {Bidder: at("A2"), Bid: big.NewInt(5), EndsAt: now - 7}, "D6": nil,
	} {
		c := stand(name, mb)
		c.DNS = &chain.DNSRecord{Item: c.Account, Domain: name + ".ton", LastFillUp: new(now - 100), LastTxLT: c.LT, Auction: a}
		if a != nil {
			a.Item, a.Domain, a.LastFillUp = c.Account, c.DNS.Domain, c.DNS.LastFillUp
		}
		c.NFTItem = &chain.NFTItem{
			Address: c.Account, Init: true, Index: big.NewInt(1), Collection: ref("C1"), Content: chain.Content{}, Domain: c.DNS.Domain, CodeHash: c.CodeHash, LastTxLT: c.LT,
		}
		mb.Contracts = append(mb.Contracts, c)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	return open(t, db), db
}

// claimed is the domain after its winner has claimed it.
func claimed(name string, mb *chain.MasterBlock) chain.Contract {
	c := stand(name, mb)
	c.DNS = &chain.DNSRecord{Item: c.Account, Domain: name + ".ton", Owner: ref("A1"), LastTxLT: c.LT}
	return c
}

func TestDNSAuctions_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d, _ := auctioned(t)
	d.requireRows(t, "/dns/activeAuctions", "auctions", "nft_item_address", map[string]string{
		"bidder=A1": "D2 D1 D3 D4", "bidder=A1&state=all": "D2 D1 D3 D4", "bidder=A1&state=won": "D2 D1 D3", "bidder=A1&state=bidding": "D4",
		"bidder=A2": "D5", "bidder=A3": "", "bidder=A1&limit=2": "D2 D1", "bidder=A1&limit=2&offset=1": "D1 D3",
	})
	body := d.get("/dns/activeAuctions?" + expand("bidder=A1&state=won&include_nft_items=true"))
	require.ElementsMatch(t, []string{"A1", "D1", "D2", "D3", "C1"}, keys(body["address_book"]))
	require.Contains(t, body, "metadata")
	require.NotContains(t, body, "next_cursor")
	row := body["auctions"].([]any)[1].(map[string]any)
	item := row["nft_item"].(map[string]any)
	require.Equal(t, at("D1").String(), item["address"])
	delete(row, "nft_item")
	now := testdb.Master(marketMc).Block.GenUtime
	require.Equal(t, map[string]any{
		"nft_item_address": at("D1").String(), "domain": "D1.ton", "max_bid_address": at("A1").String(), "max_bid_amount": "1050000000",
		"auction_end_time": strconv.Itoa(int(now) - 7), "last_fill_up_time": strconv.Itoa(int(now) - 100), "finished": true,
	}, row)
}

// A client reads all pages by next_cursor, which it sends as after, while auctions of earlier pages are claimed.
func TestDNSAuctions_PagesContinueByAfter(t *testing.T) {
	t.Parallel()
	d, db := auctioned(t)
	var found []string
	after := ""
	for range 5 {
		body := d.get("/dns/activeAuctions?" + expand("bidder=A1&limit=1") + after)
		for _, row := range body["auctions"].([]any) {
			found = append(found, row.(map[string]any)["domain"].(string))
		}
		next, more := body["next_cursor"].(string)
		if !more {
			break
		}
		after = "&after=" + url.QueryEscape(next)
		if len(found) == 1 {
			require.Equal(t, "after and cursor cannot be combined",
				d.refuse("/dns/activeAuctions?"+expand("bidder=A1&limit=1")+after+"&cursor="+url.QueryEscape(next), http.StatusUnprocessableEntity))
			mb := testdb.Master(marketMc + 1)
			mb.Contracts = []chain.Contract{claimed("D2", mb)}
			require.NoError(t, db.Writer().Apply(t.Context(), mb))
		}
	}
	require.Equal(t, []string{"D2.ton", "D1.ton", "D3.ton", "D4.ton"}, found)
}
