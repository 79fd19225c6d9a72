package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

// auctionRow is an auction of a domain in a response. item is set when items are included and the domain's is in the index.
type auctionRow struct {
	chain.DNSAuction

	ended bool
	item  *chain.NFTItem
}

func dnsAuctions(c *call) (func() error, error) {
	bidder, ended := c.q.Address("bidder"), c.auctionEnded()
	items := c.q.Bool("include_nft_items", false)
	p := c.after(chain.Page{Limit: c.q.Limit(dnsLimit), Offset: c.q.Offset(), Sort: chain.Ascending}, chain.DNSAuctionList)
	return func() error {
		if bidder == nil {
			return chain.Invalidf("bidder address is required")
		}
		list, err := c.svc.DNSAuctions(c.ctx, chain.DNSAuctionFilter{Bidder: *bidder, Ended: ended}, p)
		if err != nil {
			return err //nolint:wrapcheck // of the service
		}
		rows, err := c.auctionRows(list, items)
		return listing[auctionRow]{key: "auctions", name: nameDNSAuction, print: appendDNSAuction, metadata: true, cursor: true}.write(c, rows, err)
	}, nil
}

// auctionEnded reads the state of auctions: whether they have ended, nil for all.
func (c *call) auctionEnded() *bool {
	switch c.q.Enum("state", "all", "won", "bidding") {
	case "", "all":
	case "won":
		return new(true)
	case "bidding":
		return new(false)
	default:
		c.q.Refuse(chain.Invalidf("state must be one of: all, won, bidding"))
	}
	return nil
}

// after is [call.cursored] for a list whose cursor is also read from the parameter after, and written to the member next_cursor.
func (c *call) after(p chain.Page, kind chain.ListKind) chain.Page {
	page := c.cursored(p, kind)
	text, sent := c.q.Text("after")
	switch {
	case !sent || text == "":
		return page
	case page.After != nil:
		c.q.Refuse(chain.Invalidf("after and cursor cannot be combined"))
		return page
	case p.Offset > 0:
		c.q.Refuse(chain.Invalidf("use either after or offset, not both"))
		return page
	}
	cursor, err := chain.ParseCursor(text, kind)
	if err != nil {
		c.q.Refuse(chain.Invalidf("invalid after cursor"))
	}
	c.pinned = cursor.McSeqno
	page.After = &cursor
	return page
}

// auctionRows completes auctions, with the items of the domains if items is set.
func (c *call) auctionRows(list []chain.DNSAuction, items bool) ([]auctionRow, error) {
	now, err := c.svc.DNSAuctionTime(c.ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the service
	}
	rows, addresses := make([]auctionRow, len(list)), make([]chain.Address, len(list))
	for i := range list {
		rows[i].DNSAuction, rows[i].ended = list[i], list[i].Ended(now)
		addresses[i] = list[i].Item
	}
	if !items || len(list) == 0 {
		return rows, nil
	}
	found, err := c.svc.NFTItems(c.ctx, chain.NFTItemFilter{Addresses: addresses}, chain.Page{Limit: len(addresses), Sort: chain.Ascending})
	if err != nil {
		return nil, err //nolint:wrapcheck // of the service
	}
	by := make(map[chain.Address]*chain.NFTItem, len(found))
	for i := range found {
		by[found[i].Address] = &found[i]
	}
	for i := range rows {
		rows[i].item = by[rows[i].Item]
	}
	return rows, nil
}

func nameDNSAuction(named *addresses, a *auctionRow) {
	named.add(&a.Item)
	named.add(&a.Bidder)
	if a.item != nil {
		named.add(a.item.Collection)
	}
}

func appendDNSAuction(b []byte, a *auctionRow) []byte {
	b = handler.AppendAddress(append(b, `{"nft_item_address":`...), &a.Item)
	b = handler.AppendString(append(b, `,"domain":`...), a.Domain)
	b = handler.AppendAddress(append(b, `,"max_bid_address":`...), &a.Bidder)
	b = handler.AppendBig(append(b, `,"max_bid_amount":`...), a.Bid)
	b = handler.AppendDecimal(append(b, `,"auction_end_time":`...), a.EndsAt)
	b = handler.AppendDecimalOrNull(append(b, `,"last_fill_up_time":`...), a.LastFillUp)
	b = handler.AppendBool(append(b, `,"finished":`...), a.ended)
	if a.item != nil {
		b = appendNFTItem(append(b, `,"nft_item":`...), a.item)
	}
	return append(b, '}')
}
