package contracts

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of TEP-62 and TEP-66, and the two commands of the collection's owner.
const (
	OpNFTTransfer         = 0x5fcc3d14
	OpNFTOwnershipAssign  = 0x05138d91
	OpNFTGetStaticData    = 0x2fcb26a2
	OpNFTReportStaticData = 0x8b771735
	OpGetRoyaltyParams    = 0x693d3950
	OpReportRoyaltyParams = 0xa8cb00ad
	OpNFTMint             = 1
	OpNFTChangeOwner      = 3
)

// Royalty is the share of a sale due to the author: numerator / denominator (TEP-66).
type Royalty struct {
	Numerator, Denominator uint16
	Destination            *address.Address
}

// NFTCollection is a collection of items of the given code: [NFTItemCode] or [SBTItemCode].
//
//	_ owner:MsgAddress next_index:uint64 content:^[ collection:^Cell common:^Cell ] item_code:^Cell royalty:^RoyaltyParams = Storage;
//	_ numerator:uint16 denominator:uint16 destination:MsgAddress = RoyaltyParams;
func NFTCollection(owner *address.Address, content *cell.Cell, commonURI string, itemCode *cell.Cell, royalty Royalty) Contract {
	both := cell.BeginCell().MustStoreRef(content).MustStoreRef(itemContent(commonURI)).EndCell()
	data := addr(cell.BeginCell(), owner).MustStoreUInt(0, 64).
		MustStoreRef(both).MustStoreRef(itemCode).MustStoreRef(royaltyParams(royalty)).EndCell()
	return newContract(Basechain, Code(codeNFTCollection), data)
}

func royaltyParams(r Royalty) *cell.Cell {
	share := cell.BeginCell().MustStoreUInt(uint64(r.Numerator), 16).MustStoreUInt(uint64(r.Denominator), 16)
	return addr(share, r.Destination).EndCell()
}

// NFTItemCode and SBTItemCode are the codes of the two kinds of items.
func NFTItemCode() *cell.Cell { return Code(codeNFTItem) }

// SBTItemCode is the code of soul-bound items.
func SBTItemCode() *cell.Cell { return Code(codeSBTItem) }

// NFTItem is an item of a numbered collection before its owner is known.
//
//	_ index:uint64 collection:MsgAddress = Storage;
func NFTItem(collection *address.Address, index uint64, itemCode *cell.Cell) Contract {
	data := addr(cell.BeginCell().MustStoreUInt(index, 64), collection).EndCell()
	return newContract(Basechain, itemCode, data)
}

// NextItemIndex reads from a collection's data how many items were minted.
func NextItemIndex(data *cell.Cell) (uint64, error) {
	s, err := data.BeginParse()
	if err != nil {
		return 0, fmt.Errorf("nft collection data: %w", err)
	}
	if _, err = s.LoadAddr(); err != nil {
		return 0, fmt.Errorf("nft collection data: owner: %w", err)
	}
	next, err := s.LoadUInt(64)
	if err != nil {
		return 0, fmt.Errorf("nft collection data: next index: %w", err)
	}
	return next, nil
}

// NFTOwner reads an item's owner from its data: nil before the collection's message, or after an SBT was destroyed.
func NFTOwner(data *cell.Cell) (*address.Address, error) {
	s, err := data.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("nft item data: %w", err)
	}
	if _, err = s.LoadUInt(64); err != nil {
		return nil, fmt.Errorf("nft item data: index: %w", err)
	}
	if _, err = s.LoadAddr(); err != nil {
		return nil, fmt.Errorf("nft item data: collection: %w", err)
	}
	if s.BitsLeft() == 0 {
		return nil, nil
	}
	owner, err := s.LoadAddr()
	if err != nil {
		return nil, fmt.Errorf("nft item data: owner: %w", err)
	}
	if owner.IsAddrNone() {
		return nil, nil
	}
	return owner, nil
}

// NFTMint is the collection owner's order to deploy the next item, or again one of the earlier ones.
//
//	mint#00000001 query_id:uint64 index:uint64 amount:Coins item:^[ owner:MsgAddress content:^Cell ] = InternalMsgBody;
func NFTMint(queryID, index, value uint64, owner *address.Address, text string) *cell.Cell {
	item := addr(cell.BeginCell(), owner).MustStoreRef(itemContent(text)).EndCell()
	return mintItem(queryID, index, value, item)
}

func mintItem(queryID, index, value uint64, item *cell.Cell) *cell.Cell {
	return op(OpNFTMint, queryID).MustStoreUInt(index, 64).MustStoreCoins(value).MustStoreRef(item).EndCell()
}

// NFTTransfer is the order an item takes from its owner.
type NFTTransfer struct {
	QueryID        uint64
	NewOwner       *address.Address
	Response       *address.Address // receives the excesses; nil = none
	CustomPayload  *cell.Cell
	ForwardValue   uint64 // nanotons sent on with ownership_assigned; 0 = no message
	ForwardPayload *cell.Cell
}

// Body serializes the order.
//
//	transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
//	  forward_amount:Coins forward_payload:(Either Cell ^Cell) = InternalMsgBody;
func (t NFTTransfer) Body() *cell.Cell {
	b := addr(addr(op(OpNFTTransfer, t.QueryID), t.NewOwner), t.Response)
	b = b.MustStoreMaybeRef(t.CustomPayload).MustStoreCoins(t.ForwardValue)
	return payload(b, t.ForwardPayload).EndCell()
}

// NFTGetStaticData requests the index and the collection of an item.
//
//	get_static_data#2fcb26a2 query_id:uint64 = InternalMsgBody;
//	report_static_data#8b771735 query_id:uint64 index:uint256 collection:MsgAddress = InternalMsgBody;
func NFTGetStaticData(queryID uint64) *cell.Cell { return op(OpNFTGetStaticData, queryID).EndCell() }

// GetRoyaltyParams requests the royalty of a collection.
//
//	get_royalty_params#693d3950 query_id:uint64 = InternalMsgBody;
//	report_royalty_params#a8cb00ad query_id:uint64 numerator:uint16 denominator:uint16 destination:MsgAddress = InternalMsgBody;
func GetRoyaltyParams(queryID uint64) *cell.Cell { return op(OpGetRoyaltyParams, queryID).EndCell() }

// NFTChangeOwner hands a collection over.
//
//	change_owner#00000003 query_id:uint64 new_owner:MsgAddress = InternalMsgBody;
func NFTChangeOwner(queryID uint64, owner *address.Address) *cell.Cell {
	return addr(op(OpNFTChangeOwner, queryID), owner).EndCell()
}
