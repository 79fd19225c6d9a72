package contracts

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of TEP-85.
const (
	OpSBTProveOwnership = 0x04ded148
	OpSBTOwnershipProof = 0x0524c7ae
	OpSBTProofBounced   = 0xc18e86d2
	OpSBTRequestOwner   = 0xd0c3bfea
	OpSBTOwnerInfo      = 0x0dd607e3
	OpSBTDestroy        = 0x1f04537a
	OpSBTRevoke         = 0x6f89f5e3
)

// SBTMint is the collection owner's order to deploy a soul-bound item. A nil authority can never revoke it.
//
//	mint#00000001 query_id:uint64 index:uint64 amount:Coins
//	  item:^[ owner:MsgAddress content:^Cell authority:MsgAddress ] = InternalMsgBody;
func SBTMint(queryID, index, value uint64, owner, authority *address.Address, text string) *cell.Cell {
	item := addr(cell.BeginCell(), owner).MustStoreRef(itemContent(text))
	return mintItem(queryID, index, value, addr(item, authority).EndCell())
}

// SBTProveOwnership is the owner's order to send destination a proof of the ownership.
//
//	prove_ownership#04ded148 query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool = InternalMsgBody;
//	ownership_proof#0524c7ae query_id:uint64 item_id:uint256 owner:MsgAddress data:^Cell revoked_at:uint64
//	  content:(Maybe ^Cell) = InternalMsgBody;
func SBTProveOwnership(queryID uint64, destination *address.Address, forward *cell.Cell, withContent bool) *cell.Cell {
	return sbtProof(OpSBTProveOwnership, queryID, destination, forward, withContent)
}

// SBTRequestOwner is the order of any account to send destination the owner and the sender of this order.
//
//	request_owner#d0c3bfea query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool = InternalMsgBody;
//	owner_info#0dd607e3 query_id:uint64 item_id:uint256 initiator:MsgAddress owner:MsgAddress data:^Cell revoked_at:uint64
//	  content:(Maybe ^Cell) = InternalMsgBody;
func SBTRequestOwner(queryID uint64, destination *address.Address, forward *cell.Cell, withContent bool) *cell.Cell {
	return sbtProof(OpSBTRequestOwner, queryID, destination, forward, withContent)
}

func sbtProof(code uint32, queryID uint64, destination *address.Address, forward *cell.Cell, withContent bool) *cell.Cell {
	if forward == nil {
		forward = cell.BeginCell().EndCell()
	}
	return addr(op(code, queryID), destination).MustStoreRef(forward).MustStoreBoolBit(withContent).EndCell()
}

// SBTDestroy is the owner's order to destroy the item; its balance goes to the owner.
//
//	destroy#1f04537a query_id:uint64 = InternalMsgBody;
func SBTDestroy(queryID uint64) *cell.Cell { return op(OpSBTDestroy, queryID).EndCell() }

// SBTRevoke is the authority's order to revoke the item. It works once.
//
//	revoke#6f89f5e3 query_id:uint64 = InternalMsgBody;
func SBTRevoke(queryID uint64) *cell.Cell { return op(OpSBTRevoke, queryID).EndCell() }
