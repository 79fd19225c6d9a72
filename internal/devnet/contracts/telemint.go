package contracts

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of telemint.
const (
	OpTelemintDeploy        = 0x4637289a
	OpTeleitemDeploy        = 0x299a3e15
	OpTeleitemStartAuction  = 0x487a8e81
	OpTeleitemCancelAuction = 0x371638ae
	OpTeleitemOk            = 0xa37a0983
	OpOutbidNotification    = 0x557cea20
	OpFillUp                = 0x370fec51
)

const telemintSubwallet = 1

// TelemintCollection is the collection of .t.me: the key's signature allows a name, and the first bid mints it.
//
//	_ public_key:uint256 subwallet:uint32 content:^Cell item_code:^Cell domain:^Cell royalty:^RoyaltyParams = Storage;
func TelemintCollection(key ed25519.PublicKey, content *cell.Cell, royalty Royalty) Contract {
	data := cell.BeginCell().MustStoreSlice(key, 256).MustStoreUInt(telemintSubwallet, 32).MustStoreRef(content).
		MustStoreRef(Code(codeTelemintItem)).MustStoreRef(cell.BeginCell().MustStoreSlice([]byte("me\x00t\x00"), 40).EndCell()).
		MustStoreRef(royaltyParams(royalty)).EndCell()
	return newContract(Basechain, Code(codeTelemintCollection), data)
}

// TelemintItem is the item of a name, minted or not.
//
//	_ index:uint256 collection:MsgAddress state:(Maybe ^NameState) = Storage;
func TelemintItem(collection *address.Address, name string) Contract {
	sum := sha256.Sum256([]byte(name))
	data := addr(cell.BeginCell().MustStoreSlice(sum[:], 256), collection).MustStoreMaybeRef(nil).EndCell()
	return newContract(Basechain, Code(codeTelemintItem), data)
}

// TelemintTerms are the terms of a name's auction. Amounts are nanotons, times seconds.
type TelemintTerms struct {
	Beneficiary             *address.Address
	MinBid, MaxBid          uint64 // MaxBid 0 = none
	MinStep                 uint8  // percent
	MinExtendTime, Duration uint32
}

// Cell serializes the terms.
//
//	_ beneficiary:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8 min_extend_time:uint32
//	  duration:uint32 = TeleitemAuctionConfig;
func (t TelemintTerms) Cell() *cell.Cell {
	b := addr(cell.BeginCell(), t.Beneficiary).MustStoreCoins(t.MinBid).MustStoreCoins(t.MaxBid)
	return b.MustStoreUInt(uint64(t.MinStep), 8).MustStoreUInt(uint64(t.MinExtendTime), 32).
		MustStoreUInt(uint64(t.Duration), 32).EndCell()
}

// TelemintDeploy allows a name for ten minutes from the given time; the value of the message is the first bid.
//
//	telemint_msg_deploy#4637289a sig:bits512 subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:TelemintText
//	  content:^Cell auction_config:^TeleitemAuctionConfig royalty_params:(Maybe ^Cell) = InternalMsgBody;
//	_ len:uint8 text:(bits (len * 8)) = TelemintText;
func TelemintDeploy(key ed25519.PrivateKey, from uint32, name string, content *cell.Cell, terms TelemintTerms) *cell.Cell {
	const life = 600
	order := cell.BeginCell().MustStoreUInt(telemintSubwallet, 32).MustStoreUInt(uint64(from), 32).
		MustStoreUInt(uint64(from+life), 32).MustStoreUInt(uint64(len(name)), 8).MustStoreSlice([]byte(name), uint(len(name))*8).
		MustStoreRef(content).MustStoreRef(terms.Cell()).MustStoreMaybeRef(nil)
	return cell.BeginCell().MustStoreUInt(OpTelemintDeploy, 32).MustStoreSlice(order.EndCell().Sign(key), 512).
		MustStoreBuilder(order).EndCell()
}

// TeleitemStartAuction is the owner's order to auction the name.
//
//	teleitem_start_auction#487a8e81 query_id:uint64 auction_config:^TeleitemAuctionConfig = InternalMsgBody;
func TeleitemStartAuction(queryID uint64, terms TelemintTerms) *cell.Cell {
	return op(OpTeleitemStartAuction, queryID).MustStoreRef(terms.Cell()).EndCell()
}

// TeleitemCancelAuction is the owner's order to end the auction before the first bid.
//
//	teleitem_cancel_auction#371638ae query_id:uint64 = InternalMsgBody;
func TeleitemCancelAuction(queryID uint64) *cell.Cell {
	return op(OpTeleitemCancelAuction, queryID).EndCell()
}

// TelemintName is the state of a minted name.
type TelemintName struct {
	Owner   *address.Address // nil before the first auction's end is settled
	Auction bool
	Bidder  *address.Address // nil without a bid
	MinBid  uint64           // the least next bid
	EndTime uint32
}

type telemintState struct {
	Owner   *address.Address `tlb:"addr"`
	Auction *telemintAuction `tlb:"maybe ^"`
}

type telemintAuction struct {
	Bidder  *address.Address `tlb:"addr"`
	Bid     tlb.Coins        `tlb:"."`
	BidAt   uint32           `tlb:"## 32"`
	MinBid  tlb.Coins        `tlb:"."`
	EndTime uint32           `tlb:"## 32"`
}

// ReadTelemintName reads an item's data; nil while the name is free.
func ReadTelemintName(data *cell.Cell) (*TelemintName, error) {
	state, err := itemState(data)
	if err != nil || state == nil {
		return nil, err
	}
	var s telemintState
	if err := tlb.LoadFromCell(&s, state); err != nil {
		return nil, fmt.Errorf("name data: %w", err)
	}
	n := &TelemintName{Owner: somebody(s.Owner)}
	if a := s.Auction; a != nil {
		n.Auction, n.Bidder, n.MinBid, n.EndTime = true, somebody(a.Bidder), a.MinBid.Nano().Uint64(), a.EndTime
	}
	return n, nil
}

// itemState is the last field of an item named by a hash; nil until the collection's message.
//
//	_ index:uint256 collection:MsgAddress state:(Maybe ^Cell) = Storage;
func itemState(data *cell.Cell) (*cell.Slice, error) {
	s, err := data.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("name data: %w", err)
	}
	if err = s.SkipBits(256); err != nil {
		return nil, fmt.Errorf("name data: index: %w", err)
	}
	if _, err = s.LoadAddr(); err != nil {
		return nil, fmt.Errorf("name data: collection: %w", err)
	}
	return s.LoadMaybeRef()
}
