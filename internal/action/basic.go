package action

import "math/big"

// TonTransferData is the comment of a transfer.
type TonTransferData struct {
	Content   *string `json:"content"`
	Encrypted bool    `json:"encrypted"`
}

// Column implements [Payload].
func (*TonTransferData) Column() string { return "ton_transfer_data" }

func basicColumns(b *Block) Columns {
	switch b.Type {
	case typeTickTock:
		return Columns{Source: b.Tx.Account.String()}
	case TypeTonTransfer:
		c := callColumns(b)
		c.Opcode = nil
		d := &TonTransferData{}
		d.Content, d.Encrypted = Comment(b.Msg.Body.Cell())
		c.Payloads = []Payload{d}
		return c
	}
	c := callColumns(b)
	if op := b.signedOpcode(); op != 0 {
		c.Opcode = &op
	}
	return c
}

// callColumns returns the columns of a call and of a deployment. An external message has neither source nor value.
func callColumns(b *Block) Columns {
	m := b.Msg
	if m == nil {
		return Columns{Source: b.Tx.Account.String()}
	}
	c := Columns{
		Source: AddressText(m.Source), Destination: AddressText(m.Destination), Value: m.Value, Opcode: m.Opcode, Extra: m.Extra,
	}
	return c
}

// BasicSuccess reports whether a basic block succeeded.
func BasicSuccess(b *Block) bool {
	if !b.Aborted() {
		return true
	}
	m := b.Msg
	switch b.Type {
	case TypeTonTransfer:
		// Without bounce, coins stay on an account whose contract could not run.
		return !m.Bounce && (b.Tx.EndStatus == "uninit" || b.Tx.NoGas)
	case TypeCallContract:
		return zero(m.Value) && len(m.Extra) == 0 && m.Opcode != nil && *m.Opcode != 0
	}
	return false
}

func zero(n *big.Int) bool { return n == nil || n.Sign() == 0 }
