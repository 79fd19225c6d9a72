package testdb

import (
	"encoding/binary"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// Masterchain blocks of the factories: seqno n is made at Epoch+n and has the LTs from n*StepLT on.
const (
	Epoch  = 1_700_000_000
	StepLT = 1_000_000
)

var serial atomic.Uint64

// Hash is a hash that nothing else has.
func Hash() chain.Hash {
	h := chain.Hash{0: 0xfa}
	binary.BigEndian.PutUint64(h[24:], serial.Add(1))
	return h
}

// Address is a basechain address that nothing else has.
func Address() chain.Address { return chain.Address{ID: Hash()} }

// Master returns masterchain block seqno with one shard block of the complete basechain, both empty. Edits add to it.
func Master(seqno uint32, edits ...func(*chain.MasterBlock)) *chain.MasterBlock {
	block := func(workchain int32) chain.Block {
		return chain.Block{
			BlockIDExt: chain.BlockIDExt{
				BlockID:  chain.BlockID{Workchain: workchain, Shard: chain.FullShard, Seqno: seqno},
				RootHash: Hash(), FileHash: Hash(),
			},
			McSeqno: seqno, GlobalID: -3, GenUtime: Epoch + seqno,
			StartLT: uint64(seqno) * StepLT, EndLT: uint64(seqno)*StepLT + StepLT/2,
			RandSeed: Hash(), CreatedBy: Hash(),
			PrevBlocks: []chain.BlockID{{Workchain: workchain, Shard: chain.FullShard, Seqno: seqno - 1}},
		}
	}
	mb := &chain.MasterBlock{Block: block(chain.MasterchainID), ShardBlocks: []chain.Block{block(chain.BasechainID)}}
	ref := seqno - 1
	mb.ShardBlocks[0].MasterRefSeqno = &ref
	mb.Shards = []chain.BlockIDExt{mb.ShardBlocks[0].BlockIDExt}
	for _, edit := range edits {
		edit(mb)
	}
	return mb
}

// next is an empty masterchain block after all that are indexed.
func next(t testing.TB, db *store.DB) *chain.MasterBlock {
	t.Helper()
	ranges, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	seqno := uint32(1)
	if n := len(ranges); n > 0 {
		seqno = ranges[n-1].Last + 1
	}
	return Master(seqno)
}

func apply(t testing.TB, db *store.DB, mb *chain.MasterBlock) {
	t.Helper()
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
}

// Block puts a masterchain block into the index.
func Block(t testing.TB, db *store.DB, edit func(*chain.Block)) chain.Block {
	t.Helper()
	mb := next(t, db)
	if edit != nil {
		edit(&mb.Block)
	}
	apply(t, db, mb)
	return mb.Block
}

// Transaction puts an ordinary transaction of a new account into the index, in the shard block of a new masterchain
// block, without messages and states.
func Transaction(t testing.TB, db *store.DB, edit func(*chain.Transaction)) chain.Transaction {
	t.Helper()
	mb := next(t, db)
	tx := NewTransaction(mb, Address())
	if edit != nil {
		edit(&tx)
	}
	AddTransaction(mb, &tx)
	apply(t, db, mb)
	if tx.InMsg == nil {
		tx.TraceID = new(tx.Hash) // it begins a trace
	}
	return tx
}

// NewTransaction returns an ordinary transaction in the shard block of mb, without adding it. Each has another LT.
func NewTransaction(mb *chain.MasterBlock, account chain.Address) chain.Transaction {
	const outMessages = 256 // LTs that a transaction may take for its messages
	return chain.Transaction{
		Account: account, LT: mb.Block.StartLT + serial.Add(1)*outMessages%(StepLT/2), Hash: Hash(), Now: mb.Block.GenUtime,
		OrigStatus: chain.Active, EndStatus: chain.Active, TotalFees: 1_000_000,
		StateHashBefore: Hash(), StateHashAfter: Hash(), Block: mb.ShardBlocks[0].BlockID, McSeqno: mb.Block.Seqno,
		Verification: chain.Replayed,
		Description: chain.TransactionDescription{
			Storage: &chain.StoragePhase{FeesCollected: 100},
			Compute: &chain.ComputePhase{
				Success: true, GasFees: 900_000, GasUsed: 2250, GasLimit: 1_000_000, VMSteps: 42,
				VMInitStateHash: Hash(), VMFinalStateHash: Hash(),
			},
			Action: &chain.ActionPhase{Success: true, Valid: true, ActionListHash: Hash()},
		},
	}
}

// AddTransaction adds tx to mb, in the shard block, with a raw BoC that nothing reads.
func AddTransaction(mb *chain.MasterBlock, tx *chain.Transaction) {
	mb.Transactions, mb.BOCs = append(mb.Transactions, *tx), append(mb.BOCs, chain.BOC{0xb5, 0xee, 0x9c, 0x72})
	mb.ShardBlocks[0].TxCount++
}

// Message puts an internal message between two new accounts into the index, neither sent nor received by an indexed
// transaction.
func Message(t testing.TB, db *store.DB, edit func(*chain.Message)) chain.Message {
	t.Helper()
	mb := next(t, db)
	m := NewMessage(mb, Address(), Address())
	if edit != nil {
		edit(&m)
	}
	mb.Messages = []chain.Message{m}
	apply(t, db, mb)
	return m
}

// NewMessage is an internal message of mb's time, not yet added to it.
func NewMessage(mb *chain.MasterBlock, source, destination chain.Address) chain.Message {
	lt, at := mb.Block.StartLT+1+serial.Add(1)*256%(StepLT/2), mb.Block.GenUtime
	value, fee, ihr, no := chain.Coins(1_000_000_000), chain.Coins(400_000), chain.Coins(0), false
	yes := true
	return chain.Message{
		Key: chain.MessageKey{Account: source, LT: lt}, Hash: Hash(), Source: &source, Destination: &destination,
		Value: &value, FwdFee: &fee, IHRFee: &ihr, CreatedLT: &lt, CreatedAt: &at, IHRDisabled: &yes, Bounce: &no, Bounced: &no,
		BodyHash: Hash(), Body: chain.BOC{0xb5, 0xee, 0x9c, 0x72},
	}
}

// NewSent is a message of mb's time that tx sends, not yet added to it. It counts as an out-message of tx.
func NewSent(mb *chain.MasterBlock, tx *chain.Transaction, destination chain.Address) chain.Message {
	m := NewMessage(mb, tx.Account, destination)
	tx.OutMsgCount++
	m.Key.LT = tx.LT + uint64(tx.OutMsgCount)
	m.CreatedLT, m.SentBy = new(m.Key.LT), &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
	return m
}

// Receive makes m the in-message of tx.
func Receive(tx *chain.Transaction, m *chain.Message) {
	tx.InMsg, m.ReceivedBy = &m.Key, &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
}

// Account writes the state of a new account to the index, at a new masterchain block.
func Account(t testing.TB, db *store.DB, edit func(*chain.AccountState)) chain.AccountState {
	t.Helper()
	mb := next(t, db)
	s := NewState(mb, Address())
	if edit != nil {
		edit(&s)
	}
	mb.States = []chain.AccountState{s}
	apply(t, db, mb)
	s.CodeBOC, s.DataBOC = nil, nil
	return s
}

// NewState is an active state of mb's time, not yet added to it.
func NewState(mb *chain.MasterBlock, account chain.Address) chain.AccountState {
	code, data := Hash(), Hash()
	return chain.AccountState{
		Account: account, LT: mb.Block.StartLT + 1, TxHash: Hash(), Hash: Hash(), Status: chain.Active, Balance: 5_000_000_000,
		CodeHash: &code, DataHash: &data, LastPaid: mb.Block.GenUtime, UsedCells: 22, UsedBits: 5400,
	}
}

// NewStateAfter is the active state that tx leaves, not yet added to mb.
func NewStateAfter(mb *chain.MasterBlock, tx *chain.Transaction, balance chain.Coins) chain.AccountState {
	s := NewState(mb, tx.Account)
	s.LT, s.TxHash, s.Hash, s.Balance = tx.LT, tx.Hash, tx.StateHashAfter, balance
	return s
}

// AddContract adds to mb what was detected about an account, later than all that mb has, and returns the account. edit
// adds the record.
func AddContract(mb *chain.MasterBlock, account chain.Address, edit func(*chain.Contract)) chain.Address {
	c := chain.Contract{
		Account: account, LT: mb.Block.StartLT + uint64(len(mb.Contracts)) + 1, McSeqno: mb.Block.Seqno, CodeHash: Hash(), Interfaces: []string{},
	}
	edit(&c)
	mb.Contracts = append(mb.Contracts, c)
	return account
}
