package details

import "tonql/internal/chain"

var dexKinds = []Details{&JettonSwap{}, &DexDepositLiquidity{}, &DexWithdrawLiquidity{}, &ToncoDeployPool{}, &DedustV2ClaimFees{}, &DedustV2ClaimReward{}}

const (
	dexDedust = "dedust"
	dexTonco  = "tonco"
)

// JettonSwap is a swap of one asset for another on a decentralized exchange.
type JettonSwap struct {
	Dex                 *string        `json:"dex" from:"jetton_swap_data."`
	Sender              *chain.Address `json:"sender" from:"source"`
	AssetIn             *chain.Address `json:"asset_in" from:"asset"`
	AssetOut            *chain.Address `json:"asset_out" from:"asset2"`
	DexIncomingTransfer DexTransfer    `json:"dex_incoming_transfer" from:"jetton_swap_data."`
	DexOutgoingTransfer DexTransfer    `json:"dex_outgoing_transfer" from:"jetton_swap_data."`
	PeerSwaps           []PeerSwap     `json:"peer_swaps" from:"jetton_swap_data."`               // The hops of the swap; empty when there was only one.
	MinOutAmount        *Number        `json:"min_out_amount,omitempty" from:"jetton_swap_data."` // For tonco only: the amount paid out, or the requested minimum of a failed swap.
}

// DexTransfer is a transfer to or from an exchange.
type DexTransfer struct {
	Asset                   *chain.Address `json:"asset"`
	Source                  *chain.Address `json:"source"`
	Destination             *chain.Address `json:"destination"`
	SourceJettonWallet      *chain.Address `json:"source_jetton_wallet"`
	DestinationJettonWallet *chain.Address `json:"destination_jetton_wallet"`
	Amount                  *Number        `json:"amount"`
}

// PeerSwap is one hop of a swap.
type PeerSwap struct {
	AssetIn   *chain.Address `json:"asset_in"`
	AmountIn  *Number        `json:"amount_in"`
	AssetOut  *chain.Address `json:"asset_out"`
	AmountOut *Number        `json:"amount_out"`
}

// Kind implements [Details].
func (*JettonSwap) Kind() string { return "jetton_swap" }

func (s *JettonSwap) complete(*row) {
	if s.Dex == nil || *s.Dex != dexTonco {
		s.MinOutAmount = nil
	}
}

// DexDepositLiquidity is a deposit of liquidity into a pool. Ticks and the NFT item belong to pools of concentrated
// liquidity.
type DexDepositLiquidity struct {
	Dex                  *string        `json:"dex" from:"dex_deposit_liquidity_data."`
	Amount1              *Number        `json:"amount_1" from:"dex_deposit_liquidity_data.amount1"`
	Amount2              *Number        `json:"amount_2" from:"dex_deposit_liquidity_data.amount2"`
	Asset1               *chain.Address `json:"asset_1" from:"dex_deposit_liquidity_data.asset1"`
	Asset2               *chain.Address `json:"asset_2" from:"dex_deposit_liquidity_data.asset2"`
	UserJettonWallet1    *chain.Address `json:"user_jetton_wallet_1" from:"dex_deposit_liquidity_data."`
	UserJettonWallet2    *chain.Address `json:"user_jetton_wallet_2" from:"dex_deposit_liquidity_data."`
	Source               *chain.Address `json:"source"`
	Pool                 *chain.Address `json:"pool" from:"destination"`
	DestinationLiquidity *chain.Address `json:"destination_liquidity" from:"-"` // The deposit contract for dedust, otherwise the pool.
	LpTokensMinted       *Number        `json:"lp_tokens_minted" from:"dex_deposit_liquidity_data."`
	TargetAsset1         *chain.Address `json:"target_asset_1" from:"dex_deposit_liquidity_data."`
	TargetAsset2         *chain.Address `json:"target_asset_2" from:"dex_deposit_liquidity_data."`
	TargetAmount1        *Number        `json:"target_amount_1" from:"dex_deposit_liquidity_data."`
	TargetAmount2        *Number        `json:"target_amount_2" from:"dex_deposit_liquidity_data."`
	VaultExcesses        []VaultExcess  `json:"vault_excesses" from:"dex_deposit_liquidity_data."`
	TickLower            *Number        `json:"tick_lower" from:"dex_deposit_liquidity_data."`
	TickUpper            *Number        `json:"tick_upper" from:"dex_deposit_liquidity_data."`
	NFTIndex             *Number        `json:"nft_index" from:"dex_deposit_liquidity_data."`
	NFTAddress           *chain.Address `json:"nft_address" from:"dex_deposit_liquidity_data."`
}

// VaultExcess is the part of a deposit that the pool did not need and returned.
type VaultExcess struct {
	Asset  *chain.Address `json:"asset"`
	Amount *Number        `json:"amount"`
}

// Kind implements [Details].
func (*DexDepositLiquidity) Kind() string { return "dex_deposit_liquidity" }

func (d *DexDepositLiquidity) complete(r *row) {
	d.DestinationLiquidity = d.Pool
	if d.Dex != nil && *d.Dex == dexDedust {
		d.DestinationLiquidity = r.address(r.columns.DestinationSecondary)
	}
}

// DexWithdrawLiquidity is a withdrawal of liquidity from a pool. Ticks and the NFT item belong to pools of concentrated
// liquidity.
type DexWithdrawLiquidity struct {
	Dex                  *string        `json:"dex" from:"dex_withdraw_liquidity_data."`
	Amount1              *Number        `json:"amount_1" from:"dex_withdraw_liquidity_data.amount1"`
	Amount2              *Number        `json:"amount_2" from:"dex_withdraw_liquidity_data.amount2"`
	Asset1               *chain.Address `json:"asset_1" from:"dex_withdraw_liquidity_data.asset1_out"`
	Asset2               *chain.Address `json:"asset_2" from:"dex_withdraw_liquidity_data.asset2_out"`
	UserJettonWallet1    *chain.Address `json:"user_jetton_wallet_1" from:"dex_withdraw_liquidity_data."`
	UserJettonWallet2    *chain.Address `json:"user_jetton_wallet_2" from:"dex_withdraw_liquidity_data."`
	LpTokensBurnt        *Number        `json:"lp_tokens_burnt" from:"dex_withdraw_liquidity_data."`
	IsRefund             *bool          `json:"is_refund" from:"-"` // Always null in the published format.
	Source               *chain.Address `json:"source"`
	Pool                 *chain.Address `json:"pool" from:"destination"`
	DestinationLiquidity *chain.Address `json:"destination_liquidity" from:"destination"`
	BurntNFTIndex        *Number        `json:"burnt_nft_index" from:"dex_withdraw_liquidity_data.burned_nft_index"`
	BurntNFTAddress      *chain.Address `json:"burnt_nft_address" from:"dex_withdraw_liquidity_data.burned_nft_address"`
	TickLower            *Number        `json:"tick_lower" from:"dex_withdraw_liquidity_data."`
	TickUpper            *Number        `json:"tick_upper" from:"dex_withdraw_liquidity_data."`
}

// Kind implements [Details].
func (*DexWithdrawLiquidity) Kind() string { return "dex_withdraw_liquidity" }

// DedustV2ClaimFees is a claim of the fees that a position in a pool of DeDust v2 has earned.
type DedustV2ClaimFees struct {
	Dex               *string        `json:"dex" from:"dex_withdraw_liquidity_data."`
	Amount1           *Number        `json:"amount_1" from:"dex_withdraw_liquidity_data.amount1"`
	Amount2           *Number        `json:"amount_2" from:"dex_withdraw_liquidity_data.amount2"`
	Asset1            *chain.Address `json:"asset_1" from:"dex_withdraw_liquidity_data.asset1_out"` // The first asset: address of the Jetton master; null for TON, and when it was not paid.
	Asset2            *chain.Address `json:"asset_2" from:"dex_withdraw_liquidity_data.asset2_out"` // The second asset: address of the Jetton master; null for TON, and when it was not paid.
	UserJettonWallet1 *chain.Address `json:"user_jetton_wallet_1" from:"dex_withdraw_liquidity_data."`
	UserJettonWallet2 *chain.Address `json:"user_jetton_wallet_2" from:"dex_withdraw_liquidity_data."`
	Source            *chain.Address `json:"source"`
	Pool              *chain.Address `json:"pool" from:"destination"`
	Position          *chain.Address `json:"position" from:"destination_secondary"` // The contract with the liquidity of the owner.
}

// Kind implements [Details].
func (*DedustV2ClaimFees) Kind() string { return "dedust_v2_claim_fees" }

// DedustV2ClaimReward is a claim of a reward that a position in a pool of DeDust v2 has earned.
type DedustV2ClaimReward struct {
	Dex              *string        `json:"dex" from:"dex_withdraw_liquidity_data."`
	Amount           *Number        `json:"amount" from:"dex_withdraw_liquidity_data.amount1"`
	Asset            *chain.Address `json:"asset" from:"dex_withdraw_liquidity_data.asset1_out"` // The asset: address of the Jetton master; null for TON, and when nothing was paid.
	UserJettonWallet *chain.Address `json:"user_jetton_wallet" from:"dex_withdraw_liquidity_data.user_jetton_wallet_1"`
	Source           *chain.Address `json:"source"`
	Pool             *chain.Address `json:"pool" from:"destination"`
	Position         *chain.Address `json:"position" from:"destination_secondary"` // The contract with the liquidity of the owner.
}

// Kind implements [Details].
func (*DedustV2ClaimReward) Kind() string { return "dedust_v2_claim_reward" }

// ToncoDeployPool is the deployment of a TONCO pool.
type ToncoDeployPool struct {
	Source              *chain.Address `json:"source"`
	Pool                *chain.Address `json:"pool" from:"destination_secondary"`
	Router              *chain.Address `json:"router" from:"destination"`
	RouterJettonWallet1 *chain.Address `json:"router_jetton_wallet_1" from:"tonco_deploy_pool_data.jetton0_router_wallet"`
	RouterJettonWallet2 *chain.Address `json:"router_jetton_wallet_2" from:"tonco_deploy_pool_data.jetton1_router_wallet"`
	JettonMinter1       *chain.Address `json:"jetton_minter_1" from:"tonco_deploy_pool_data.jetton0_minter"`
	JettonMinter2       *chain.Address `json:"jetton_minter_2" from:"tonco_deploy_pool_data.jetton1_minter"`
	TickSpacing         *Number        `json:"tick_spacing" from:"tonco_deploy_pool_data."`
	InitialPriceX96     *Number        `json:"initial_price_x96" from:"tonco_deploy_pool_data."`
	ProtocolFee         *Number        `json:"protocol_fee" from:"tonco_deploy_pool_data."`
	LpFeeBase           *Number        `json:"lp_fee_base" from:"tonco_deploy_pool_data."`
	LpFeeCurrent        *Number        `json:"lp_fee_current" from:"tonco_deploy_pool_data."`
	PoolActive          *bool          `json:"pool_active" from:"tonco_deploy_pool_data."`
}

// Kind implements [Details].
func (*ToncoDeployPool) Kind() string { return "tonco_deploy_pool" }
