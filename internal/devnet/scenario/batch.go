package scenario

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// externalLife is how long a signed message stays valid, in seconds of chain time.
const externalLife = 300

// batch is the traffic that the scenario sends after one masterchain block. It collects orders per wallet and sends them
// together at the end, because a wallet can send only one external message per block.
type batch struct {
	*view
	cast        *cast
	contractSet *contractSet
	rand        *rand.Rand

	first, last uint32 // seqnos that the batch covers: normally one, more after missed blocks

	outbox   map[*contracts.Wallet]*letter
	sealed   []*cell.Cell // signed external messages, in order
	senders  []*contracts.Wallet
	accounts map[string]account
	failed   error // the first account that could not be read
	queryID  uint64

	mintedNFT, mintedSBT bool // in this batch: the next index is read from the chain, so one mint per batch is possible
}

// letter is the pending external message of one wallet.
type letter struct {
	orders []contracts.Order
	room   int // messages it can still take
	ticket contracts.Ticket
}

func (s *Scenario) newBatch(v *view, first, last uint32) *batch {
	return &batch{
		view:        v,
		cast:        s.cast,
		contractSet: s.contractSet,
		rand:        dice(s.opts.Seed, "turn", last),
		first:       first,
		last:        last,
		outbox:      map[*contracts.Wallet]*letter{},
		accounts:    map[string]account{},
	}
}

// dice returns a random generator that depends on its arguments only.
func dice(seed [32]byte, purpose string, seqno uint32) *rand.Rand {
	sum := sha256.Sum256(binary.BigEndian.AppendUint32(append(seed[:], purpose...), seqno))
	return rand.New(rand.NewChaCha8(sum))
}

// crosses reports whether one of the batch's seqnos is offset modulo period.
func (t *batch) crosses(period, offset uint32) bool {
	for k := t.first; k <= t.last; k++ {
		if k%period == offset {
			return true
		}
	}
	return false
}

// look reads an account, once per batch. After a failure it returns nonexistent accounts.
func (t *batch) look(a *address.Address) account {
	key := a.StringRaw()
	if acc, ok := t.accounts[key]; ok {
		return acc
	}
	if t.failed != nil {
		return account{}
	}
	acc, err := t.account(a)
	if err != nil {
		t.failed = err
		return account{}
	}
	t.accounts[key] = acc
	return acc
}

// letterOf returns the wallet's letter; nil when the wallet cannot send now: no account, no balance, or an unreadable
// seqno.
func (t *batch) letterOf(w *contracts.Wallet) *letter {
	if l, ok := t.outbox[w]; ok {
		return l
	}
	acc := t.look(w.Address)
	if !acc.exists || acc.balance < oneTON/10 {
		return nil
	}
	l := &letter{room: w.Version.MaxMessages(), ticket: contracts.Ticket{ValidUntil: t.block.GenUtime + externalLife}}
	switch {
	case w.Version == contracts.HighloadV3:
		l.ticket.Seqno, l.ticket.ValidUntil = highloadQuery(t.last), t.block.GenUtime-1
	case !acc.active:
		l.ticket.Deploy = true
	default:
		seqno, err := w.Seqno(acc.data)
		if err != nil {
			t.failed = err
			return nil
		}
		l.ticket.Seqno = seqno
	}
	t.outbox[w] = l
	t.senders = append(t.senders, w)
	return l
}

// highloadQuery returns a query id that no other batch of the last hours used: a shift of 13 bits and one of 1023 bit
// numbers.
func highloadQuery(mcSeqno uint32) uint32 {
	const bitNumbers, shifts = 1023, 1 << 13
	n := mcSeqno % (bitNumbers * shifts)
	return n/bitNumbers<<10 | n%bitNumbers
}

// post adds orders to the wallet's letter, all or none, and reports whether there was room.
func (t *batch) post(w *contracts.Wallet, orders ...contracts.Order) bool {
	l := t.letterOf(w)
	if l == nil || l.room < len(orders) {
		return false
	}
	l.orders = append(l.orders, orders...)
	l.room -= len(orders)
	return true
}

// call adds one message with the default mode.
func (t *batch) call(w *contracts.Wallet, msg *tlb.InternalMessage) bool {
	return t.post(w, contracts.Order{Message: msg})
}

// seal signs all letters, in the order in which they were opened.
func (t *batch) seal() ([]*cell.Cell, error) {
	for _, w := range t.senders {
		l := t.outbox[w]
		if len(l.orders) == 0 {
			continue
		}
		ext, err := w.External(l.ticket, l.orders...)
		if err != nil {
			return nil, err
		}
		t.sealed = append(t.sealed, ext)
	}
	return t.sealed, nil
}

// nextQuery returns a query id that is unique on the chain.
func (t *batch) nextQuery() uint64 {
	t.queryID++
	return uint64(t.last)<<16 | t.queryID
}

// chance returns true with probability 1/n.
func (t *batch) chance(n int) bool { return t.rand.IntN(n) == 0 }

// between returns a random amount from low to high, in nanotons.
func (t *batch) between(low, high uint64) uint64 { return low + t.rand.Uint64N(high-low+1) }

// actor returns a random actor that can send at least one more message; nil when there is none.
func (t *batch) actor() *contracts.Wallet {
	return t.sender(t.cast.actors)
}

func (t *batch) sender(from []*contracts.Wallet) *contracts.Wallet {
	start := t.rand.IntN(len(from))
	for i := range from {
		w := from[(start+i)%len(from)]
		if l := t.letterOf(w); l != nil && l.room > 0 {
			return w
		}
	}
	return nil
}

// other returns the address of an actor other than w.
func (t *batch) other(w *contracts.Wallet) *address.Address {
	actors := t.cast.actors
	i := t.rand.IntN(len(actors))
	if actors[i] == w {
		i = (i + 1) % len(actors)
	}
	return actors[i].Address
}

// actorAt returns the actor with an address; nil when there is none.
func (t *batch) actorAt(a *address.Address) *contracts.Wallet {
	if a == nil {
		return nil
	}
	for _, w := range t.cast.actors {
		if w.Address.Equals(a) {
			return w
		}
	}
	return nil
}

// nobody returns an address of the basechain without an account.
func (t *batch) nobody() *address.Address {
	hash := make([]byte, 32)
	for i := 0; i < len(hash); i += 8 {
		binary.BigEndian.PutUint64(hash[i:], t.rand.Uint64())
	}
	return address.NewAddress(0, 0, hash)
}
