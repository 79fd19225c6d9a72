package nft

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of TEP-62, TEP-66 and TEP-85.
const (
	OpTransfer          = 0x5fcc3d14
	OpOwnershipAssigned = 0x05138d91
	OpExcesses          = 0xd53276db
	OpGetStaticData     = 0x2fcb26a2
	OpReportStaticData  = 0x8b771735
	OpProveOwnership    = 0x04ded148
	OpOwnershipProof    = 0x0524c7ae
	OpRequestOwner      = 0xd0c3bfea
	OpOwnerInfo         = 0x0dd607e3
	OpDestroy           = 0x1f04537a
	OpRevoke            = 0x6f89f5e3
)

// Transfer is the order an item takes from its owner.
type Transfer struct {
	QueryID        uint64
	NewOwner       *chain.Address // nil is addr_none
	Response       *chain.Address
	CustomPayload  *cell.Cell // nil when absent
	ForwardAmount  *big.Int   // nanotons
	ForwardPayload *cell.Cell // in a reference or in place; an empty cell when there is none
	ForwardInRef   bool
	HasPayload     bool // false when the body ends before the bit of the payload, as in orders of the first years
}

// ParseTransfer reads the body of a message to an item.
func ParseTransfer(body *cell.Cell) (*Transfer, error) {
	l := contract.Load(body)
	l.Opcode(OpTransfer)
	t := &Transfer{
		QueryID: l.Uint(64), NewOwner: l.Address(), Response: l.Address(), CustomPayload: l.MaybeRef(),
		ForwardAmount: l.Coins(),
	}
	t.HasPayload = l.BitsLeft() > 0
	t.ForwardPayload, t.ForwardInRef = l.Either()
	if err := l.Err(); err != nil {
		return nil, err
	}
	return t, nil
}
