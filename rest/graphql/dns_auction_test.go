package graphql_test

import (
	"math/big"
	"strconv"
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

// Pages of auctions continue from both ends of the list, also between auctions that end at the same time.
func TestDNSAuctions_ArePagedFromBothEnds(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	mb := testdb.Master(1)
	bidder, now := testdb.Address(), mb.Block.GenUtime
	for i := range uint32(7) {
		testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
			domain := strconv.Itoa(int(i)) + ".ton"
			c.DNS = &chain.DNSRecord{Item: c.Account, Domain: domain, LastTxLT: c.LT, Auction: &chain.DNSAuction{
				Item: c.Account, Domain: domain, Bidder: bidder, Bid: big.NewInt(5), EndsAt: now - i/3,
			}}
		})
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	type connection struct {
		Nodes    []struct{ Domain string }
		PageInfo struct {
			HasNextPage, HasPreviousPage bool
			StartCursor, EndCursor       *string
		}
	}
	read := func(arguments string) (domains []string, page connection) {
		t.Helper()
		var got struct{ DNSAuctions connection }
		w.query(t, `query($b: Address!) { dnsAuctions(where: {bidder: $b}, `+arguments+`) {
			nodes { domain } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, map[string]any{"b": bidder.String()}, &got)
		for _, n := range got.DNSAuctions.Nodes {
			domains = append(domains, n.Domain)
		}
		return domains, got.DNSAuctions
	}
	all, page := read("first: 20")
	require.Len(t, all, 7)
	require.False(t, page.PageInfo.HasNextPage || page.PageInfo.HasPreviousPage)
	require.Equal(t, "6.ton", all[0], "the first to end")
	require.ElementsMatch(t, []string{"0.ton", "1.ton", "2.ton"}, all[4:], "the last to end")

	var forward, backward []string
	for arguments, more := "first: 2", true; more; {
		domains, p := read(arguments)
		forward, more = append(forward, domains...), p.PageInfo.HasNextPage
		arguments = `first: 2, after: "` + *p.PageInfo.EndCursor + `"`
	}
	require.Equal(t, all, forward)
	for arguments, more := "last: 2", true; more; {
		domains, p := read(arguments)
		backward, more = append(domains, backward...), p.PageInfo.HasPreviousPage
		arguments = `last: 2, before: "` + *p.PageInfo.StartCursor + `"`
	}
	require.Equal(t, all, backward)
}
