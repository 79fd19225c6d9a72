// Package all registers every kind of action. Programs and tests that classify traces import it for its effect.
package all

import (
	_ "tonql/internal/action/bridge"  // LayerZero, tgBTC
	_ "tonql/internal/action/cocoon"  // clients, proxies, workers
	_ "tonql/internal/action/dex"     // swaps and liquidity
	_ "tonql/internal/action/lending" // EVAA
	_ "tonql/internal/action/nft"     // items, sales, auctions, domains
	_ "tonql/internal/action/staking" // pools, JVault, elector
	_ "tonql/internal/action/wallet"  // multisig, vesting, subscriptions
)
