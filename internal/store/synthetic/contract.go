package synthetic

import (
	"math"
	"math/big"

	"tonql/internal/chain"
)

// Shares of transactions that move something, and how many wallets and items there are for each: as on the chain, one
// transaction in five is a Jetton transfer.
const (
	transfersPerMille = 210
	itemsPerMille     = 44

	wallets     = 88 // Jetton wallets for each thousand transactions
	masters     = 200
	collections = 50
)

// Families of addresses, far apart from those of accounts.
const (
	walletFamily = (iota + 1) << 40
	masterFamily
	itemFamily
	collectionFamily
)

// JettonMaster is the n-th Jetton; the first are the busiest.
func JettonMaster(n int) chain.Address { return Address(masterFamily + n) }

// JettonWallet is the n-th Jetton wallet; the first are the busiest.
func JettonWallet(n int) chain.Address { return Address(walletFamily + n) }

// NFTCollection is the n-th collection; the first are the largest.
func NFTCollection(n int) chain.Address { return Address(collectionFamily + n) }

// NFTItem is the n-th item in the order of minting.
func NFTItem(n int) chain.Address { return Address(itemFamily + n) }

// steep is a number below n by a power law, the same for the same seed.
func steep(seed uint64, n int) int {
	const steepness = 3.6
	return int(float64(n) * math.Pow(float64(mix(seed)>>11)/(1<<53), steepness))
}

// contracts adds Jetton transfers and new items to a block, as Options request.
func (c *Chain) contracts(mb *chain.MasterBlock) {
	if !c.opts.Contracts {
		return
	}
	if mb.Block.Seqno == 1 {
		c.found(mb)
	}
	for i := range mb.Transactions {
		tx := &mb.Transactions[i]
		switch dice := c.dice.IntN(1000); {
		case dice < transfersPerMille:
			c.jettonTransfer(mb, tx)
		case dice < transfersPerMille+itemsPerMille:
			c.mint(mb, tx)
		}
	}
}

// found makes the masters and collections.
func (c *Chain) found(mb *chain.MasterBlock) {
	lt := mb.Block.StartLT + 1
	for n := range masters {
		address, admin := JettonMaster(n), Address(n)
		mb.Contracts = append(mb.Contracts, chain.Contract{
			Account: address, LT: lt, McSeqno: mb.Block.Seqno, CodeHash: codes[0], Interfaces: []string{"jetton_master"}, Methods: []int32{1, 2},
			JettonMaster: &chain.JettonMaster{
				Address: address, TotalSupply: big.NewInt(1e15), Mintable: true, Admin: &admin, WalletCodeHash: codes[1],
				Content:  chain.Content{"name": "Synthetic", "symbol": "SYN", "decimals": "9"},
				CodeHash: codes[0], DataHash: codes[0], LastTxLT: lt,
			},
		})
	}
	for n := range collections {
		address, owner := NFTCollection(n), Address(n)
		mb.Contracts = append(mb.Contracts, chain.Contract{
			Account: address, LT: lt, McSeqno: mb.Block.Seqno, CodeHash: codes[2], Interfaces: []string{"nft_collection"}, Methods: []int32{3},
			NFTCollection: &chain.NFTCollection{
				Address: address, Owner: &owner, NextItemIndex: big.NewInt(-1), Content: chain.Content{"uri": "https://example.org/c.json"},
				CodeHash: codes[2], DataHash: codes[2], LastTxLT: lt,
			},
		})
	}
}

// wallet is the n-th Jetton wallet with some balance, one in eight with none.
func (c *Chain) wallet(mb *chain.MasterBlock, tx *chain.Transaction, n int) *chain.JettonWallet {
	w := &chain.JettonWallet{
		Address: JettonWallet(n), Balance: new(big.Int).SetUint64(c.dice.Uint64() >> (c.dice.IntN(8) * 9)),
		Owner: Address(steep(uint64(n)+1, c.opts.Accounts)), Jetton: JettonMaster(steep(uint64(n)+1<<33, masters)),
		CodeHash: &codes[1], DataHash: &codes[1], LastTxLT: tx.LT,
	}
	if n%8 == 0 {
		w.Balance = new(big.Int)
	}
	mb.Contracts = append(mb.Contracts, chain.Contract{
		Account: w.Address, LT: tx.LT, McSeqno: mb.Block.Seqno, CodeHash: codes[1], Interfaces: []string{"jetton_wallet"}, Methods: []int32{4},
		JettonWallet: w,
	})
	return w
}

// jettonTransfer moves Jettons between two wallets, of any Jettons, as nobody looks at that.
func (c *Chain) jettonTransfer(mb *chain.MasterBlock, tx *chain.Transaction) {
	all := max(2, c.opts.Transactions*wallets/1000)
	from := c.wallet(mb, tx, steep(c.dice.Uint64(), all))
	to := c.wallet(mb, tx, c.dice.IntN(all))
	mb.JettonTransfers = append(mb.JettonTransfers, chain.JettonTransfer{
		QueryID: c.dice.Uint64(), Source: from.Owner, Destination: &to.Owner, Amount: big.NewInt(c.dice.Int64N(1 << 40)),
		SourceWallet: from.Address, Jetton: from.Jetton, TxHash: tx.Hash, TxLT: tx.LT, TxNow: tx.Now, TxAborted: c.dice.IntN(30) == 0,
		ResponseDestination: &from.Owner, ForwardAmount: big.NewInt(1),
	})
}

// mint makes the next item, in the hands of some owner.
func (c *Chain) mint(mb *chain.MasterBlock, tx *chain.Transaction) {
	n := c.minted
	c.minted++
	address, owner := NFTItem(n), Address(steep(uint64(n)+1<<34, c.opts.Accounts))
	collection := NFTCollection(steep(uint64(n)+1<<35, collections))
	mb.Contracts = append(mb.Contracts, chain.Contract{
		Account: address, LT: tx.LT, McSeqno: mb.Block.Seqno, CodeHash: codes[3], Interfaces: []string{"nft_item"}, Methods: []int32{5},
		NFTItem: &chain.NFTItem{
			Address: address, Init: true, Index: big.NewInt(int64(n)), Collection: &collection, Owner: &owner,
			Content:  chain.Content{"uri": "https://example.org/i.json"},
			CodeHash: codes[3], DataHash: codes[3], LastTxLT: tx.LT,
		},
	})
	mb.NFTTransfers = append(mb.NFTTransfers, chain.NFTTransfer{
		NFT: address, Collection: &collection, TxHash: tx.Hash, TxLT: tx.LT, TxNow: tx.Now, OldOwner: tx.Account, NewOwner: &owner,
		ForwardAmount: big.NewInt(1),
	})
}
