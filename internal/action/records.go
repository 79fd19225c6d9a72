package action

import (
	"math/big"

	"tonql/internal/chain"
)

// Records is what is known of contracts, as of the trace. A nil answer means that the account is no such contract.
type Records interface {
	JettonWallet(chain.Address) *JettonWallet
	NFTItem(chain.Address) *NFTItem
	NFTSale(chain.Address) *NFTSale
	NFTAuction(chain.Address) *NFTAuction
	MultisigOrder(chain.Address) *MultisigOrder
	// NominatorPool says whether the account runs the code of a nominator pool.
	NominatorPool(chain.Address) bool
	// JVaultPool is the pool of a JVault stake wallet, JVaultLockWallet the Jetton wallet that holds a pool's deposits.
	JVaultPool(stakeWallet chain.Address) *chain.Address
	JVaultLockWallet(pool chain.Address) *chain.Address
	DedustPool(chain.Address) *DedustPool
}

// JettonWallet is the owner and the minter of a wallet.
type JettonWallet struct{ Owner, Jetton chain.Address }

// NFTItem is an item with its collection (nil for one of its own).
type NFTItem struct {
	Index      *big.Int
	Collection *chain.Address
	Owner      *chain.Address
	URI        string
	CodeHash   *chain.Hash
	Domain     string // the name with its zone, as the network's own root resolves it; empty for every other item
	Teleitem   bool   // it holds its own auctions, by its get-methods
}

// NFTSale is a contract that sells one item at a fixed price.
type NFTSale struct {
	Marketplace, Item, Owner *chain.Address
	FullPrice                *big.Int
}

// NFTAuction is a contract that sells one item to the highest bidder.
type NFTAuction struct {
	Marketplace, Item, Owner *chain.Address
	LastBid                  *big.Int
}

// MultisigOrder is a proposal and who may sign it.
type MultisigOrder struct{ Signers []chain.Address }

// DedustPool is the two assets of a DeDust pool; nil is TON.
type DedustPool struct{ Assets [2]*chain.Address }
