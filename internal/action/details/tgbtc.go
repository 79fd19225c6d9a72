package details

import "tonql/internal/chain"

var tgbtcKinds = []Details{
	&TgBTCMint{}, &TgBTCMintFallback{}, &TgBTCBurn{}, &TgBTCBurnFallback{}, &TgBTCNewKey{}, &TgBTCNewKeyFallback{},
	&TgBTCDkgLogFallback{},
}

// TgBTCMint is a mint of tgBTC for deposited bitcoins.
type TgBTCMint struct {
	Source            *chain.Address `json:"source"`
	Destination       *chain.Address `json:"destination"`
	Amount            *Number        `json:"amount"`
	Asset             *chain.Address `json:"asset"`
	BitcoinTxID       *string        `json:"bitcoin_tx_id" from:"asset_secondary"`
	DestinationWallet *chain.Address `json:"destination_wallet" from:"destination_secondary"`
}

// Kind implements [Details].
func (*TgBTCMint) Kind() string { return "tgbtc_mint" }

// TgBTCMintFallback is a mint of tgBTC recognized by its log only.
type TgBTCMintFallback TgBTCMint

// Kind implements [Details].
func (*TgBTCMintFallback) Kind() string { return "tgbtc_mint_fallback" }

// TgBTCBurn is a burn of tgBTC in return for bitcoins.
type TgBTCBurn struct {
	Source       *chain.Address `json:"source"`
	SourceWallet *chain.Address `json:"source_wallet" from:"source_secondary"`
	Destination  *chain.Address `json:"destination"`
	Amount       *Number        `json:"amount"`
	Asset        *chain.Address `json:"asset"`
}

// Kind implements [Details].
func (*TgBTCBurn) Kind() string { return "tgbtc_burn" }

// TgBTCBurnFallback is a burn of tgBTC recognized by its log only.
type TgBTCBurnFallback TgBTCBurn

// Kind implements [Details].
func (*TgBTCBurnFallback) Kind() string { return "tgbtc_burn_fallback" }

// TgBTCNewKey is a new key of the group that controls the bitcoins.
type TgBTCNewKey struct {
	Source      *chain.Address `json:"source"`
	Pubkey      *string        `json:"pubkey" from:"source_secondary"`
	Coordinator *chain.Address `json:"coordinator" from:"destination"`
	Pegout      *chain.Address `json:"pegout" from:"destination_secondary"`
	Amount      *Number        `json:"amount"`
	Asset       *chain.Address `json:"asset" from:"-"` // Always null in the published format.
}

// Kind implements [Details].
func (*TgBTCNewKey) Kind() string { return "tgbtc_new_key" }

// TgBTCNewKeyFallback is a new key recognized by its log only.
type TgBTCNewKeyFallback TgBTCNewKey

// Kind implements [Details].
func (*TgBTCNewKeyFallback) Kind() string { return "tgbtc_new_key_fallback" }

// TgBTCDkgLogFallback is the log of a distributed key generation (DKG).
type TgBTCDkgLogFallback struct {
	Coordinator *chain.Address `json:"coordinator" from:"source"`
	Pubkey      *string        `json:"pubkey" from:"asset"`
	Timestamp   *Number        `json:"timestamp" from:"value"`
}

// Kind implements [Details].
func (*TgBTCDkgLogFallback) Kind() string { return "tgbtc_dkg_log_fallback" }
