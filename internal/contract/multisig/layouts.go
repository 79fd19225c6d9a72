package multisig

import (
	"math/big"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

// Opcodes inside bodies.
const (
	opComment          = 0x00000000
	opEncryptedComment = 0x2167da4b
	opInternalTransfer = 0x178d4519
	opStonfiSwap       = 0x25938561
	opJettonTransfer   = 0x0f8a7ea5
	opJettonBurn       = 0x595f07bc
	opJettonSetStatus  = 0xeed236d3
)

type transfer struct {
	Comment   string `json:"comment"`
	Encrypted bool   `json:"encrypted"`
}

func readTransfer(b *reading) any {
	var t transfer
	t.Comment, t.Encrypted = comment(b.Loader, b.opcode)
	return t
}

// readQueryID reads bodies that hold nothing else.
func readQueryID(b *reading) any {
	return struct {
		QueryID uint64 `json:"query_id"`
	}{b.Uint(64)}
}

type nftTransfer struct {
	QueryID             uint64         `json:"query_id"`
	NewOwner            *chain.Address `json:"new_owner"`
	ResponseDestination *chain.Address `json:"response_destination"`
	CustomPayload       *string        `json:"custom_payload"`
	ForwardAmount       *string        `json:"forward_amount"`
	ForwardPayload      *string        `json:"forward_payload"`
}

func readNFTTransfer(b *reading) any {
	t := nftTransfer{
		QueryID: b.Uint(64), NewOwner: b.address(), ResponseDestination: b.address(),
		CustomPayload: printCell(b.MaybeRef()), ForwardAmount: b.coins(),
	}
	payload, _ := b.Either()
	t.ForwardPayload = printCell(filled(payload))
	return t
}

// filled makes an empty cell none.
func filled(c *cell.Cell) *cell.Cell {
	if c == nil || c.BitsSize() == 0 && c.RefsNum() == 0 {
		return nil
	}
	return c
}

type jettonTransfer struct {
	QueryID          uint64         `json:"query_id"`
	Amount           *string        `json:"amount"`
	Destination      *chain.Address `json:"destination"`
	Response         *chain.Address `json:"response"`
	CustomPayload    *string        `json:"custom_payload"`
	ForwardAmount    *string        `json:"forward_amount"`
	Comment          string         `json:"comment"`
	EncryptedComment bool           `json:"encrypted_comment"`
	ForwardPayload   *string        `json:"forward_payload"`
	PayloadSumType   string         `json:"payload_sum_type"`
	StonfiSwapBody   *stonfiSwap    `json:"stonfi_swap_body"`
}

type stonfiSwap struct {
	JettonWallet *chain.Address `json:"jetton_wallet"`
	MinAmount    string         `json:"min_amount"`
	UserAddress  *chain.Address `json:"user_address"`
}

func readJettonTransfer(b *reading) any {
	t := jettonTransfer{
		QueryID: b.Uint(64), Amount: b.coins(), Destination: b.address(), Response: b.address(),
		CustomPayload: printCell(b.MaybeRef()), ForwardAmount: b.coins(),
	}
	payload, _ := b.Either()
	if payload = filled(payload); payload == nil || b.Err() != nil {
		return t
	}
	t.ForwardPayload, t.PayloadSumType = printCell(payload), "Unknown"
	l := contract.Load(payload)
	switch op := uint32(l.Uint(32)); {
	case l.Err() != nil:
	case op == opComment:
		t.PayloadSumType = "TextComment"
		t.Comment, _ = comment(l, op)
	case op == opEncryptedComment:
		t.PayloadSumType = "EncryptedTextComment"
		t.Comment, t.EncryptedComment = comment(l, op)
	case op == opStonfiSwap:
		swap := stonfiSwap{JettonWallet: l.Address(), MinAmount: decimal(l.Coins()), UserAddress: l.Address()}
		if l.Err() == nil {
			t.PayloadSumType, t.StonfiSwapBody = "StonfiSwap", &swap
		}
	}
	return t
}

// decimal prints nanotons as TON: 1500000000 is 1.5.
func decimal(nano *big.Int) string {
	coins, rest := new(big.Int).QuoRem(nano, big.NewInt(1_000_000_000), new(big.Int))
	if rest.Sign() == 0 {
		return coins.String()
	}
	digits := rest.String()
	digits = strings.Repeat("0", 9-len(digits)) + digits
	return coins.String() + "." + strings.TrimRight(digits, "0")
}

func readJettonBurn(b *reading) any {
	return struct {
		QueryID             uint64         `json:"query_id"`
		Amount              *string        `json:"amount"`
		ResponseDestination *chain.Address `json:"response_destination"`
	}{b.Uint(64), b.coins(), b.address()}
}

func readJettonMint(b *reading) any {
	type mint struct {
		Opcode          uint32         `json:"opcode"`
		QueryID         uint64         `json:"query_id"`
		ToAddress       *chain.Address `json:"to_address"`
		TonAmount       *string        `json:"ton_amount"`
		MasterQueryID   uint64         `json:"master_msg_query_id"`
		MasterJettonAmt *string        `json:"master_msg_jetton_amount"`
	}
	m := mint{Opcode: b.opcode, QueryID: b.Uint(64), ToAddress: b.address(), TonAmount: b.coins()}
	l := contract.Load(b.Ref())
	l.Opcode(opInternalTransfer)
	m.MasterQueryID, m.MasterJettonAmt = l.Uint(64), printAmount(l.Coins())
	if l.Err() != nil {
		b.Failf("a message of the master that is not one")
	}
	return m
}

func readChangeAdmin(b *reading) any {
	return struct {
		QueryID         uint64         `json:"query_id"`
		NewAdminAddress *chain.Address `json:"new_admin_address"`
	}{b.Uint(64), b.address()}
}

func readChangeContent(b *reading) any {
	return struct {
		QueryID        uint64 `json:"query_id"`
		NewMetadataURL string `json:"new_metadata_url"`
	}{b.Uint(64), content.SnakeText(b.Rest())}
}

func readCallTo(b *reading) any {
	type call struct {
		QueryID    uint64         `json:"query_id"`
		ToAddress  *chain.Address `json:"to_address"`
		TonAmount  *string        `json:"ton_amount"`
		ActionType string         `json:"action_type"`
		ActionData *string        `json:"action_data"`
	}
	c := call{QueryID: b.Uint(64), ToAddress: b.address(), TonAmount: b.coins()}
	action := b.Ref()
	l := contract.Load(action)
	c.ActionData, c.ActionType = printCell(action), "Unknown"
	switch op := l.Uint(32); {
	case l.Err() != nil:
		c.ActionType = ""
	case op == opJettonSetStatus:
		c.ActionType = "JettonSetStatus"
	case op == opJettonTransfer:
		c.ActionType = "JettonTransfer"
	case op == opJettonBurn:
		c.ActionType = "JettonBurn"
	}
	return c
}

func readSetStatus(b *reading) any {
	return struct {
		QueryID   uint64 `json:"query_id"`
		NewStatus uint64 `json:"new_status"`
	}{b.Uint(64), b.Uint(4)}
}

func readNominatorWithdraw(b *reading) any {
	return struct {
		QueryID uint64  `json:"query_id"`
		Coins   *string `json:"coins"`
	}{b.Uint(64), b.coins()}
}

func readNominatorValidator(b *reading) any {
	return struct {
		QueryID          uint64         `json:"query_id"`
		ValidatorAddress *chain.Address `json:"validator_address"`
	}{b.Uint(64), b.address()}
}

func readVestingTransfer(b *reading) any {
	type inner struct {
		QueryID     uint64         `json:"query_id"`
		SendMode    uint64         `json:"send_mode"`
		Destination *chain.Address `json:"destination"`
		Value       *string        `json:"value"`
		MessageBody *string        `json:"message_body"`
		Comment     string         `json:"comment"`
	}
	v := inner{QueryID: b.Uint(64), SendMode: b.Uint(8)}
	msg, err := contract.ParseRelaxed(b.Ref())
	if err != nil {
		b.Failf("a message that cannot be read")
		return v
	}
	b.addresses = append(b.addresses, msg.Destination)
	v.Destination, v.Value, v.MessageBody = &msg.Destination, printAmount(msg.Value), printCell(msg.Body)
	l := contract.Load(msg.Body)
	if op := uint32(l.Uint(32)); l.Err() == nil && op == opComment {
		v.Comment, _ = comment(l, op)
	}
	return v
}
