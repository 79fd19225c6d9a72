package action

import (
	"math/big"

	"tonql/internal/chain"
)

// Records are the contract records at the end of a trace. A method returns nil when the account is not such a contract.
type Records interface {
	JettonWallet(chain.Address) *JettonWallet
	NFTItem(chain.Address) *NFTItem
	NFTSale(chain.Address) *NFTSale
	NFTAuction(chain.Address) *NFTAuction
	MultisigOrder(chain.Address) *MultisigOrder
	// NominatorPool reports whether the account has the code of a nominator pool.
	NominatorPool(chain.Address) bool
	// JVaultPool returns the pool of a JVault stake wallet, JVaultLockWallet the Jetton wallet for the deposits of a pool.
	JVaultPool(stakeWallet chain.Address) *chain.Address
	JVaultLockWallet(pool chain.Address) *chain.Address
	DedustPool(chain.Address) *DedustPool
}

// JettonWallet is the record of a Jetton wallet: its owner and its master.
type JettonWallet struct{ Owner, Jetton chain.Address }

// NFTItem is the record of an NFT item. Collection is nil for an item without a collection.
type NFTItem struct {
	Index      *big.Int
	Collection *chain.Address
	Owner      *chain.Address
	URI        string
	CodeHash   *chain.Hash
	Domain     string // the name with its zone, resolved from the network's DNS root; empty for other items
	Teleitem   bool   // the item is its own auction contract
}

// NFTSale is the record of a contract that sells one item at a fixed price.
type NFTSale struct {
	Marketplace, Item, Owner *chain.Address
	FullPrice                *big.Int
}

// NFTAuction is the record of a contract that sells one item to the highest bidder.
type NFTAuction struct {
	Marketplace, Item, Owner *chain.Address
	LastBid                  *big.Int
}

// MultisigOrder is the record of a multisig order.
type MultisigOrder struct{ Signers []chain.Address }

// DedustPool is the record of a DeDust pool: its two assets. Nil is TON.
type DedustPool struct{ Assets [2]*chain.Address }
