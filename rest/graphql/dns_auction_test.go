package graphql_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// Auctions of domains are found by their bidder, in the order of their ends, and page by page; a domain has its own.
func TestDNSAuctions_AreFoundByBidderAndState(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	mb := testdb.Master(1)
	bidder, now := testdb.Address(), mb.Block.GenUtime
	for name, end := range map[string]uint32{"won.ton": now, "open.ton": now + 9, "old.ton": now - 9, "owned.ton": 0} {
		testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
			c.DNS = &chain.DNSRecord{Item: c.Account, Domain: name, LastTxLT: c.LT}
			if end != 0 {
				c.DNS.Auction = &chain.DNSAuction{Item: c.Account, Domain: name, Bidder: bidder, Bid: big.NewInt(5), EndsAt: end}
			}
		})
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))

	type auction struct {
		Domain, Bid string
		Ended       bool
		Bidder      struct{ Address string }
	}
	type page struct{ Nodes []auction }
	var got struct {
		All, Won, Open, Rest page
		Of                   struct {
			Nodes []struct{ Auction *auction }
		}
		Owned struct {
			Nodes []struct{ Auction *auction }
		}
		First struct{ PageInfo struct{ EndCursor string } }
	}
	const fields = "nodes { domain bid ended bidder { address } }"
	w.query(t, `query($b: Address!) {
		all: dnsAuctions(where: {bidder: $b}) { `+fields+` }
		won: dnsAuctions(where: {bidder: $b, ended: true}) { `+fields+` }
		open: dnsAuctions(where: {bidder: $b, ended: false}) { `+fields+` }
		first: dnsAuctions(where: {bidder: $b}, first: 2) { pageInfo { endCursor } }
		of: dnsRecords(where: {domain: "won.ton"}) { nodes { auction { domain bid ended bidder { address } } } }
		owned: dnsRecords(where: {domain: "owned.ton"}) { nodes { auction { domain } } } }`, map[string]any{"b": bidder.String()}, &got)
	of := func(domain string, ended bool) auction {
		a := auction{Domain: domain, Bid: "5", Ended: ended}
		a.Bidder.Address = bidder.String()
		return a
	}
	require.Equal(t, []auction{of("old.ton", true), of("won.ton", true), of("open.ton", false)}, got.All.Nodes)
	require.Equal(t, got.All.Nodes[:2], got.Won.Nodes)
	require.Equal(t, got.All.Nodes[2:], got.Open.Nodes)
	require.Equal(t, of("won.ton", true), *got.Of.Nodes[0].Auction)
	require.Nil(t, got.Owned.Nodes[0].Auction)
	w.query(t, `query($b: Address!, $c: String) { rest: dnsAuctions(where: {bidder: $b}, after: $c) { `+fields+` } }`,
		map[string]any{"b": bidder.String(), "c": got.First.PageInfo.EndCursor}, &got)
	require.Equal(t, got.All.Nodes[2:], got.Rest.Nodes)
}
