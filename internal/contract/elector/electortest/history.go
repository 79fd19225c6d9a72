package electortest

import (
	"crypto/sha256"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// Times of a [History], in blocks, each of which takes a second.
const (
	Period  = 20                        // from one validator set to the next
	Elected = 10                        // from the block that names a set as the next one until it begins
	Frozen  = 8                         // how long stakes are frozen
	First   = testdb.Epoch + 2*Period   // time at which the first set begins
	Last    = First + (Cycles-1)*Period // time at which the last one does
	Cycles  = 4                         // validator sets
	Members = 3                         // validators of each; one more account stakes
)

// Elector is the address of the elector.
var Elector = Holder(chain.Hash{0x33, 0x33})

// Holder is an account of the masterchain.
func Holder(id chain.Hash) chain.Address {
	return chain.Address{Workchain: chain.MasterchainID, ID: id}
}

func hash(text string, i, j int) chain.Hash { return sha256.Sum256([]byte{text[0], byte(i), byte(j)}) }

// Key is the public key of the validator with an index in a set.
func Key(set, index int) chain.Hash { return hash("key", set, index) }

// ADNL is the ADNL id of that validator.
func ADNL(set, index int) chain.Hash { return hash("adnl", set, index) }

// Account has the stake of the validator with an index in every set.
func Account(index int) chain.Address { return Holder(hash("stake", 0, index)) }

// Start is the time at which a set begins.
func Start(set int) uint32 { return First + uint32(set)*Period }

// ID is the election of a set: the validators begin later than it was announced.
func ID(set int) uint32 { return Start(set) - 1 }

// Stake is the stake of the validator with an index.
func Stake(index int) *big.Int { return big.NewInt(int64(1000 - 100*index)) }

// Weight is the weight of the validator with an index.
func Weight(index int) uint64 { return uint64(10 - index) }

// Set is the cell of a validator set.
func Set(set int) *cell.Cell {
	d, total := cell.NewDict(16), uint64(0)
	for i := range Members {
		key, adnl := Key(set, i), ADNL(set, i)
		v := cell.BeginCell().MustStoreUInt(0x73, 8).MustStoreUInt(0x8e81278a, 32).MustStoreSlice(key[:], 256).
			MustStoreUInt(Weight(i), 64).MustStoreSlice(adnl[:], 256).EndCell()
		if err := d.SetIntKey(big.NewInt(int64(i)), v); err != nil {
			panic(err) //nolint:forbidigo // data of a test always fit
		}
		total += Weight(i)
	}
	start := uint64(Start(set))
	return cell.BeginCell().MustStoreUInt(0x12, 8).MustStoreUInt(start, 32).MustStoreUInt(start+Period, 32).MustStoreUInt(Members, 16).
		MustStoreUInt(2, 16).MustStoreUInt(total, 64).MustStoreMaybeRef(d.AsCell()).EndCell()
}

// SetHash is the hash of a set.
func SetHash(set int) chain.Hash { return chain.Hash(Set(set).HashKey()) }

// History is a chain of [Cycles] validation cycles, whose elector accepts a complaint about the first validator of each cycle. An election of the
// next validators is going on at its end.
type History struct {
	data   Data
	params map[int64]*cell.Cell
	prev   chain.Transaction
	// Leave skips a block, so that the index lacks it.
	Leave func(seqno uint32) bool
	// Edit may replace the data of the elector after a block.
	Edit func(seqno uint32, data *cell.Cell) *cell.Cell
}

// Seqno is the masterchain block at a time.
func Seqno(at uint32) uint32 { return at - testdb.Epoch }

// Complained is the time of a complaint about a set: two validators of the next one have voted five blocks later.
func Complained(set int) uint32 { return Start(set+1) + 2 }

// Write writes the chain.
func (h *History) Write(t testing.TB, db *store.DB) {
	t.Helper()
	coins := func(b *cell.Builder, list ...int64) *cell.Builder {
		for _, n := range list {
			b.MustStoreBigCoins(big.NewInt(n))
		}
		return b
	}
	h.params = map[int64]*cell.Cell{
		1:  cell.BeginCell().MustStoreSlice(Elector.ID[:], 256).EndCell(),
		15: cell.BeginCell().MustStoreUInt(Period, 32).MustStoreUInt(15, 32).MustStoreUInt(5, 32).MustStoreUInt(Frozen, 32).EndCell(),
		16: cell.BeginCell().MustStoreUInt(400, 16).MustStoreUInt(100, 16).MustStoreUInt(2, 16).EndCell(),
		17: coins(cell.BeginCell(), 300, 10_000, 900).MustStoreUInt(3<<16, 32).EndCell(),
	}
	for seqno := Seqno(First) - Period; seqno <= Seqno(Last)+Period-5; seqno++ {
		key := h.step(seqno)
		if h.Leave != nil && h.Leave(seqno) {
			h.prev = chain.Transaction{}
			continue
		}
		h.write(t, db, seqno, key)
	}
}

// step changes the state as a block does, and reports whether it is a key block.
func (h *History) step(seqno uint32) bool {
	now := testdb.Epoch + seqno
	phase := int((seqno - Seqno(First) + Period) % Period)
	set := int(seqno-Seqno(First)+Period) / Period // the one that begins at the end of this period
	switch {
	case phase == Period-Elected-5 && set <= Cycles:
		h.data.Election = &chain.ValidatorElection{ID: ID(set), Close: ID(set) - 9, MinStake: big.NewInt(300), TotalStake: new(big.Int)}
	case phase == Period-Elected-3 && set <= Cycles:
		e := h.data.Election
		for i := range Members + 1 {
			p := chain.ElectionParticipant{Key: Key(set, i), Stake: Stake(i), MaxFactor: 1<<16 + uint32(i), StakeHolder: Account(i), ADNL: ADNL(set, i)}
			e.Participants = append(e.Participants, p)
			e.TotalStake = new(big.Int).Add(e.TotalStake, p.Stake)
		}
	case phase == Period-Elected && set < Cycles:
		h.data.Election.Finished = true
		past := PastElection{ID: ID(set), UnfreezeAt: Start(set+1) + Frozen, FrozenFor: Frozen, SetHash: SetHash(set)}
		past.Frozen = h.data.Election.Participants[:Members]
		h.data.Past = append(h.data.Past, past)
		h.params[36] = Set(set)
		return true
	case phase == Period-Elected+1 && set < Cycles:
		h.data.Election = nil
	case phase == 0 && set > 0 && set <= Cycles:
		if current := h.params[34]; current != nil {
			h.params[32] = current
		}
		h.params[34] = h.params[36]
		delete(h.params, 36)
		return true
	}
	for i := range h.data.Past {
		p := &h.data.Past[i]
		ended := p.ID + 1 + Period
		switch now {
		case ended + 2:
			p.Complaints = []Complaint{{Key: p.Frozen[0].Key, CreatedAt: now}}
		case ended + 5:
			c := &p.Complaints[0]
			c.SetHash, c.Voters, c.WeightRemaining = chain.Hash(h.params[34].HashKey()), []uint16{1}, 18-int64(Weight(1))
		case ended + 6:
			c := &p.Complaints[0]
			c.Voters, c.WeightRemaining = []uint16{0, 1}, c.WeightRemaining-int64(Weight(0))
		}
	}
	h.data.Past = slices.DeleteFunc(slices.Clone(h.data.Past), func(p PastElection) bool { return now >= p.ID+1+Period+1+Frozen })
	return false
}

func (h *History) write(t testing.TB, db *store.DB, seqno uint32, key bool) {
	t.Helper()
	mb := testdb.Master(seqno)
	if key {
		d := cell.NewDict(32)
		for n, value := range h.params {
			require.NoError(t, d.SetIntKey(big.NewInt(n), cell.BeginCell().MustStoreRef(value).EndCell()))
		}
		root := d.AsCell()
		mb.Block.KeyBlock, mb.Config = true, &chain.Config{McSeqno: seqno, Root: chain.Hash(root.HashKey()), BOC: root.ToBOC()}
	}
	data := h.data.Cell()
	if h.Edit != nil {
		data = h.Edit(seqno, data)
	}
	h.exchange(mb)
	tx := h.transaction(mb, Elector)
	state := testdb.NewStateAfter(mb, tx, 1e9)
	at := chain.Hash(data.HashKey())
	state.DataHash, mb.Cells = &at, map[chain.Hash]chain.BOC{at: data.ToBOC()}
	mb.States = append(mb.States, state)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
}

// transaction adds a transaction of a masterchain account.
func (h *History) transaction(mb *chain.MasterBlock, account chain.Address) *chain.Transaction {
	const step = 1000
	tx := testdb.NewTransaction(mb, account)
	tx.Block, tx.LT = mb.Block.BlockID, mb.Block.StartLT+uint64(len(mb.Transactions)+1)*step
	if account == Elector {
		tx.PrevLT, tx.PrevHash = h.prev.LT, h.prev.Hash
		if h.prev.LT > 0 {
			tx.StateHashBefore = h.prev.StateHashAfter
		}
		h.prev = tx
	}
	mb.Transactions = append(mb.Transactions, tx)
	return &mb.Transactions[len(mb.Transactions)-1]
}

// Opcodes of messages, and the number of the query of each.
const (
	opStake, opStakeOK, opStakeError       = 0x4e73744b, 0xf374484c, 0xee6f454c
	opRecover, opRecovered, opRecoverError = 0x47657424, 0xf96f7324, 0xfffffffe
	Fee                                    = 1_000_000_000
	Reason                                 = 5 // why the stake of the account Rejected was
	Rejected                               = Members + 1
)

// exchange adds the messages of a block: stakes of all accounts, of which the last one is rejected, and requests of the two that were not elected, of
// which the last one fails.
func (h *History) exchange(mb *chain.MasterBlock) {
	phase := (mb.Block.Seqno - Seqno(First) + Period) % Period
	set := int(mb.Block.Seqno-Seqno(First)+Period) / Period
	switch phase {
	case Period - Elected - 3:
		for i := range Members + 2 {
			key, adnl := Key(set, i), ADNL(set, i)
			body := cell.BeginCell().MustStoreSlice(key[:], 256).MustStoreUInt(uint64(ID(set)), 32).MustStoreUInt(1<<16, 32).MustStoreSlice(adnl[:], 256).
				MustStoreRef(cell.BeginCell().EndCell())
			value := Fee + Stake(i).Uint64()
			if i == Rejected {
				h.call(mb, i, opStake, value, body, opStakeError, value-7, cell.BeginCell().MustStoreUInt(Reason, 32))
			} else {
				h.call(mb, i, opStake, value, body, opStakeOK, Fee, cell.BeginCell().MustStoreUInt(0, 32))
			}
		}
	case Period - Elected + 2:
		h.call(mb, Members, opRecover, Fee, nil, opRecovered, Stake(Members).Uint64(), nil)
		h.call(mb, Rejected, opRecover, Fee, nil, opRecoverError, Fee-9, nil)
	}
}

func message(m *chain.Message, op uint32, query, value uint64, rest *cell.Builder) {
	b := cell.BeginCell().MustStoreUInt(uint64(op), 32).MustStoreUInt(query, 64)
	if rest != nil {
		b.MustStoreBuilder(rest)
	}
	body := b.EndCell()
	coins := chain.Coins(value)
	m.Opcode, m.Body, m.BodyHash, m.Value = &op, body.ToBOC(), chain.Hash(body.HashKey()), &coins
}

// call adds a message to the elector, its reply, and the transactions that receive them.
func (h *History) call(mb *chain.MasterBlock, account int, op uint32, value uint64, rest *cell.Builder, replyOp uint32, replied uint64, reply *cell.Builder) {
	query := uint64(account + 1)
	in := testdb.NewMessage(mb, Account(account), Elector)
	message(&in, op, query, value, rest)
	tx := h.transaction(mb, Elector)
	testdb.Receive(tx, &in)
	out := testdb.NewSent(mb, tx, Account(account))
	message(&out, replyOp, query, replied, reply)
	received := h.transaction(mb, Account(account))
	testdb.Receive(received, &out)
	mb.Messages = append(mb.Messages, in, out)
}
