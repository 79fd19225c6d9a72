package multisig

import (
	"encoding/base64"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

// parsed is a body as v3 shows it.
type parsed struct {
	kind      string
	json      []byte
	addresses []chain.Address
}

// layout reads one kind of body; what it gives is printed as JSON. The loader stands after the opcode.
type layout struct {
	kind string
	read func(b *reading) any
}

// reading is a body while it is read.
type reading struct {
	*contract.Loader
	opcode    uint32
	addresses []chain.Address
}

var layouts = map[uint32]layout{
	0x00000000: {"ton_transfer", readTransfer},
	0x2167da4b: {"ton_transfer", readTransfer},
	0x5fcc3d14: {"nft_transfer", readNFTTransfer},
	0x0f8a7ea5: {"jetton_transfer", readJettonTransfer},
	0x595f07bc: {"jetton_burn", readJettonBurn},
	0x642b7d07: {"jetton_mint", readJettonMint},
	0x00000015: {"jetton_mint", readJettonMint},
	0x00009fd3: {"jetton_top_up", readQueryID},
	0x6501f354: {"jetton_change_admin", readChangeAdmin},
	0xfb88e119: {"jetton_claim_admin", readQueryID},
	0xcb862902: {"jetton_change_content", readChangeContent},
	0x235caf52: {"jetton_call_to", readCallTo},
	0xeed236d3: {"jetton_set_status", readSetStatus},
	0x00001000: {"single_nominator_withdraw", readNominatorWithdraw},
	0x00001001: {"single_nominator_change_validator", readNominatorValidator},
	0x75097f5d: {"vesting_internal_transfer", readVestingTransfer},
}

// parseBody classifies the request in a message. It never fails: other bodies are unknown.
func parseBody(body *cell.Cell) parsed {
	if body.BitsSize() < 32 {
		return parsed{kind: "ton_transfer", json: encode(transfer{})}
	}
	b := &reading{Loader: contract.Load(body)}
	b.opcode = uint32(b.Uint(32))
	l, ok := layouts[b.opcode]
	if !ok {
		return other(b.opcode, body)
	}
	value := l.read(b)
	if b.Err() != nil {
		return other(0, body)
	}
	return parsed{kind: l.kind, json: encode(value), addresses: b.addresses}
}

func other(opcode uint32, body *cell.Cell) parsed {
	type fields struct {
		Opcode uint32  `json:"opcode"`
		Data   *string `json:"data"`
	}
	return parsed{kind: unknown, json: encode(fields{opcode, printCell(body)})}
}

// address takes a MsgAddress and remembers it for the address book.
func (b *reading) address() *chain.Address {
	a := b.Address()
	if a != nil {
		b.addresses = append(b.addresses, *a)
	}
	return a
}

func (b *reading) coins() *string { return printAmount(b.Coins()) }

func printAmount(n *big.Int) *string {
	if n == nil {
		return nil
	}
	s := n.String()
	return &s
}

// printCell is a cell as base64 of a BoC; null for none and for what is too large to show.
func printCell(c *cell.Cell) *string {
	boc, ok := contract.Serialize(c, maxOrderCells)
	if !ok {
		return nil
	}
	s := base64.StdEncoding.EncodeToString(boc)
	return &s
}

// comment reads what follows the opcode of a text comment or of an encrypted one, which is shown in base64.
func comment(l *contract.Loader, opcode uint32) (text string, encrypted bool) {
	rest := l.Rest()
	if opcode == opEncryptedComment {
		return base64.StdEncoding.EncodeToString(content.Snake(rest)), true
	}
	return content.SnakeText(rest), false
}
