package balance

import (
	"context"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// claim is a message with the proof of an airdrop: a Jetton wallet that has not claimed yet adds the amount to its balance
// without another message.
type claim struct {
	tx     *chain.FullTransaction
	wallet *chain.JettonWallet
	amount *big.Int
	moved  *big.Int // the change by messages of the transaction
}

// maxClaimLookups bounds the balance reads for the claims of one trace: a trace can have thousands of repeated claims.
// Further claims count, like claims without indexed balances.
const maxClaimLookups = 32

// Points reads a page of the balance history of a Jetton wallet.
type Points func(ctx context.Context, wallet chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error)

// claimed returns the amount that a transfer or burn claims; nil for other messages.
func claimed(m *chain.Message, w *chain.JettonWallet) *big.Int {
	if m == nil || m.Opcode == nil || *m.Opcode != jetton.OpTransfer && *m.Opcode != jetton.OpBurn {
		return nil
	}
	body, err := cell.FromBOC(m.BodyBOC())
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

// Credit adds the claimed amounts. A repeated claim adds nothing: the wallet's balances before and after the transaction
// show it.
func (c *Changes) Credit(ctx context.Context, points Points) error {
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

// repeated reports whether the balances of an existing wallet show that the claim added nothing. If one of them is not
// indexed, the claim counts: wallets reject a second claim.
func (cl *claim) repeated(ctx context.Context, points Points) (bool, error) {
	from := chain.JettonBalancePoint{Wallet: cl.wallet.Address, LT: cl.tx.LT + 1}
	last, err := points(ctx, cl.wallet.Address, chain.Page{Limit: 2, Sort: chain.Descending, After: new(from.Cursor())})
	if err != nil || len(last) < 2 || last[0].LT != cl.tx.LT {
		return false, err
	}
	return new(big.Int).Sub(last[0].Balance, last[1].Balance).Cmp(cl.moved) == 0, nil
}
