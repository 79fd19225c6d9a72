package synthetic

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// The few opcodes that messages carry, busiest first: text comment, Jetton transfer, notification, excesses.
var opcodes = [...]uint32{0, 0x0f8a7ea5, 0x7362d09c, 0xd53276db}

// codes are the code hashes that accounts share.
var codes = func() (hashes [12]chain.Hash) {
	for i := range hashes {
		hashes[i] = Address(-2 - i).ID
	}
	return hashes
}()

// CodeHash is the n-th of the twelve code hashes that accounts share.
func CodeHash(n int) chain.Hash { return codes[n%len(codes)] }

// EmptyBody is the hash of the body that one message in ten has.
func EmptyBody() chain.Hash { return chain.Hash(cell.BeginCell().EndCell().HashKey()) }

// execute makes one transaction: three in four of a message that is under way, the others of one from outside.
func (c *Chain) execute(mb *chain.MasterBlock, lt uint64) {
	in, sent := c.land()
	n := in.to
	if !sent {
		n = c.pick()
		in.message = c.externalIn(n, lt)
	}
	tx := c.transaction(mb, &c.accounts[n], Address(n), lt)
	tx.InMsg = &in.message.Key
	received := &chain.TransactionRef{LT: lt, Hash: tx.Hash}
	if sent && in.seqno == c.seqno {
		mb.Messages[in.place].ReceivedBy = received
	} else {
		in.message.SentBy, in.message.ReceivedBy = nil, received // this block sees its own side only
		mb.Messages = append(mb.Messages, in.message.Message)
	}
	out := c.send(mb, &tx, !sent)
	c.add(mb, &tx, c.accounts[n].balance, &codes[n%len(codes)], raw(&tx, in.message.cell, out))
}

// tickTock makes the transaction that a masterchain account has in every block, without a message.
func (c *Chain) tickTock(mb *chain.MasterBlock, lt uint64) {
	tx := c.transaction(mb, &c.ticker, Ticker(), lt)
	tx.Description.Kind, tx.Description.CreditFirst, tx.Description.Credit = chain.TickTock, false, nil
	c.add(mb, &tx, c.ticker.balance, &codes[1], raw(&tx, nil, nil))
}

// land takes a message that is under way: the oldest, or the newest, which this block may have sent itself.
func (c *Chain) land() (flight, bool) {
	if len(c.flying) == 0 || c.rng.IntN(4) == 0 {
		return flight{}, false
	}
	last := len(c.flying) - 1
	var f flight
	if c.rng.IntN(2) == 0 {
		f, c.flying = c.flying[0], c.flying[1:]
	} else {
		f, c.flying = c.flying[last], c.flying[:last]
	}
	return f, true
}

// transaction is the bare transaction of an account, which it moves on.
func (c *Chain) transaction(mb *chain.MasterBlock, a *account, address chain.Address, lt uint64) chain.Transaction {
	tx := chain.Transaction{
		Account: address, LT: lt, Hash: c.hash(), PrevLT: a.lt, PrevHash: a.hash, Now: mb.Block.GenUtime,
		OrigStatus: chain.Active, EndStatus: chain.Active, TotalFees: chain.Coins(1_000_000 + c.rng.Uint64N(5_000_000)),
		StateHashBefore: a.state, StateHashAfter: c.hash(), Block: home(mb, address).BlockID, McSeqno: mb.Block.Seqno,
		Verification: chain.Replayed, Description: c.description(),
	}
	if a.lt == 0 {
		tx.OrigStatus = chain.Uninit
	}
	a.lt, a.hash, a.state = lt, tx.Hash, tx.StateHashAfter
	a.balance = c.moved(a.balance)
	return tx
}

// moved is a balance after a transaction: of any size at first, then up to a tenth more or less.
func (c *Chain) moved(balance chain.Coins) chain.Coins {
	if balance < 1024 {
		return 1024 + chain.Coins(c.rng.Uint64())>>(20+c.rng.IntN(30))
	}
	return balance - balance/10 + chain.Coins(c.rng.Uint64N(uint64(balance/5)))
}

// home is the block that an account's transactions lie in.
func home(mb *chain.MasterBlock, account chain.Address) *chain.Block {
	if account.Workchain == chain.MasterchainID {
		return &mb.Block
	}
	for i := range mb.ShardBlocks {
		if mb.ShardBlocks[i].Shard.Contains(account.ID) {
			return &mb.ShardBlocks[i]
		}
	}
	return &mb.ShardBlocks[0]
}

func (c *Chain) description() chain.TransactionDescription {
	gas := 1_000 + c.rng.Uint64N(20_000)
	failed := c.rng.IntN(50) == 0
	d := chain.TransactionDescription{
		CreditFirst: true, Aborted: failed,
		Storage: &chain.StoragePhase{FeesCollected: chain.Coins(c.rng.Uint64N(1000))},
		Credit:  &chain.CreditPhase{Credit: chain.Coins(c.rng.Uint64N(1 << 40))},
		Compute: &chain.ComputePhase{
			Success: !failed, GasFees: chain.Coins(gas * 400), GasUsed: gas, GasLimit: 1_000_000, VMSteps: uint32(gas / 40),
		},
	}
	if failed {
		d.Compute.ExitCode = 37
		return d
	}
	fee := chain.Coins(400_000)
	d.Action = &chain.ActionPhase{
		Success: true, Valid: true, TotalFwdFees: &fee, TotalFees: &fee, TotalActions: 1, MsgsCreated: 1,
		ActionListHash: c.hash(), MsgSize: chain.MessageSize{Cells: 3, Bits: 1200},
	}
	return d
}

// send gives tx its out-messages: more to a transaction that began outside than to one in the middle of a trace. It returns their
// cells.
func (c *Chain) send(mb *chain.MasterBlock, tx *chain.Transaction, outside bool) (cells []*cell.Cell) {
	n := c.rng.IntN(2)
	if outside {
		n = 1 + c.rng.IntN(2)
	}
	for i := range n {
		to := c.pick()
		m := c.internal(mb, tx, tx.LT+uint64(i)+1, to)
		c.flying = append(c.flying, flight{message: m, to: to, seqno: c.seqno, place: len(mb.Messages)})
		mb.Messages, cells = append(mb.Messages, m.Message), append(cells, m.cell)
	}
	if c.rng.IntN(40) == 0 {
		m := c.externalOut(mb, tx, tx.LT+uint64(n)+1)
		mb.Messages, cells = append(mb.Messages, m.Message), append(cells, m.cell)
	}
	tx.OutMsgCount = uint16(len(cells))
	return cells
}

func (c *Chain) internal(mb *chain.MasterBlock, tx *chain.Transaction, lt uint64, to int) sealed {
	value, fee, ihr := chain.Coins(c.rng.Uint64N(1<<40)), chain.Coins(400_000), chain.Coins(0)
	yes, no := true, false
	source, destination := tx.Account, Address(to)
	at := mb.Block.GenUtime
	m := chain.Message{
		Key: chain.MessageKey{Account: source, LT: lt}, Source: &source, Destination: &destination,
		Value: &value, FwdFee: &fee, IHRFee: &ihr, CreatedLT: &lt, CreatedAt: &at, IHRDisabled: &yes, Bounce: &yes, Bounced: &no,
		ExtraFlags: new(big.Int), SentBy: &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash},
	}
	return seal(m, c.body(&m))
}

// body makes a body: mostly with one of a few opcodes, sometimes with a rare one, sometimes empty.
func (c *Chain) body(m *chain.Message) *cell.Cell {
	switch n := c.rng.IntN(100); {
	case n < 10:
		return cell.BeginCell().EndCell()
	case n < 12:
		op := uint32(mix(uint64(c.rng.IntN(2000))))
		m.Opcode = &op
	default:
		op := opcodes[c.rng.IntN(len(opcodes))]
		m.Opcode = &op
	}
	return c.fields(*m.Opcode, 27+c.rng.IntN(160))
}

// fields makes a body of n random bytes after an opcode.
func (c *Chain) fields(opcode uint32, n int) *cell.Cell {
	const room = 120 // bytes in a cell
	random := c.boc(n)
	b := cell.BeginCell().MustStoreUInt(uint64(opcode), 32)
	if n > room {
		b.MustStoreRef(cell.BeginCell().MustStoreSlice(random[room:], 8*uint(n-room)).EndCell())
		n = room
	}
	return b.MustStoreSlice(random, 8*uint(n)).EndCell()
}

func (c *Chain) externalIn(to int, lt uint64) sealed {
	destination := Address(to)
	op := uint32(c.rng.Uint64())
	m := chain.Message{
		Key: chain.MessageKey{Account: destination, LT: lt}, Kind: chain.ExternalIn, Destination: &destination,
		ImportFee: new(big.Int), Opcode: &op,
	}
	return seal(m, c.fields(op, 100+c.rng.IntN(100)))
}

func (c *Chain) externalOut(mb *chain.MasterBlock, tx *chain.Transaction, lt uint64) sealed {
	source, at := tx.Account, mb.Block.GenUtime
	m := chain.Message{
		Key: chain.MessageKey{Account: source, LT: lt}, Kind: chain.ExternalOut, Source: &source,
		CreatedLT: &lt, CreatedAt: &at, SentBy: &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash},
	}
	return seal(m, c.body(&m))
}

// add files a transaction with the state it leaves.
func (c *Chain) add(mb *chain.MasterBlock, tx *chain.Transaction, balance chain.Coins, code *chain.Hash, boc chain.BOC) {
	data := c.hash()
	mb.Transactions = append(mb.Transactions, *tx)
	mb.States = append(mb.States, chain.AccountState{
		Account: tx.Account, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Active,
		Balance: balance, CodeHash: code, DataHash: &data, LastPaid: tx.Now, UsedCells: 22, UsedBits: 5_697,
		Rest: []byte{byte(1 + tx.OutMsgCount)},
	})
	home(mb, tx.Account).TxCount++
	if c.opts.BOCs {
		mb.BOCs = append(mb.BOCs, boc)
	}
	if c.opts.Cells {
		mb.Cells[data] = c.boc(60 + c.rng.IntN(80))
		mb.Cells[*code] = chain.BOC(code[:])
	}
}
