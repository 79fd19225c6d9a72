package details

import "tonql/internal/chain"

var tgbtcKinds = []Details{
	&TgBTCMint{}, &TgBTCMintFallback{}, &TgBTCBurn{}, &TgBTCBurnFallback{}, &TgBTCNewKey{}, &TgBTCNewKeyFallback{},
	&TgBTCDkgLogFallback{},
}

// TgBTCMint makes tgBTC for bitcoins that were paid in.
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

// TgBTCMintFallback is a mint of which only the log was seen.
type TgBTCMintFallback TgBTCMint

// Kind implements [Details].
func (*TgBTCMintFallback) Kind() string { return "tgbtc_mint_fallback" }

// TgBTCBurn destroys tgBTC for bitcoins that are paid out.
type TgBTCBurn struct {
	Source       *chain.Address `json:"source"`
	SourceWallet *chain.Address `json:"source_wallet" from:"source_secondary"`
	Destination  *chain.Address `json:"destination"`
	Amount       *Number        `json:"amount"`
	Asset        *chain.Address `json:"asset"`
}

// Kind implements [Details].
func (*TgBTCBurn) Kind() string { return "tgbtc_burn" }

// TgBTCBurnFallback is a burn of which only the log was seen.
type TgBTCBurnFallback TgBTCBurn

// Kind implements [Details].
func (*TgBTCBurnFallback) Kind() string { return "tgbtc_burn_fallback" }

// TgBTCNewKey is a new key of the group that holds the bitcoins.
type TgBTCNewKey struct {
	Source      *chain.Address `json:"source"`
	Pubkey      *string        `json:"pubkey" from:"source_secondary"`
	Coordinator *chain.Address `json:"coordinator" from:"destination"`
	Pegout      *chain.Address `json:"pegout" from:"destination_secondary"`
	Amount      *Number        `json:"amount"`
	Asset       *chain.Address `json:"asset" from:"-"` // Never filled, as published.
}

// Kind implements [Details].
func (*TgBTCNewKey) Kind() string { return "tgbtc_new_key" }

// TgBTCNewKeyFallback is a new key of which only the log was seen.
type TgBTCNewKeyFallback TgBTCNewKey

// Kind implements [Details].
func (*TgBTCNewKeyFallback) Kind() string { return "tgbtc_new_key_fallback" }

// TgBTCDkgLogFallback is the log of a key that the group made together.
type TgBTCDkgLogFallback struct {
	Coordinator *chain.Address `json:"coordinator" from:"source"`
	Pubkey      *string        `json:"pubkey" from:"asset"`
	Timestamp   *Number        `json:"timestamp" from:"value"`
}

// Kind implements [Details].
func (*TgBTCDkgLogFallback) Kind() string { return "tgbtc_dkg_log_fallback" }
