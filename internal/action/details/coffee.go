package details

import "tonql/internal/chain"

var coffeeKinds = []Details{
	&CoffeeCreateVault{}, &CoffeeCreatePoolCreator{}, &CoffeeCreatePool{}, &CoffeeStakingDeposit{}, &CoffeeStakingWithdraw{},
	&CoffeeStakingClaimRewards{}, &CoffeeMevProtectHoldFunds{}, &CoffeeMevProtectFailedSwap{},
}

// CoffeeCreateVault is the creation of a vault of swap.coffee.
type CoffeeCreateVault struct {
	Source *chain.Address `json:"source"`
	Vault  *chain.Address `json:"vault" from:"destination"`
	Asset  *chain.Address `json:"asset"`
	Value  *Number        `json:"value"`
}

// Kind implements [Details].
func (*CoffeeCreateVault) Kind() string { return "coffee_create_vault" }

// CoffeeCreatePoolCreator is the first of the two deposits that create a pool of swap.coffee.
type CoffeeCreatePoolCreator struct {
	Source              *chain.Address `json:"source"`
	SourceJettonWallet  *chain.Address `json:"source_jetton_wallet" from:"source_secondary"`
	DepositRecipient    *chain.Address `json:"deposit_recipient" from:"destination"`
	PoolCreatorContract *chain.Address `json:"pool_creator_contract" from:"destination_secondary"`
	ProvidedAsset       *chain.Address `json:"provided_asset" from:"-"` // Always null in the published format: asset1 is the asset that was paid.
	Asset1              *chain.Address `json:"asset_1" from:"asset"`
	Asset2              *chain.Address `json:"asset_2" from:"asset2"`
	Amount              *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CoffeeCreatePoolCreator) Kind() string { return "coffee_create_pool_creator" }

// CoffeeCreatePool is the creation of a pool of swap.coffee from two deposits.
type CoffeeCreatePool struct {
	Source              *chain.Address `json:"source"`
	SourceJettonWallet  *chain.Address `json:"source_jetton_wallet" from:"source_secondary"`
	Initiator1          *chain.Address `json:"initiator_1" from:"coffee_create_pool_data."`
	Initiator2          *chain.Address `json:"initiator_2" from:"coffee_create_pool_data."`
	Pool                *chain.Address `json:"pool" from:"destination"`
	PoolCreatorContract *chain.Address `json:"pool_creator_contract" from:"-"` // Always null in the published format.
	ProvidedAsset       *chain.Address `json:"provided_asset" from:"coffee_create_pool_data."`
	Amount              *Number        `json:"amount"`
	Asset1              *chain.Address `json:"asset_1" from:"asset"`
	Asset2              *chain.Address `json:"asset_2" from:"asset2"`
	Amount1             *Number        `json:"amount_1" from:"coffee_create_pool_data."`
	Amount2             *Number        `json:"amount_2" from:"coffee_create_pool_data."`
	LpTokensMinted      *Number        `json:"lp_tokens_minted" from:"coffee_create_pool_data."`
}

// Kind implements [Details].
func (*CoffeeCreatePool) Kind() string { return "coffee_create_pool" }

// CoffeeStakingDeposit is a deposit into a staking pool of swap.coffee, which mints an NFT item for it.
type CoffeeStakingDeposit struct {
	Source             *chain.Address `json:"source"`
	SourceJettonWallet *chain.Address `json:"source_jetton_wallet" from:"source_secondary"`
	Pool               *chain.Address `json:"pool" from:"destination"`
	PoolJettonWallet   *chain.Address `json:"pool_jetton_wallet" from:"destination_secondary"`
	Asset              *chain.Address `json:"asset"`
	Amount             *Number        `json:"amount"`
	MintedItemAddress  *chain.Address `json:"minted_item_address" from:"coffee_staking_deposit_data."`
	MintedItemIndex    *Number        `json:"minted_item_index" from:"coffee_staking_deposit_data."`
}

// Kind implements [Details].
func (*CoffeeStakingDeposit) Kind() string { return "coffee_staking_deposit" }

// CoffeeStakingWithdraw is the withdrawal of a stake from swap.coffee in return for its NFT item.
type CoffeeStakingWithdraw struct {
	Source             *chain.Address `json:"source"`
	SourceJettonWallet *chain.Address `json:"source_jetton_wallet" from:"source_secondary"`
	Pool               *chain.Address `json:"pool" from:"destination"`
	PoolJettonWallet   *chain.Address `json:"pool_jetton_wallet" from:"destination_secondary"`
	Asset              *chain.Address `json:"asset"`
	Amount             *Number        `json:"amount"`
	NFTAddress         *chain.Address `json:"nft_address" from:"coffee_staking_withdraw_data."`
	NFTIndex           *Number        `json:"nft_index" from:"coffee_staking_withdraw_data."`
	Points             *Number        `json:"points" from:"coffee_staking_withdraw_data."`
}

// Kind implements [Details].
func (*CoffeeStakingWithdraw) Kind() string { return "coffee_staking_withdraw" }

// CoffeeStakingClaimRewards is the payment of the rewards of a stake in swap.coffee.
type CoffeeStakingClaimRewards struct {
	Pool                  *chain.Address `json:"pool" from:"source"`
	PoolJettonWallet      *chain.Address `json:"pool_jetton_wallet" from:"source_secondary"`
	Recipient             *chain.Address `json:"recipient" from:"destination"`
	RecipientJettonWallet *chain.Address `json:"recipient_jetton_wallet" from:"destination_secondary"`
	Asset                 *chain.Address `json:"asset"`
	Amount                *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CoffeeStakingClaimRewards) Kind() string { return "coffee_staking_claim_rewards" }

// CoffeeMevProtectHoldFunds is the lock of a swap's funds in a contract of swap.coffee that protects against front-running.
type CoffeeMevProtectHoldFunds struct {
	Source                  *chain.Address `json:"source"`
	SourceJettonWallet      *chain.Address `json:"source_jetton_wallet" from:"source_secondary"`
	MevContract             *chain.Address `json:"mev_contract" from:"destination"`
	MevContractJettonWallet *chain.Address `json:"mev_contract_jetton_wallet" from:"destination_secondary"`
	Asset                   *chain.Address `json:"asset"`
	Amount                  *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CoffeeMevProtectHoldFunds) Kind() string { return "coffee_mev_protect_hold_funds" }

// CoffeeMevProtectFailedSwap is the return of the locked funds after a failed swap; it has no details.
type CoffeeMevProtectFailedSwap struct {
	Error string `json:"error" from:"-"` // States that this type has no details.
}

// Kind implements [Details].
func (*CoffeeMevProtectFailedSwap) Kind() string { return "coffee_mev_protect_failed_swap" }

func (f *CoffeeMevProtectFailedSwap) complete(r *row) {
	f.Error = unsupported(r.kind)
}
