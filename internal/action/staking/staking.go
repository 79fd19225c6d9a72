package staking

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Staking providers in rows.
const (
	providerNominator = "nominator"
	providerLiquid    = "liquid_staking"
	providerEthena    = "ethena"
	providerHipo      = "hipo"
)

// Opcodes of liquid staking pools and of their collections of bills. A bill is an NFT item that represents a later
// payment.
const (
	opPoolDeposit       = 0x47d54391
	opPoolMint          = 0x1674b0a0
	opPoolWithdraw      = 0x319b0cdc
	opPoolWithdrawal    = 0x0a77535c
	opBillInit          = 0x132f9a45
	opBillBurn          = 0xf127fe4e
	opBillBurned        = 0xed58b0b2
	opBillPaid          = 0xdb3b8abd
	opStartDistribution = 0x1140a64f
)

// Comments that are commands to a nominator pool.
const (
	nominatorDeposit  = "d"
	nominatorWithdraw = "w"
)

// typeNominatorWithdrawal is the type of withdrawals and of requests for them; the reply of the pool distinguishes the
// two.
const typeNominatorWithdrawal = "nominator_pool_withdraw_request"

// Data is the result of a stake operation. Tokens are in the smallest unit of the provider's Jetton; nil when none
// were minted or burned. The bill is the NFT item that represents a later payment.
type Data struct {
	Provider     string         `json:"provider"`
	Bill         *chain.Address `json:"ts_nft"`
	TokensMinted *big.Int       `json:"tokens_minted"`
	TokensBurnt  *big.Int       `json:"tokens_burnt"`
}

// Column implements [action.Payload].
func (*Data) Column() string { return "staking_data" }

// liquidBurn matches the burn of a pool's tokens, up to the message to the pool.
func liquidBurn(then *action.Pattern) *action.Pattern {
	return action.Call(jetton.OpBurn).Then(action.Call(jetton.OpBurnNotification).Then(action.Call(opPoolWithdraw).As("pool").Then(then)))
}

// liquidMint matches the order of a pool to mint tokens, or a bill, for the account that deposits or withdraws. A request that begins a
// round has the fee of the last one minted before. Without an order for the account, it matches any.
func liquidMint() *action.Pattern {
	return action.Call(opPoolMint).Among(func(request *action.Block) []*action.Block {
		owner := liquidOwner(request)
		var own []*action.Block
		for _, n := range request.Next {
			if isMintFor(n, owner) {
				own = append(own, n)
			}
		}
		if len(own) > 0 {
			return own
		}
		return request.Next
	})
}

// isMintFor reports whether a block is an order to mint for an account.
//
//	mint#1674b0a0 query_id:uint64 destination:MsgAddress amount:Coins …
func isMintFor(b *action.Block, owner *chain.Address) bool {
	if !b.Calls(opPoolMint) {
		return false
	}
	l := b.Body()
	l.Uint(64)
	return action.SameAddress(l.Address(), owner) && l.Err() == nil
}

// liquidOwner returns the account of a request to a pool; nil when it cannot be read.
//
//	withdraw#319b0cdc query_id:uint64 amount:Coins from_address:MsgAddress …
func liquidOwner(request *action.Block) *chain.Address {
	if !request.Calls(opPoolWithdraw) {
		return request.From()
	}
	l := request.Body()
	l.Uint(64)
	l.Coins()
	return l.Address()
}

// newBill returns the NFT item that a block minted; nil without one.
func newBill(b *action.Block) *chain.Address {
	for _, n := range b.Next {
		if n.Type == "nft_mint" || n.Calls(opBillInit) {
			return n.Account()
		}
	}
	return nil
}

// isPoolRequest reports whether a block is a transfer with this comment to a nominator pool.
func isPoolRequest(c *action.Context, b *action.Block, want string) bool {
	pool := b.Account()
	if pool == nil {
		return false
	}
	comment, encrypted := action.Comment(b.Msg.Body.Cell())
	return comment != nil && !encrypted && *comment == want && c.Records.NominatorPool(*pool)
}
