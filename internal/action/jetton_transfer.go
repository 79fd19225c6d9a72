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
			Call(jetton.OpInternalTransfer).As("in").Then(Call(jetton.OpTransferNotification).As("note").Maybe())),
		Build: buildJettonTransfer,
	})
}

// JettonTransferData is what a transfer carries beside its amount.
type JettonTransferData struct {
	QueryID            uint64         `json:"query_id"`
	ResponseDest       *chain.Address `json:"response_destination"`
	ForwardAmount      *big.Int       `json:"forward_amount"`
	CustomPayload      *string        `json:"custom_payload"`
	ForwardPayload     *string        `json:"forward_payload"`
	Comment            *string        `json:"comment"`
	IsEncryptedComment bool           `json:"is_encrypted_comment"`

	payload *cell.Cell
}

// Column names the composite column.
func (*JettonTransferData) Column() string { return "jetton_transfer_data" }

// internalTransfer is what one wallet tells the other, and a minter the first wallet.
type internalTransfer struct {
	query         uint64
	amount        *big.Int
	from          *chain.Address
	forwardAmount *big.Int
}

func parseInternalTransfer(b *Block) (internalTransfer, error) {
	l := b.body()
	t := internalTransfer{query: l.Uint(64), amount: l.Coins(), from: l.Address()}
	l.Address()
	t.forwardAmount = l.Coins()
	return t, l.Err()
}

func newJettonTransferData(t *jetton.Transfer) *JettonTransferData {
	d := &JettonTransferData{
		QueryID: t.QueryID, ResponseDest: t.Response, ForwardAmount: t.ForwardAmount,
		CustomPayload: boc(t.CustomPayload, true), payload: t.ForwardPayload,
	}
	if !empty(t.ForwardPayload) {
		d.ForwardPayload = boc(t.ForwardPayload, true)
		d.Comment, d.IsEncryptedComment = comment(t.ForwardPayload)
	}
	return d
}

func empty(c *cell.Cell) bool { return c == nil || c.BitsSize() == 0 && c.RefsNum() == 0 }

func buildJettonTransfer(c *Context, m *Match) *Result {
	in := m.Get("in")
	w := c.wallet(in)
	t, err := jetton.ParseTransfer(m.Start.Msg.Body)
	if w == nil || err != nil {
		return nil
	}
	got, err := parseInternalTransfer(in)
	if err != nil {
		return nil
	}
	d := newJettonTransferData(t)
	d.ForwardAmount = got.forwardAmount
	return &Result{
		Columns: Columns{
			Source: text(m.Start.from()), SourceSecondary: text(m.Start.account()), Destination: addr(w.Owner),
			DestinationSecondary: text(in.account()), Asset: addr(w.Jetton), Amount: got.amount, Payloads: []Payload{d},
		},
		Failed: m.Start.aborted() || in.aborted(),
	}
}

// jettonData is the payload of a block that is a Jetton transfer.
func jettonData(b *Block) *JettonTransferData {
	if b == nil || len(b.columns.Payloads) == 0 {
		return nil
	}
	d, _ := b.columns.Payloads[0].(*JettonTransferData)
	return d
}
