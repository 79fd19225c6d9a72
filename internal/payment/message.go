package payment

import (
	"crypto/rand"
	"encoding/binary"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Opcodes of payloads with references.
const (
	opComment          = 0
	opInvoice          = 0x7aa23eb5
	opEncryptedComment = 0x2167da4b
)

// binaryComment is the first byte of a comment that is not text.
const binaryComment = 0xff

const (
	// jettonFees is the value of a Jetton transfer message in nanotons; the Jetton wallets return the excess.
	jettonFees = 100_000_000
	// forwardAmount is sent on to the recipient, so that the recipient's Jetton wallet notifies at all.
	forwardAmount = 1
	// drawnQueryID marks query ids that were drawn here: no wallet comes to use such a number by counting.
	drawnQueryID = 1 << 63
)

// Message is the message that the payer's wallet has to send.
type Message struct {
	Address chain.Address
	Amount  *big.Int // nanotons
	Body    *cell.Cell
}

// Prepare completes a transfer whose Asset, Amount, Sender, Recipient, Wallets and comments are set. It sets Reference,
// BodyHash and, for Jettons, a missing QueryID, and returns the message.
func Prepare(t *Transfer) (*Message, error) {
	t.Reference = NewReference()
	text := t.Reference
	if t.CommentToRecipient != "" {
		text = t.CommentToRecipient + "\n" + t.Reference
	}
	comment, err := commentCell(text)
	if err != nil {
		return nil, err
	}
	m := &Message{Address: t.Recipient, Amount: t.Amount, Body: comment}
	if t.Wallets != nil {
		if t.QueryID == 0 {
			t.QueryID = drawQueryID()
		}
		m.Address, m.Amount = t.Wallets.Sender, big.NewInt(jettonFees)
		if m.Body, err = transferCell(t, comment); err != nil {
			return nil, err
		}
	}
	t.BodyHash = chain.Hash(m.Body.HashKey())
	return m, nil
}

func drawQueryID() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint64(b[:]) | drawnQueryID
}

// commentCell returns a text comment: opcode 0, then UTF-8 in snake format.
func commentCell(text string) (*cell.Cell, error) {
	b := cell.BeginCell()
	if err := b.StoreUInt(opComment, 32); err != nil {
		return nil, err
	}
	if err := b.StoreStringSnake(text); err != nil {
		return nil, chain.Invalidf("the comment does not fit a message")
	}
	return b.EndCell(), nil
}

// transferCell returns the transfer message to the sender's Jetton wallet; package jetton has its layout.
func transferCell(t *Transfer, payload *cell.Cell) (*cell.Cell, error) {
	b := cell.BeginCell()
	for _, err := range []error{
		b.StoreUInt(jetton.OpTransfer, 32), b.StoreUInt(t.QueryID, 64), b.StoreBigCoins(t.Amount),
		b.StoreAddr(wire(t.Recipient)), b.StoreAddr(wire(t.Sender)), b.StoreMaybeRef(nil),
		b.StoreBigCoins(big.NewInt(forwardAmount)), b.StoreBoolBit(true), b.StoreRef(payload),
	} {
		if err != nil {
			return nil, chain.Invalidf("the transfer does not fit a message: %v", err)
		}
	}
	return b.EndCell(), nil
}

func wire(a chain.Address) *address.Address { return address.NewAddress(0, byte(a.Workchain), a.ID[:]) }
