package staking

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Those who take stakes.
const (
	providerNominator = "nominator"
	providerLiquid    = "liquid_staking"
	providerEthena    = "ethena"
)

// Opcodes of liquid staking pools and of their collections of bills, which stand for coins that are paid later.
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

// Comments that a nominator pool understands.
const (
	nominatorDeposit  = "d"
	nominatorWithdraw = "w"
)

// typeNominatorWithdrawal is both a withdrawal and the request for one: what the pool answered tells them apart.
const typeNominatorWithdrawal = "nominator_pool_withdraw_request"

// StakingData is what a provider gave or took for a stake. Tokens are in the smallest unit of the provider's Jetton; nil
// when none were minted or burnt. The bill is the NFT item that stands for coins that are paid later.
type StakingData struct {
	Provider     string         `json:"provider"`
	Bill         *chain.Address `json:"ts_nft"`
	TokensMinted *big.Int       `json:"tokens_minted"`
	TokensBurnt  *big.Int       `json:"tokens_burnt"`
}

// Column names the composite column.
func (*StakingData) Column() string { return "staking_data" }

// liquidBurn burns a pool's tokens, until the pool knows.
func liquidBurn(then *action.Pattern) *action.Pattern {
	return action.Call(jetton.OpBurn).Then(action.Call(jetton.OpBurnNotification).Then(action.Call(opPoolWithdraw).As("pool").Then(then)))
}

// newBill is the item that a block made, nil when it made none.
func newBill(b *action.Block) *chain.Address {
	for _, n := range b.Next {
		if n.Type == "nft_mint" || n.Calls(opBillInit) {
			return n.Account()
		}
	}
	return nil
}

// saidToPool says whether a block is a comment to a nominator pool.
func saidToPool(c *action.Context, b *action.Block, want string) bool {
	pool := b.Account()
	if pool == nil {
		return false
	}
	said, encrypted := action.Comment(b.Msg.Body)
	return said != nil && !encrypted && *said == want && c.Records.NominatorPool(*pool)
}
