package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const (
	kindDeposit  = "dex_deposit_liquidity"
	kindWithdraw = "dex_withdraw_liquidity"
)

// DepositLiquidityData is a deposit into a pool. A nil asset is TON if its amount is set, otherwise there is no asset.
type DepositLiquidityData struct {
	Dex           string         `json:"dex"`
	Amount1       *big.Int       `json:"amount1"`
	Amount2       *big.Int       `json:"amount2"`
	Asset1        *chain.Address `json:"asset1"`
	Asset2        *chain.Address `json:"asset2"`
	UserWallet1   *chain.Address `json:"user_jetton_wallet_1"`
	UserWallet2   *chain.Address `json:"user_jetton_wallet_2"`
	LPMinted      *big.Int       `json:"lp_tokens_minted"`
	TargetAsset1  *chain.Address `json:"target_asset_1"`
	TargetAsset2  *chain.Address `json:"target_asset_2"`
	TargetAmount1 *big.Int       `json:"target_amount_1"`
	TargetAmount2 *big.Int       `json:"target_amount_2"`
	VaultExcesses []AssetAmount  `json:"vault_excesses"` // returned assets
	TickLower     *big.Int       `json:"tick_lower"`
	TickUpper     *big.Int       `json:"tick_upper"`
	NFTIndex      *big.Int       `json:"nft_index"` // of the NFT item that represents a position
	NFTAddress    *chain.Address `json:"nft_address"`

	left     bool    // for DeDust v2: the half is of the pool's first asset
	complete bool    // for DeDust v2 and ston.fi: the half completed the deposit
	depth    int     // for ston.fi: the number of blocks before the half
	paidLT   *uint64 // for ston.fi: of the message that paid the half
}

// Column implements [action.Payload].
func (*DepositLiquidityData) Column() string { return "dex_deposit_liquidity_data" }

// first and second set the two sides of a deposit.
func (d *DepositLiquidityData) first(t Transfer) {
	d.Amount1, d.Asset1, d.UserWallet1 = t.Amount, t.Asset, t.SourceWallet
}

func (d *DepositLiquidityData) second(t Transfer) {
	d.Amount2, d.Asset2, d.UserWallet2 = t.Amount, t.Asset, t.SourceWallet
}

// deposited returns the payload of a deposit; nil for other blocks.
func deposited(b *action.Block) *DepositLiquidityData {
	if len(b.Columns.Payloads) == 0 {
		return nil
	}
	d, _ := b.Columns.Payloads[0].(*DepositLiquidityData)
	return d
}

// WithdrawLiquidityData is a withdrawal from a pool. A nil asset is TON.
type WithdrawLiquidityData struct {
	Dex              string         `json:"dex"`
	Amount1          *big.Int       `json:"amount1"`
	Amount2          *big.Int       `json:"amount2"`
	Asset1Out        *chain.Address `json:"asset1_out"`
	Asset2Out        *chain.Address `json:"asset2_out"`
	UserWallet1      *chain.Address `json:"user_jetton_wallet_1"`
	UserWallet2      *chain.Address `json:"user_jetton_wallet_2"`
	DexJettonWallet1 *chain.Address `json:"dex_jetton_wallet_1"`
	DexJettonWallet2 *chain.Address `json:"dex_jetton_wallet_2"`
	DexWallet1       *chain.Address `json:"dex_wallet_1"` // the paying contract
	DexWallet2       *chain.Address `json:"dex_wallet_2"`
	LPBurnt          *big.Int       `json:"lp_tokens_burnt"`
	IsRefund         *bool          `json:"is_refund"` // an incomplete deposit was returned; nil for TONCO
	BurnedNFTIndex   *big.Int       `json:"burned_nft_index"`
	BurnedNFTAddress *chain.Address `json:"burned_nft_address"`
	TickLower        *big.Int       `json:"tick_lower"`
	TickUpper        *big.Int       `json:"tick_upper"`
}

// Column implements [action.Payload].
func (*WithdrawLiquidityData) Column() string { return "dex_withdraw_liquidity_data" }

// first and second set the two sides of a withdrawal.
func (d *WithdrawLiquidityData) first(t Transfer) {
	d.Amount1, d.Asset1Out, d.UserWallet1 = t.Amount, t.Asset, t.DestinationWallet
	d.DexJettonWallet1, d.DexWallet1 = t.SourceWallet, t.Source
}

func (d *WithdrawLiquidityData) second(t Transfer) {
	d.Amount2, d.Asset2Out, d.UserWallet2 = t.Amount, t.Asset, t.DestinationWallet
	d.DexJettonWallet2, d.DexWallet2 = t.SourceWallet, t.Source
}
