package actionphase

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// errUnsupported is returned for accounts whose address is rewritten (anycast), which no network has had.
var errUnsupported = errors.New("accounts with a rewritten address are not supported")

// AccountStatus as in transactions: acc_state.
const (
	statusUninit   = 0
	statusFrozen   = 1
	statusActive   = 2
	statusNonexist = 3
)

// account is the record of an account: Account and its AccountStorage.
type account struct {
	workchain int8
	id        []byte
	cells     uint64 // storage_used
	bits      uint64
	dictHash  []byte // of the dictionary of its cells, nil without
	lastPaid  uint64
	due       *big.Int // nil for none
	lastLT    uint64
	balance   value
	extraCell *cell.Cell // the dictionary of the balance as it stands
	status    int
	frozen    []byte
	state     stateInit
	storage   *cell.Cell // AccountStorage
}

// stateInit is the state of an active account.
type stateInit struct {
	depth, special        uint64 // special is TickTock with its flag, 0 for none
	code, data, libraries *cell.Cell
}

// prefix returns the first bits of the address.
func (a *account) prefix(n uint) uint64 {
	var v uint64
	for i := range n {
		v = v<<1 | uint64(a.id[i/8]>>(7-i%8)&1)
	}
	return v
}

func readAccount(c *cell.Cell) (*account, error) {
	a := &account{status: statusNonexist, balance: zero()}
	r := readerOf(c)
	if !r.flag() {
		return a, nil
	}
	address := r.address(internalAddress)
	if r.err == nil && (address.tag != 2 || address.depth > 0) {
		return nil, errUnsupported
	}
	a.workchain, a.id = int8(address.workchain), address.bits
	cells, _ := r.varUint(3)
	bits, _ := r.varUint(3)
	a.cells, a.bits = cells.Uint64(), bits.Uint64()
	if r.bits(3) == 1 {
		a.dictHash = r.bytes(32)
	}
	a.lastPaid = r.bits(32)
	a.due = r.maybeCoins()
	if r.err != nil {
		return nil, fmt.Errorf("account: %w", r.err)
	}
	a.storage = r.rest().EndCell()
	a.lastLT = r.bits(64)
	a.balance, a.extraCell, _ = r.value()
	switch {
	case r.flag():
		a.status, a.state = statusActive, r.state()
	case r.flag():
		a.status, a.frozen = statusFrozen, r.bytes(32)
	default:
		a.status = statusUninit
	}
	if !r.empty() {
		return nil, fmt.Errorf("account: %w", errors.Join(errShort, r.err))
	}
	return a, nil
}

// place gives an account that did not exist the address that the message was sent to.
func (a *account) place(m *inbound) error {
	if a.status != statusNonexist {
		return nil
	}
	if m == nil || m.rest.err != nil || m.destination.tag != 2 || m.destination.depth > 0 {
		return errUnsupported
	}
	a.workchain, a.id = int8(m.destination.workchain), m.destination.bits
	return nil
}

// state reads a StateInit.
func (r *reader) state() (s stateInit) {
	if r.flag() {
		s.depth = r.bits(5)
	}
	if r.flag() {
		s.special = 4 | r.bits(2)
	}
	s.code, s.data, s.libraries = r.maybeRef(), r.maybeRef(), r.maybeRef()
	return s
}

// store stores a StateInit as the network does, which leaves out what is zero. The depth is that of global version 10 and later, before
// which only a rewritten address has one.
func (s *stateInit) store(b *cell.Builder, version uint32) {
	if s.depth > 0 && version >= 10 {
		b.MustStoreUInt(32+s.depth, 6)
	} else {
		b.MustStoreUInt(0, 1)
	}
	if s.special > 4 {
		b.MustStoreUInt(s.special, 3)
	} else {
		b.MustStoreUInt(0, 1)
	}
	b.MustStoreMaybeRef(s.code).MustStoreMaybeRef(s.data).MustStoreMaybeRef(s.libraries)
}

func sameCell(a, b *cell.Cell) bool {
	return a == b || a != nil && b != nil && a.HashKey() == b.HashKey()
}

// buildStorage makes AccountStorage.
func (a *account) buildStorage(version uint32) (*cell.Cell, error) {
	b := cell.BeginCell().MustStoreUInt(a.lastLT, 64)
	if err := a.balance.store(b); err != nil {
		return nil, err
	}
	switch a.status {
	case statusUninit:
		b.MustStoreUInt(0, 2)
	case statusFrozen:
		b.MustStoreUInt(1, 2).MustStoreSlice(a.frozen, 256)
	default:
		b.MustStoreUInt(1, 1)
		a.state.store(b, version)
	}
	return b.EndCell(), nil
}

// errStat is returned when the dictionary of the cells of an account is needed and neither the account before nor the given one has it.
var errStat = errors.New("the dictionary of the account's cells is not known")

// statMin is how many cells an account has at most without a hash of the dictionary of its cells.
const statMin = 25

// build makes the Account. before is the account before the transaction, other one that another executor made of it: the usage of storage
// is taken from one of them that has the same cells.
func (a *account) build(version uint32, before, other *account) (*cell.Cell, error) {
	if a.status == statusNonexist {
		return cell.BeginCell().MustStoreBoolBit(false).EndCell(), nil
	}
	storage, err := a.buildStorage(version)
	if err != nil {
		return nil, err
	}
	a.storage = storage
	if err := a.count(version, before, other); err != nil {
		return nil, err
	}
	return a.cell(), nil
}

// cell makes the Account of its storage and usage.
func (a *account) cell() *cell.Cell {
	b := cell.BeginCell().MustStoreBoolBit(true).MustStoreUInt(4, 3).MustStoreInt(int64(a.workchain), 8).MustStoreSlice(a.id, 256)
	b.MustStoreBigVarUInt(new(big.Int).SetUint64(a.cells), 7).MustStoreBigVarUInt(new(big.Int).SetUint64(a.bits), 7)
	if a.dictHash != nil {
		b.MustStoreUInt(1, 3).MustStoreSlice(a.dictHash, 256)
	} else {
		b.MustStoreUInt(0, 3)
	}
	b.MustStoreUInt(a.lastPaid, 32)
	if a.due != nil && a.due.Sign() > 0 {
		b.MustStoreBoolBit(true).MustStoreBigCoins(a.due)
	} else {
		b.MustStoreBoolBit(false)
	}
	return b.MustStoreBuilder(a.storage.ToBuilder()).EndCell()
}

// counted returns what counts for the usage of storage: since global version 10 without the dictionary of extra currencies.
func (a *account) counted(version uint32) (refs []*cell.Cell, bits uint64) {
	if a.storage == nil {
		return nil, 0
	}
	first := 0
	if version >= 10 && len(a.balance.extra) > 0 {
		first = 1
	}
	for i := first; i < int(a.storage.RefsNum()); i++ {
		refs = append(refs, a.storage.MustPeekRef(i))
	}
	return refs, uint64(a.storage.BitsSize())
}

func sameCells(a, b []*cell.Cell) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameCell(a[i], b[i]) {
			return false
		}
	}
	return true
}

// count finds the usage of storage.
func (a *account) count(version uint32, before, other *account) error {
	refs, bits := a.counted(version)
	stored := version >= 11 && a.workchain != -1 // the hash of the dictionary
	from, fromBits := before.counted(version)
	if before.storage != nil && sameCells(refs, from) && (!stored || before.dictHash != nil || before.cells <= statMin) {
		a.cells, a.bits = before.cells, before.bits-fromBits+bits
		if stored {
			a.dictHash = before.dictHash
		}
		return nil
	}
	if other != nil && other.storage != nil {
		if from, fromBits := other.counted(version); sameCells(refs, from) {
			a.cells, a.bits, a.dictHash = other.cells, other.bits-fromBits+bits, other.dictHash
			return nil
		}
	}
	u := newUsage(^uint64(0))
	for _, ref := range refs {
		u.add(ref)
	}
	a.cells, a.bits = u.cells+1, u.bits+bits
	if stored && a.cells > statMin {
		return errStat
	}
	return nil
}
