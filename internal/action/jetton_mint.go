package action

import (
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

const opMintOld = 0x00000015

func init() {
	Register(Spec{
		Kind: "jetton_mint", Phase: 44,
		Match: Call(jetton.OpMint, opMintOld).Then(
			Call(jetton.OpInternalTransfer).As("in").Then(Call(jetton.OpTransferNotification).Maybe()).Maybe().Every(),
			Call(jetton.OpTransferNotification).Maybe().Every()),
		Build: buildJettonMint,
	})
}

// buildJettonMint reads an order to a minter, and takes all its messages to wallets, of which one is to the wallet of the receiver. The older layout contains the message to the
// wallet.
//
//	mint#642b7d07 query_id:uint64 to_address:MsgAddress ton_amount:Coins …
//	mint#00000015 query_id:uint64 to_address:MsgAddress ton_amount:Coins
//	  master_msg:^[op:uint32 query_id:uint64 amount:Coins …]
func buildJettonMint(c *Context, m *Match) *Result {
	l := m.Start.Body()
	l.Uint(64)
	to, value := l.Address(), l.Coins()
	if l.Err() != nil {
		return nil
	}
	if m.Get("in") == nil || m.Start.Aborted() {
		row := Columns{Destination: AddressText(to), Asset: AddressText(m.Start.Account()), Value: value}
		if m.Start.Calls(opMintOld) {
			ordered := contract.Load(l.Ref())
			ordered.Uint(32)
			ordered.Uint(64)
			row.Amount = ordered.Coins()
			if l.Err() != nil || ordered.Err() != nil {
				return nil // a call of another contract: the opcode is a small number
			}
		}
		return &Result{Columns: row, Failed: true}
	}
	in, w := c.receivingWallet(m.All("in"), to)
	got, err := ParseInternalTransfer(in)
	if w == nil || err != nil {
		return nil
	}
	return &Result{
		Columns: Columns{
			Destination: w.Owner.String(), DestinationSecondary: AddressText(in.Account()), Asset: w.Jetton.String(),
			Amount: got.Amount, Value: value,
		},
		Failed: in.Aborted(),
	}
}
