// Package all imports every family of contracts, so that they register themselves.
package all

import (
	_ "tonql/internal/contract/dns"       // domains and their records
	_ "tonql/internal/contract/jetton"    // masters and wallets
	_ "tonql/internal/contract/multisig"  // multisig v2 wallets and orders
	_ "tonql/internal/contract/nft"       // collections, items, sales
	_ "tonql/internal/contract/nominator" // pools of nominators
	_ "tonql/internal/contract/vesting"   // coins released over time
	_ "tonql/internal/contract/wallet"    // v1 to v5, highload, preprocessed, vesting
)
