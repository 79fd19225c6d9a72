package action

import "math/big"

// TonTransferData is the comment of a transfer.
type TonTransferData struct {
	Content   *string `json:"content"`
	Encrypted bool    `json:"encrypted"`
}

// Column names the composite column.
func (*TonTransferData) Column() string { return "ton_transfer_data" }

func basicColumns(b *Block) Columns {
	switch b.Type {
	case typeTickTock:
		return Columns{Source: b.Tx.Account.String()}
	case typeTonTransfer:
		c := callColumns(b)
		c.Opcode = nil
		d := &TonTransferData{}
		d.Content, d.Encrypted = comment(b.Msg.Body)
		c.Payloads = []Payload{d}
		return c
	}
	return callColumns(b)
}

// callColumns are those of a call and of a deployment. A message from outside has neither source nor value.
func callColumns(b *Block) Columns {
	m := b.Msg
	if m == nil {
		return Columns{Source: b.Tx.Account.String()}
	}
	c := Columns{
		Source: text(m.Source), Destination: text(m.Destination), Value: m.Value, Opcode: m.Opcode, Extra: m.Extra,
	}
	return c
}

func basicSuccess(b *Block) bool {
	if !b.aborted() {
		return true
	}
	m := b.Msg
	switch b.Type {
	case typeTonTransfer:
		// Coins that a contract cannot be run for stay on the account when nobody asked to have them back.
		return !m.Bounce && (b.Tx.EndStatus == "uninit" || b.Tx.NoGas)
	case typeCallContract:
		return zero(m.Value) && len(m.Extra) == 0 && m.Opcode != nil && *m.Opcode != 0
	}
	return false
}

func zero(n *big.Int) bool { return n == nil || n.Sign() == 0 }
