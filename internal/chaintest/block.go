package chaintest

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// First is the seqno of the first masterchain block.
const First = 10

const (
	stepLT     = 1000
	shardAhead = 10 // seqno of the basechain block, minus that of the masterchain block
)

// TransferOp is the opcode of the bodies of I12 and others.
const TransferOp = 0x0f8a7ea5

// The accounts of the chain, and the hashes of their codes. The wallet has the code of v4 r2, the others that of the
// Jetton wallet.
var (
	Wallet       = chain.Address{Workchain: 0, ID: chain.Hash{0: 0x11}}
	JettonWallet = chain.Address{Workchain: 0, ID: chain.Hash{0: 0x22}}
	Ticker       = chain.Address{Workchain: -1, ID: chain.Hash{0: 0x33}}

	WalletCode = chain.Hash{0xfe, 0xb5, 0xff, 0x68, 0x20, 0xe2, 0xff, 0x0d, 0x94, 0x83, 0xe7, 0xe0, 0xd6, 0x2c, 0x81, 0x7d,
		0x84, 0x67, 0x89, 0xfb, 0x4a, 0xe5, 0x80, 0xc8, 0x78, 0x86, 0x6d, 0x95, 0x9d, 0xab, 0xd5, 0xc0}
	JettonWalletCode = chain.Hash{0: 0x44}
)

// Index writes the masterchain blocks from [First] to last, each after edits.
func Index(t testing.TB, db *store.DB, last uint32, edits ...func(*chain.MasterBlock)) {
	t.Helper()
	for seqno := uint32(First); seqno <= last; seqno++ {
		b := Master(seqno)
		for _, edit := range edits {
			edit(b)
		}
		require.NoError(t, db.Writer().Apply(t.Context(), b))
	}
}

// Master returns a masterchain block with everything that it commits.
func Master(seqno uint32) *chain.MasterBlock {
	b := testdb.Master(seqno)
	master, shard := &b.Block, &b.ShardBlocks[0]
	nameBlock(master, 'M')
	master.TxCount, master.ValidatorListHashShort = 1, 4_000_000_000
	nameBlock(shard, 'S')
	shard.Seqno, shard.PrevBlocks[0].Seqno = seqno+shardAhead, seqno+shardAhead-1
	shard.StartLT, shard.TxCount, shard.ValidatorListHashShort = master.StartLT+1, 2, master.ValidatorListHashShort
	b.Shards = []chain.BlockIDExt{shard.BlockIDExt}
	addTransactions(b)
	return b
}

func nameBlock(b *chain.Block, letter byte) {
	b.RootHash, b.FileHash, b.RandSeed = Root.Hash(letter, b.McSeqno), File.Hash(letter, b.McSeqno), Rand.Hash(letter, b.McSeqno)
	b.StartLT = uint64(b.McSeqno) * stepLT
	b.EndLT = b.StartLT + 9
}

// walletData returns the data of the wallet with a seqno.
func walletData(seqno uint32) (chain.BOC, chain.Hash) {
	c := cell.BeginCell().MustStoreUInt(uint64(seqno), 32).MustStoreUInt(698983191, 32).MustStoreSlice(make([]byte, 32), 256).
		MustStoreBoolBit(false).EndCell()
	return c.ToBOCWithOptions(cell.BOCSerializeOptions{}), chain.HashFrom(c.Hash())
}

// Body returns a message body that starts with an opcode and a query id.
func Body(op, queryID uint32) (chain.BOC, chain.Hash) {
	c := cell.BeginCell().MustStoreUInt(uint64(op), 32).MustStoreUInt(uint64(queryID), 64).EndCell()
	return c.ToBOC(), chain.HashFrom(c.Hash())
}

func addTransactions(b *chain.MasterBlock) {
	k := b.Block.Seqno
	data, dataHash := walletData(k)
	callBody, callHash := Body(TransferOp, k)
	logBody, logHash := Body(1, k)
	b.Cells = map[chain.Hash]chain.BOC{dataHash: data, WalletCode: callBody, JettonWalletCode: logBody}

	tick, w, j := transaction(b, 'T', Ticker, 5), transaction(b, 'W', Wallet, 1), transaction(b, 'J', JettonWallet, 3)
	tick.Block, tick.Description.Kind = b.Block.BlockID, chain.TickTock
	if k == First {
		w.OrigStatus, w.PrevLT, w.PrevHash = chain.Nonexist, 0, chain.Hash{}
	}
	order := chain.Message{
		Key: chain.MessageKey{Account: Wallet, LT: w.LT}, Hash: Message.Hash('E', k), HashNorm: new(Norm.Hash('E', k)), Kind: chain.ExternalIn,
		Destination: &Wallet, ImportFee: big.NewInt(0), BodyHash: dataHash, Body: data, Opcode: new(k),
	}
	testdb.Receive(&w, &order)
	call := testdb.NewSent(b, &w, JettonWallet)
	call.Hash, call.Bounce, call.Opcode, call.BodyHash, call.Body = Message.Hash('I', k), new(true), new(uint32(TransferOp)), callHash, callBody
	testdb.Receive(&j, &call)
	log := testdb.NewSent(b, &j, chain.Address{})
	log.Kind, log.Destination, log.Value, log.FwdFee, log.IHRFee = chain.ExternalOut, nil, nil, nil, nil
	log.IHRDisabled, log.Bounce, log.Bounced = nil, nil, nil
	log.Hash, log.Opcode, log.BodyHash, log.Body = Message.Hash('O', k), new(uint32(1)), logHash, logBody

	balance := chain.Coins(k) * 1_000_000 // grows with the block; the wallet's is the highest
	b.Transactions = []chain.Transaction{tick, w, j}
	b.BOCs = []chain.BOC{rawTransaction(tick.Hash), rawTransaction(w.Hash), rawTransaction(j.Hash)}
	b.Messages = []chain.Message{order, call, log}
	b.States = []chain.AccountState{
		state(b, &tick, balance, JettonWalletCode, nil), state(b, &w, 10*balance, WalletCode, &dataHash),
		state(b, &j, balance, JettonWalletCode, nil),
	}
}

// transaction returns a transaction of a basechain account, without messages, at a distance from the LT of the block.
func transaction(b *chain.MasterBlock, letter byte, account chain.Address, lt uint64) chain.Transaction {
	k, tx := b.Block.Seqno, testdb.NewTransaction(b, account)
	tx.LT, tx.Hash = b.Block.StartLT+lt, Tx.Hash(letter, k)
	tx.PrevLT, tx.PrevHash = tx.LT-stepLT, Tx.Hash(letter, k-1)
	tx.StateHashBefore, tx.StateHashAfter = State.Hash(letter, k-1), State.Hash(letter, k)
	return tx
}

// rawTransaction stands for the BoC of a transaction: a cell with its hash.
func rawTransaction(hash chain.Hash) chain.BOC {
	return cell.BeginCell().MustStoreSlice(hash.Bytes(), 256).EndCell().ToBOC()
}

func state(b *chain.MasterBlock, tx *chain.Transaction, balance chain.Coins, code chain.Hash, data *chain.Hash) chain.AccountState {
	s := testdb.NewStateAfter(b, tx, balance)
	s.CodeHash, s.DataHash = &code, data
	return s
}
