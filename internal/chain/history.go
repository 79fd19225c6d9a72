package chain

import "math/big"

// BalancePoint is the balance of an account after a transaction, which is the one of that state.
type BalancePoint struct{ Transaction *Transaction }

// LT of the transaction.
func (p *BalancePoint) LT() uint64 { return p.Transaction.LT }

// Now is the time of the transaction.
func (p *BalancePoint) Now() uint32 { return p.Transaction.Now }

// McSeqno is of the masterchain block that committed it.
func (p *BalancePoint) McSeqno() uint32 { return p.Transaction.McSeqno }

// Cursor is that of the transaction.
func (p *BalancePoint) Cursor() Cursor { return p.Transaction.Cursor() }

// JettonBalancePoint is the balance of a Jetton wallet after a transaction.
type JettonBalancePoint struct {
	Wallet  Address
	LT      uint64
	McSeqno uint32
	Balance *big.Int
}

// Cursor is the point's position in the history of its wallet.
func (p *JettonBalancePoint) Cursor() Cursor {
	return Cursor{ListKind: JettonBalanceList, Major: p.LT, Minor: string(p.Wallet.Bytes())}
}

// NFTOwnerPoint is the owner of an item after a transaction.
type NFTOwnerPoint struct {
	Item    Address
	LT      uint64
	McSeqno uint32
	Owner   *Address // nil for nobody
}

// Cursor is the point's position in the history of its item.
func (p *NFTOwnerPoint) Cursor() Cursor {
	return Cursor{ListKind: NFTOwnerList, Major: p.LT, Minor: string(p.Item.Bytes())}
}

// MaxCounted is where counting ends.
const MaxCounted = 10_000

// CappedCount is a number that is not counted beyond [MaxCounted].
type CappedCount struct {
	Count int
	More  bool
}

// Counted says what is counted of an account.
type Counted uint8

// What can be counted.
const (
	CountedTransactions  Counted = iota // of the account
	CountedJettonWallets                // of the Jetton
	CountedNFTItems                     // of the collection
)
