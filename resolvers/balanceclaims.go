package resolvers

import (
	"context"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// claim is an order that brought the proof of an airdrop: a Jetton wallet that had claimed nothing so far adds the amount
// to its balance, though no message carries it.
type claim struct {
	tx     *chain.FullTransaction
	wallet *chain.JettonWallet
	amount *big.Int
	moved  *big.Int // what messages of the transaction changed
}

// maxClaimLookups bounds the reads for the claims of one trace: anybody can send thousands that are repeated. Those beyond
// it count, as where the balances are not known.
const maxClaimLookups = 32

// balancePoints reads a page of the balances of a Jetton wallet.
type balancePoints func(ctx context.Context, wallet chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error)

// claimed reads what a transfer or a burn claims; nil for other messages.
func claimed(m *chain.Message, w *chain.JettonWallet) *big.Int {
	if m == nil || m.Opcode == nil || *m.Opcode != jetton.OpTransfer && *m.Opcode != jetton.OpBurn {
		return nil
	}
	body, err := cell.FromBOC(m.Body)
	if err != nil {
		return nil
	}
	var payload *cell.Cell
	if t, err := jetton.ParseTransfer(body); err == nil {
		payload = t.CustomPayload
	} else if b, err := jetton.ParseBurn(body); err == nil {
		payload = b.CustomPayload
	}
	return jetton.Claim(payload, w.Owner)
}

// credit adds the amounts that were claimed. A repeated claim adds nothing: the balances that the index read from the
// wallet before and after the transaction tell, where it was there before.
func (c *changes) credit(ctx context.Context, points balancePoints) error {
	lookups := 0
	for _, cl := range c.claims {
		repeated := false
		if cl.tx.OrigStatus == chain.Active && lookups < maxClaimLookups {
			lookups++
			var err error
			if repeated, err = cl.repeated(ctx, points); err != nil {
				return err
			}
		}
		if !repeated {
			c.change(cl.wallet, cl.amount)
		}
	}
	return nil
}

// repeated reports whether the balances of a wallet that was there before say that nothing was added. Without both of them
// the claim counts: wallets refuse a second one.
func (cl *claim) repeated(ctx context.Context, points balancePoints) (bool, error) {
	from := chain.JettonBalancePoint{Wallet: cl.wallet.Address, LT: cl.tx.LT + 1}
	last, err := points(ctx, cl.wallet.Address, chain.Page{Limit: 2, Sort: chain.Descending, After: new(from.Cursor())})
	if err != nil || len(last) < 2 || last[0].LT != cl.tx.LT {
		return false, err
	}
	return new(big.Int).Sub(last[0].Balance, last[1].Balance).Cmp(cl.moved) == 0, nil
}
