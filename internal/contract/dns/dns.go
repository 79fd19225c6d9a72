package dns

import (
	"context"
	"math"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

func init() {
	contract.Register(contract.Family{Name: "dns", After: "nft", Detect: detect})
}

// detect adds the domain to a genuine item of a zone.
func detect(ctx context.Context, p *contract.Probe) error {
	item := p.Facts.NFTItem
	if item == nil || !item.Init || item.Collection == nil || !p.Has("dnsresolve") {
		return nil
	}
	zone := p.Zone(*item.Collection)
	if zone == "" {
		zone = zones[*item.Collection]
	}
	if zone == "" {
		return nil
	}
	label, err := readLabel(ctx, p)
	if err != nil || label == "" {
		return err
	}
	records, err := readRecords(ctx, p)
	if err != nil {
		return err
	}
	name := label + "." + strings.TrimPrefix(zone, ".")
	item.Domain = name
	item.Content = withDomain(item.Content, name)
	filled, err := readFillUp(ctx, p)
	if err != nil {
		return err
	}
	auction, err := readAuction(ctx, p)
	if err != nil {
		return err
	}
	if auction != nil {
		auction.Item, auction.Domain, auction.LastFillUp = item.Address, name, filled
	}
	p.Facts.DNS = &chain.DNSRecord{
		Item: item.Address, Owner: item.Owner, Domain: name, NextResolver: records.NextResolver, Wallet: records.Wallet,
		SiteADNL: records.SiteADNL, StorageBag: records.StorageBag, Text: records.Text, LastFillUp: filled,
		ExpiresAt: expiry(filled, leaseOf(*item.Collection, p.CodeHash)), LastTxLT: p.State.LastTxLT, Auction: auction,
	}
	return nil
}

// withDomain returns the content of an item with its domain. A user name has a document of metadata beside it, which a domain has not.
func withDomain(c chain.Content, name string) chain.Content {
	with := chain.Content{"domain": name}
	if uri := c["uri"]; uri != "" {
		with["uri"] = uri
	}
	return with
}

// readFillUp reads when the item was last paid for; nil for items without rent, and for times that are none of the chain's.
func readFillUp(ctx context.Context, p *contract.Probe) (*uint32, error) {
	const method = "get_last_fill_up_time"
	if !p.Has(method) {
		return nil, nil //nolint:nilnil // most zones other than .ton take no rent
	}
	r, err := p.Run(ctx, method)
	if err != nil {
		return nil, err
	}
	at := uint32(r.Uint64(32))
	if r.Err() != nil || at == 0 {
		return nil, nil //nolint:nilnil // as above
	}
	return &at, nil
}

// readAuction reads the auction of the item; nil when there is none, or what the item returns can be none: bids are coins, and end at a time of the chain.
func readAuction(ctx context.Context, p *contract.Probe) (*chain.DNSAuction, error) {
	const method, coinsBits = "get_auction_info", 120
	if !p.Has(method) {
		return nil, nil //nolint:nilnil // zones other than .ton auction elsewhere, or not at all
	}
	r, err := p.Run(ctx, method)
	if err != nil {
		return nil, err
	}
	bidder := r.AddressOrNone()
	bid, end := r.Unsigned(coinsBits), uint32(r.Uint64(32))
	if r.Err() != nil || bidder == nil || end == 0 {
		return nil, nil //nolint:nilnil // as above
	}
	return &chain.DNSAuction{Bidder: *bidder, Bid: bid, EndsAt: end}, nil
}

// expiry is the last second of what was paid for.
func expiry(filled *uint32, lease uint32) *uint32 {
	if filled == nil || lease == 0 || *filled > math.MaxUint32-lease {
		return nil
	}
	return new(*filled + lease)
}

// readLabel reads the item's name, without the zone; empty when it has none that can be shown.
func readLabel(ctx context.Context, p *contract.Probe) (string, error) {
	for _, method := range []string{"get_domain", "get_telemint_token_name"} {
		if !p.Has(method) {
			continue
		}
		r, err := p.Run(ctx, method)
		if err != nil {
			return "", err
		}
		label := content.SliceText(r.Slice())
		if r.Err() == nil && validLabel(label) {
			return label, nil
		}
	}
	return "", nil
}

// readRecords reads all records at once, at the name itself: the subdomain is a single zero byte.
func readRecords(ctx context.Context, p *contract.Probe) (Records, error) {
	self := cell.BeginCell().MustStoreUInt(0, 8).ToSlice()
	r, err := p.Run(ctx, "dnsresolve", self, int64(0))
	if err != nil {
		return Records{}, err
	}
	r.Skip(1) // how many bits of the subdomain were resolved
	dict := r.CellOrNull()
	if r.Err() != nil {
		return Records{}, nil //nolint:nilerr // a name whose records cannot be had has none
	}
	return ParseRecords(dict), nil
}
