package actionphase

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// transaction is what is read of the given transaction, and stands.
type transaction struct {
	head        *cell.Builder // up to now
	lt, now     uint64
	origStatus  uint64
	inMessage   *cell.Cell
	oldHash     []byte
	description *cell.Builder // up to the compute phase, without it
	compute     *cell.Builder // the compute phase
	details     *cell.Cell    // of the compute phase, nil if it was skipped
	tail        *cell.Builder // behind the compute phase
	acts        bool          // it was successful
	noState     bool          // it was skipped because there is no state, or one that cannot be used
	ordinary    bool
	storageFees *big.Int
	storageDue  *big.Int
	credit      *big.Int // nil without a credit phase
	creditExtra map[uint32]*big.Int
	creditFirst bool
	changed     bool // the status, by the storage phase
	gasFees     *big.Int
	gasUsed     uint64
	steps       uint64
}

func readTransaction(c *cell.Cell) (*transaction, error) {
	r := readerOf(c)
	if r.err != nil {
		return nil, fmt.Errorf("transaction: %w", r.err)
	}
	t, before := &transaction{}, r.s.Copy()
	r.bits(4)
	r.skip(256)
	t.lt = r.bits(64)
	r.skip(256)
	r.bits(64)
	t.now = r.bits(32)
	if r.err != nil {
		return nil, fmt.Errorf("transaction: %w", r.err)
	}
	t.head = r.since(before)
	r.bits(15)
	t.origStatus = r.bits(2)
	messages := r.ref()
	r.bits(2)
	r.value()
	update, description := r.ref(), r.ref()
	if r.err != nil {
		return nil, fmt.Errorf("transaction: %w", r.err)
	}
	t.inMessage = readerOf(messages).maybeRef()
	u := readerOf(update)
	u.bits(8)
	t.oldHash = u.bytes(32)
	if u.err != nil {
		return nil, fmt.Errorf("transaction: %w", u.err)
	}
	return t, t.readDescription(description)
}

func (t *transaction) readDescription(c *cell.Cell) error {
	r := readerOf(c)
	if r.err != nil {
		return fmt.Errorf("description: %w", r.err)
	}
	before := r.s.Copy()
	t.storageFees = new(big.Int)
	storage := true
	switch r.bits(4) {
	case 0:
		t.ordinary = true
		t.creditFirst, storage = r.flag(), r.flag()
	case 2, 3: // tick and tock
	default:
		return errKind
	}
	if storage {
		t.storageFees, t.storageDue = r.coins(), r.maybeCoins()
		if t.changed = r.flag(); t.changed {
			r.bits(1)
		}
	}
	if t.ordinary && r.flag() {
		r.maybeCoins()
		v, _, _ := r.value()
		t.credit, t.creditExtra = v.grams, v.extra
	}
	if r.err != nil {
		return fmt.Errorf("description: %w", r.err)
	}
	t.description, before = r.since(before), r.s.Copy()
	t.gasFees = new(big.Int)
	if !r.flag() {
		t.noState = r.bits(2) < 2
		if r.err != nil {
			return fmt.Errorf("description: %w", r.err)
		}
		t.tail = r.rest()
		return nil
	}
	t.acts = r.flag()
	r.bits(2) // msg_state_used, account_activated
	t.gasFees = r.coins()
	details := r.ref()
	if r.err != nil {
		return fmt.Errorf("description: %w", r.err)
	}
	t.compute, t.details, t.tail = r.since(before), details, r.rest()
	t.readDetails(readerOf(details))
	return nil
}

// readDetails reads what the compute phase took.
func (t *transaction) readDetails(r *reader) {
	used, _ := r.varUint(3)
	t.gasUsed = used.Uint64()
	r.varUint(3)
	if r.flag() {
		r.varUint(2)
	}
	r.bits(8 + 32)
	if r.flag() {
		r.bits(32)
	}
	t.steps = r.bits(32)
}
