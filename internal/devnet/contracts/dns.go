package contracts

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of the DNS contracts; the record and content ones are those of TEP-81's reference item.
const (
	OpDNSChangeRecord   = 0x4eb1f0f9
	OpDNSEditContent    = 0x1a0b9d51
	OpDNSBalanceRelease = 0x4ed14b65
	OpDNSSetDomain      = 0x646e7301
)

// Times of names on the local network, in seconds of chain time.
const (
	DNSAuctionTime = 12
	DNSLease       = 12 // afterwards any account may auction the name again
)

// DNSRoot is the root resolver on the masterchain, with one resolver for each top-level domain.
//
//	_ owner:MsgAddress domains:(HashmapE 256 MsgAddressInt) = Storage;
func DNSRoot(owner *address.Address, domains map[string]*address.Address) Contract {
	return newContract(Masterchain, Code(codeDNSRoot), resolverData(owner, domains))
}

func resolverData(owner *address.Address, labels map[string]*address.Address) *cell.Cell {
	dict := cell.NewDict(256)
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		if err := dict.Set(nameKey(label), addr(cell.BeginCell(), labels[label]).EndCell()); err != nil {
			panic(err) //nolint:forbidigo // the key is always 256 bits
		}
	}
	return addr(cell.BeginCell(), owner).MustStoreDict(dict).EndCell()
}

// DNSSetDomain is the root owner's order to set a top-level domain's resolver; nil removes it.
//
//	set_domain#646e7301 query_id:uint64 label_hash:uint256 resolver:MsgAddress = InternalMsgBody;
func DNSSetDomain(queryID uint64, label string, resolver *address.Address) *cell.Cell {
	sum := sha256.Sum256([]byte(label))
	return addr(op(OpDNSSetDomain, queryID).MustStoreSlice(sum[:], 256), resolver).EndCell()
}

// DNSTopLevel resolves the names below one top-level domain that is none of the root's own: the root's code in the
// basechain, with one resolver for each label.
func DNSTopLevel(owner *address.Address, labels map[string]*address.Address) Contract {
	return newContract(Basechain, Code(codeDNSRoot), resolverData(owner, labels))
}

// DNSCollection is the contract of one top-level domain. A text comment with the name and at least 0.1 TON registers a
// name; for a short one it is a bid of at least 1 TON: see [DNSRegister].
//
//	_ content:^Cell item_code:^Cell = Storage;
func DNSCollection(content *cell.Cell) Contract {
	data := cell.BeginCell().MustStoreRef(content).MustStoreRef(Code(codeDNSItem)).EndCell()
	return newContract(Basechain, Code(codeDNSCollection), data)
}

// DNSRegister registers a free name for the sender: a text comment with the name, in one cell.
func DNSRegister(label string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte(label), uint(len(label))*8).EndCell()
}

// DNSItem is the item of a name, registered or not.
//
//	_ index:uint256 collection:MsgAddress state:(Maybe ^DomainState) = Storage;
func DNSItem(collection *address.Address, label string) Contract {
	sum := sha256.Sum256([]byte(label))
	data := addr(cell.BeginCell().MustStoreSlice(sum[:], 256), collection).MustStoreMaybeRef(nil).EndCell()
	return newContract(Basechain, Code(codeDNSItem), data)
}

// DNSChangeRecord is the owner's order to set one record; a nil record removes it. The category is the plain
// name, for instance wallet or site.
//
//	change_dns_record#4eb1f0f9 query_id:uint64 category:uint256 record:^DNSRecord = InternalMsgBody;
//	change_dns_record#4eb1f0f9 query_id:uint64 category:uint256 = InternalMsgBody;
func DNSChangeRecord(queryID uint64, category string, record *cell.Cell) *cell.Cell {
	sum := sha256.Sum256([]byte(category))
	b := op(OpDNSChangeRecord, queryID).MustStoreSlice(sum[:], 256)
	if record != nil {
		b = b.MustStoreRef(record)
	}
	return b.EndCell()
}

// WalletRecord names a smart contract, under the category wallet.
//
//	dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } = DNSRecord;
func WalletRecord(wallet *address.Address) *cell.Cell {
	return addr(cell.BeginCell().MustStoreUInt(0x9fd3, 16), wallet).MustStoreUInt(0, 8).EndCell()
}

// SiteRecord names an ADNL address, under the category site.
//
//	dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } = DNSRecord;
func SiteRecord(adnl [32]byte) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0xad01, 16).MustStoreSlice(adnl[:], 256).MustStoreUInt(0, 8).EndCell()
}

// StorageRecord names a bag of files, under the category storage.
//
//	dns_storage_address#7473 bag_id:bits256 = DNSRecord;
func StorageRecord(bag [32]byte) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0x7473, 16).MustStoreSlice(bag[:], 256).EndCell()
}

// TextRecord is a text of at most 255 chunks; this one fits into a single chunk of up to 120 bytes.
//
//	dns_text#1eda _:Text = DNSRecord;
//	text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
//	text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
func TextRecord(text string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0x1eda, 16).MustStoreUInt(1, 8).
		MustStoreUInt(uint64(len(text)), 8).MustStoreSlice([]byte(text), uint(len(text))*8).EndCell()
}

// NextResolverRecord delegates the names below to another resolver, under the category dns_next_resolver.
//
//	dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
func NextResolverRecord(resolver *address.Address) *cell.Cell {
	return addr(cell.BeginCell().MustStoreUInt(0xba93, 16), resolver).EndCell()
}

// DNSEditContent is the owner's order to replace all content: 0x00 and the dictionary of records.
//
//	edit_content#1a0b9d51 query_id:uint64 content:^Cell = InternalMsgBody;
func DNSEditContent(queryID uint64, content *cell.Cell) *cell.Cell {
	return op(OpDNSEditContent, queryID).MustStoreRef(content).EndCell()
}

// DNSBalanceRelease auctions a name with an expired lease again; the value is the first bid.
//
//	dns_balance_release#4ed14b65 query_id:uint64 = InternalMsgBody;
func DNSBalanceRelease(queryID uint64) *cell.Cell { return op(OpDNSBalanceRelease, queryID).EndCell() }

// DNSRenew is the owner's order to renew the lease and nothing else: a change of the record with the zero key.
//
//	change_dns_record#4eb1f0f9 query_id:uint64 category:uint256 = InternalMsgBody;
func DNSRenew(queryID uint64) *cell.Cell {
	return op(OpDNSChangeRecord, queryID).MustStoreSlice(make([]byte, 32), 256).EndCell()
}

// DNSName is the state of a registered name.
type DNSName struct {
	Owner      *address.Address // nil during the first auction
	LastFillUp uint64           // unix time: the lease counts from here
	Bidder     *address.Address // nil without an auction
	Bid        uint64           // nanotons
	EndTime    uint64           // of the auction
}

// _ owner:MsgAddress content:^Cell domain:^Cell last_fill_up_time:uint64 auction:(Maybe ^DomainAuction) = DomainState;
// _ bidder:MsgAddress bid:Coins end_time:uint64 = DomainAuction;
type domainState struct {
	Owner      *address.Address `tlb:"addr"`
	Content    *cell.Cell       `tlb:"^"`
	Domain     *cell.Cell       `tlb:"^"`
	LastFillUp uint64           `tlb:"## 64"`
	Auction    *domainAuction   `tlb:"maybe ^"`
}

type domainAuction struct {
	Bidder  *address.Address `tlb:"addr"`
	Bid     tlb.Coins        `tlb:"."`
	EndTime uint64           `tlb:"## 64"`
}

// ReadDNSName reads a domain's data; nil while the name is free.
func ReadDNSName(data *cell.Cell) (*DNSName, error) {
	state, err := itemState(data)
	if err != nil || state == nil {
		return nil, err
	}
	var s domainState
	if err := tlb.LoadFromCell(&s, state); err != nil {
		return nil, fmt.Errorf("domain data: %w", err)
	}
	n := &DNSName{Owner: somebody(s.Owner), LastFillUp: s.LastFillUp}
	if a := s.Auction; a != nil {
		n.Bidder, n.Bid, n.EndTime = a.Bidder, a.Bid.Nano().Uint64(), a.EndTime
	}
	return n, nil
}

// DNSOwner reads a domain's owner from its data; nil while the name is free or in its first auction.
func DNSOwner(data *cell.Cell) (*address.Address, error) {
	n, err := ReadDNSName(data)
	if err != nil || n == nil {
		return nil, err
	}
	return n.Owner, nil
}
