package details

import "tonql/internal/chain"

var dnsKinds = []Details{&ChangeDNS{}, &DeleteDNS{}, &RenewDNS{}, &DNSPurchase{}, &DNSRelease{}}

// ChangeDNS is a change of a DNS record of a domain.
type ChangeDNS struct {
	Key           *string        `json:"key" from:"change_dns_record_data."`
	Value         DNSValue       `json:"value" from:"-"`
	Source        *chain.Address `json:"source"`
	Asset         *chain.Address `json:"asset" from:"destination"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
}

// DNSValue is the value of a DNS record; sumType names the field that is set. Text records are in dnsStorageAddress.
type DNSValue struct {
	SumType                *string `json:"sum_type"`
	DNSSmcAddress          *string `json:"dns_smc_address"`
	DNSAdnlAddress         *string `json:"dns_adnl_address"`
	DNSText                *string `json:"dns_text"`
	DNSNextResolverAddress *string `json:"dns_next_resolver_address"`
	DNSStorageAddress      *string `json:"dns_storage_address"`
	Flags                  *int32  `json:"flags"`
}

// Kind implements [Details].
func (*ChangeDNS) Kind() string { return "change_dns" }

func (c *ChangeDNS) complete(r *row) {
	var record struct {
		Schema *string `json:"value_schema"`
		Value  *string `json:"value"`
		Flags  *int32  `json:"flags"`
	}
	r.into(&record, "change_dns_record_data")
	v := &c.Value
	v.SumType = record.Schema
	if record.Schema == nil {
		return
	}
	switch *record.Schema {
	case "DNSNextResolver":
		v.DNSNextResolverAddress = record.Value
	case "DNSAdnlAddress":
		v.DNSAdnlAddress, v.Flags = record.Value, record.Flags
	case "DNSSmcAddress":
		v.DNSSmcAddress, v.Flags = record.Value, record.Flags
	case "DNSStorageAddress", "DNSText":
		v.DNSStorageAddress = record.Value
	}
}

// DeleteDNS is the removal of a DNS record of a domain.
type DeleteDNS struct {
	Hash          *string        `json:"hash" from:"change_dns_record_data.key"`
	Source        *chain.Address `json:"source"`
	Asset         *chain.Address `json:"asset" from:"destination"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
}

// Kind implements [Details].
func (*DeleteDNS) Kind() string { return "delete_dns" }

// RenewDNS is the renewal of a domain for another year.
type RenewDNS struct {
	Source        *chain.Address `json:"source"`
	Asset         *chain.Address `json:"asset" from:"destination"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
}

// Kind implements [Details].
func (*RenewDNS) Kind() string { return "renew_dns" }

// DNSPurchase is the transfer of a domain to the winner of its auction.
type DNSPurchase struct {
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
	NFTItem       *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTItemIndex  *Number        `json:"nft_item_index" from:"nft_transfer_data."`
	NewOwner      *chain.Address `json:"new_owner" from:"destination"`
	Price         *Number        `json:"price" from:"nft_transfer_data."`
	QueryID       *Number        `json:"query_id" from:"nft_transfer_data."`
	PayoutAmount  *Number        `json:"payout_amount" from:"nft_transfer_data."`
}

// Kind implements [Details].
func (*DNSPurchase) Kind() string { return "dns_purchase" }

// DNSRelease is the start of an auction of a domain that was not renewed.
type DNSRelease struct {
	QueryID       *Number        `json:"query_id" from:"nft_transfer_data."`
	Source        *chain.Address `json:"source"`
	NFTItem       *chain.Address `json:"nft_item" from:"destination"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
	NFTItemIndex  *Number        `json:"nft_item_index" from:"nft_transfer_data."`
	Value         *Number        `json:"value"`
}

// Kind implements [Details].
func (*DNSRelease) Kind() string { return "dns_release" }
