package jetton

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of TEP-74 and TEP-89.
const (
	OpTransfer             = 0x0f8a7ea5
	OpInternalTransfer     = 0x178d4519
	OpTransferNotification = 0x7362d09c
	OpBurn                 = 0x595f07bc
	OpBurnNotification     = 0x7bdd97de
	OpExcesses             = 0xd53276db
	OpProvideWalletAddress = 0x2c76b973
	OpTakeWalletAddress    = 0xd1735400
	OpMint                 = 0x642b7d07
)

// Transfer is the order a Jetton wallet takes from its owner.
type Transfer struct {
	QueryID        uint64
	Amount         *big.Int
	Destination    *chain.Address // nil is addr_none
	Response       *chain.Address
	CustomPayload  *cell.Cell // nil when absent
	ForwardAmount  *big.Int   // nanotons
	ForwardPayload *cell.Cell // in a reference or in place; an empty cell when there is none
	ForwardInRef   bool
}

// ParseTransfer reads the body of a message to a Jetton wallet.
func ParseTransfer(body *cell.Cell) (*Transfer, error) {
	l := contract.Load(body)
	l.Opcode(OpTransfer)
	t := &Transfer{
		QueryID: l.Uint(64), Amount: l.Coins(), Destination: l.Address(), Response: l.Address(),
		CustomPayload: l.MaybeRef(), ForwardAmount: l.Coins(),
	}
	t.ForwardPayload, t.ForwardInRef = l.Either()
	if err := l.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// Burn is the order to destroy an amount.
type Burn struct {
	QueryID       uint64
	Amount        *big.Int
	Response      *chain.Address
	CustomPayload *cell.Cell
}

// ParseBurn reads the body of a message to a Jetton wallet. Wallets of the first days send no custom payload.
func ParseBurn(body *cell.Cell) (*Burn, error) {
	l := contract.Load(body)
	l.Opcode(OpBurn)
	b := &Burn{QueryID: l.Uint(64), Amount: l.Coins(), Response: l.Address()}
	if l.BitsLeft() > 0 {
		b.CustomPayload = l.MaybeRef()
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	return b, nil
}
