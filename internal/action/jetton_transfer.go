package action

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

func init() {
	Register(Spec{
		Kind: "jetton_transfer", Phase: 15,
		Match: Call(jetton.OpTransfer).Then(
			Call(jetton.OpInternalTransfer).As("in").Then(Call(jetton.OpTransferNotification).As("note").Maybe()).Every()),
		Build: buildJettonTransfer,
	})
}

// JettonTransferData are the details of a transfer besides its amount.
type JettonTransferData struct {
	QueryID            uint64         `json:"query_id"`
	ResponseDest       *chain.Address `json:"response_destination"`
	ForwardAmount      *big.Int       `json:"forward_amount"`
	CustomPayload      *string        `json:"custom_payload"`
	ForwardPayload     *string        `json:"forward_payload"`
	Comment            *string        `json:"comment"`
	IsEncryptedComment bool           `json:"is_encrypted_comment"`

	ForwardCell *cell.Cell `json:"-"` // the forward payload as it was sent
	Requested   *big.Int   `json:"-"` // the amount in the request; a wallet can transfer less
}

// Column implements [Payload].
func (*JettonTransferData) Column() string { return "jetton_transfer_data" }

// InternalTransfer is the message from one wallet to another, or from a minter to a wallet.
type InternalTransfer struct {
	QueryID       uint64
	Amount        *big.Int
	From          *chain.Address
	ForwardAmount *big.Int
}

// ParseInternalTransfer reads the body of an internal transfer.
func ParseInternalTransfer(b *Block) (InternalTransfer, error) {
	l := b.Body()
	t := InternalTransfer{QueryID: l.Uint(64), Amount: l.Coins(), From: l.Address()}
	l.Address()
	t.ForwardAmount = l.Coins()
	return t, l.Err()
}

func newJettonTransferData(t *jetton.Transfer) *JettonTransferData {
	d := &JettonTransferData{
		QueryID: t.QueryID, ResponseDest: t.Response, ForwardAmount: t.ForwardAmount,
		CustomPayload: EncodeBOC(t.CustomPayload, true), ForwardCell: t.ForwardPayload,
		Requested: t.Amount,
	}
	if t.ForwardPayload != nil && t.ForwardPayload.BitsSize() > 0 { // published rows have no payload that consists of references
		d.ForwardPayload = EncodeBOC(t.ForwardPayload, true)
		d.Comment, d.IsEncryptedComment = payloadComment(t.ForwardPayload)
	}
	return d
}

// IsEmpty reports whether a payload has no content; a nil cell has none.
func IsEmpty(c *cell.Cell) bool { return c == nil || c.BitsSize() == 0 && c.RefsNum() == 0 }

// buildJettonTransfer takes all messages of the wallet to other wallets. Wallets that charge a fee send it with another one than the
// transfer, before it or behind it.
func buildJettonTransfer(c *Context, m *Match) *Result {
	t, err := jetton.ParseTransfer(m.Start.Msg.Body.Cell())
	if err != nil {
		return nil
	}
	in, w := c.receivingWallet(m.All("in"), t.Destination)
	if w == nil {
		return nil
	}
	d := newJettonTransferData(t)
	got, err := ParseInternalTransfer(in)
	if err != nil { // wallets of some Jettons have another message between them
		got.Amount, got.ForwardAmount = t.Amount, t.ForwardAmount
	}
	d.ForwardAmount = got.ForwardAmount
	return &Result{
		Columns: Columns{
			Source: AddressText(m.Start.From()), SourceSecondary: AddressText(m.Start.Account()), Destination: w.Owner.String(),
			DestinationSecondary: AddressText(in.Account()), Asset: w.Jetton.String(), Amount: got.Amount, Payloads: []Payload{d},
		},
		Failed: m.Start.Aborted() || in.Aborted(),
	}
}

// receivingWallet returns the message to the wallet of an account, and the record of that wallet; those of the first message if none is to
// a wallet of the account. The record may be nil.
func (c *Context) receivingWallet(all []*Block, owner *chain.Address) (*Block, *JettonWallet) {
	for _, in := range all {
		if w := c.JettonWallet(in); w != nil && SameAddress(&w.Owner, owner) {
			return in, w
		}
	}
	return all[0], c.JettonWallet(all[0])
}

// JettonTransferOf returns the payload of a Jetton transfer; nil for other blocks.
func JettonTransferOf(b *Block) *JettonTransferData {
	if b == nil || len(b.Columns.Payloads) == 0 {
		return nil
	}
	d, _ := b.Columns.Payloads[0].(*JettonTransferData)
	return d
}
