package layout

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// DispatchQueue has the deferred messages: those of accounts that sent too many in one block.
// A later block takes them out and processes them, or moves them to the out-queue.
// It is HashmapAugE 256 AccountDispatchQueue uint64; keys are senders.
type DispatchQueue struct {
	accounts *cell.AugmentedDictionary
}

// augDispatchQueue is the augmentation: the smallest LT of the messages below.
type augDispatchQueue struct{}

// SkipExtra skips one LT.
func (augDispatchQueue) SkipExtra(s *cell.Slice) error { return s.SkipBits(64) }

// EmptyExtra is the value of an empty dictionary.
func (augDispatchQueue) EmptyExtra() (*cell.Cell, error) {
	return cell.BeginCell().MustStoreUInt(0, 64).EndCell(), nil
}

// LeafExtra returns the LT of an account's oldest message.
func (augDispatchQueue) LeafExtra(value *cell.Slice) (*cell.Cell, error) {
	messages, _, err := loadAccountDispatch(value.Copy())
	if err != nil {
		return nil, err
	}
	key, _, err := messages.LoadMin()
	if err != nil {
		return nil, fmt.Errorf("account dispatch queue: %w", err)
	}
	return key, nil
}

// CombineExtra returns the smaller LT.
func (augDispatchQueue) CombineExtra(left, right *cell.Slice) (*cell.Cell, error) {
	l, r := reader{s: left}, reader{s: right}
	lt := min(l.uint(64), r.uint(64))
	if l.err != nil {
		return nil, l.err
	}
	return cell.BeginCell().MustStoreUInt(lt, 64).EndCell(), r.err
}

// loadAccountDispatch reads messages:(HashmapE 64 EnqueuedMsg) count:uint48.
func loadAccountDispatch(s *cell.Slice) (messages *cell.Dictionary, count uint64, err error) {
	if messages, err = s.LoadDict(64); err != nil {
		return nil, 0, fmt.Errorf("account dispatch queue: %w", err)
	}
	if count, err = s.LoadUInt(48); err != nil {
		return nil, 0, fmt.Errorf("account dispatch queue: %w", err)
	}
	return messages, count, nil
}

func newDispatchQueue() (*DispatchQueue, error) {
	d, err := cell.NewAugDict(256, augDispatchQueue{})
	if err != nil {
		return nil, fmt.Errorf("dispatch queue: %w", err)
	}
	return &DispatchQueue{accounts: d}, nil
}

func loadDispatchQueue(s *cell.Slice) (*DispatchQueue, error) {
	d, err := s.LoadAugDict(256, augDispatchQueue{}, false)
	if err != nil {
		return nil, fmt.Errorf("dispatch queue: %w", err)
	}
	return &DispatchQueue{accounts: d}, nil
}

// IsEmpty reports whether no message is deferred.
func (q *DispatchQueue) IsEmpty() bool { return q.accounts.IsEmpty() }

// Put adds a message that account sent at lt.
func (q *DispatchQueue) Put(account [32]byte, lt uint64, envelope *cell.Cell) error {
	messages, count, err := q.load(account)
	if err != nil {
		return err
	}
	value := cell.BeginCell().MustStoreUInt(lt, 64).MustStoreRef(envelope).EndCell()
	if err := messages.Set(ltKey(lt), value); err != nil {
		return fmt.Errorf("message %d of %x into the dispatch queue: %w", lt, account, err)
	}
	return q.store(account, messages, count+1)
}

// Remove removes a message, which must be there.
func (q *DispatchQueue) Remove(account [32]byte, lt uint64) error {
	messages, count, err := q.load(account)
	if err != nil {
		return err
	}
	if err := messages.Delete(ltKey(lt)); err != nil {
		return fmt.Errorf("message %d of %x out of the dispatch queue: %w", lt, account, err)
	}
	return q.store(account, messages, count-1)
}

func (q *DispatchQueue) load(account [32]byte) (*cell.Dictionary, uint64, error) {
	if q.accounts.IsEmpty() {
		return cell.NewDict(64), 0, nil
	}
	switch s, err := q.accounts.LoadValue(accountKey(account)); {
	case isNoSuchKey(err):
		return cell.NewDict(64), 0, nil
	case err != nil:
		return nil, 0, fmt.Errorf("dispatch queue of %x: %w", account, err)
	default:
		return loadAccountDispatch(s)
	}
}

func (q *DispatchQueue) store(account [32]byte, messages *cell.Dictionary, count uint64) error {
	var err error
	if messages.IsEmpty() {
		err = q.accounts.Delete(accountKey(account))
	} else {
		err = q.accounts.Set(accountKey(account), cell.BeginCell().MustStoreDict(messages).MustStoreUInt(count, 48).EndCell())
	}
	if err != nil {
		return fmt.Errorf("dispatch queue of %x: %w", account, err)
	}
	return nil
}

// Deferred is the messages of one account, from the oldest on.
type Deferred struct {
	Account  [32]byte
	Count    int // of all, when the list was made
	messages *cell.Dictionary
	// LT and Envelope are the oldest message's.
	LT       uint64
	Envelope *cell.Cell
}

// Next moves on to the following message; false when there is none.
func (d *Deferred) Next() (bool, error) {
	if d.messages.IsEmpty() {
		return false, nil
	}
	key, value, err := d.messages.LoadMinAndDelete()
	if err != nil {
		return false, fmt.Errorf("dispatch queue of %x: %w", d.Account, err)
	}
	k, v := key.MustBeginParse(), reader{s: value}
	if d.LT, err = k.LoadUInt(64); err != nil {
		return false, err
	}
	lt := v.uint(64)
	if d.Envelope = v.ref(); v.err == nil && lt != d.LT {
		v.err = fmt.Errorf("deferred message %d of %x was enqueued at %d", d.LT, d.Account, lt)
	}
	return v.err == nil, v.err
}

// List returns the accounts with deferred messages, in the order of addresses. The result is
// not affected by changes of the queue.
func (q *DispatchQueue) List() ([]Deferred, error) {
	if q.accounts.IsEmpty() {
		return nil, nil
	}
	// As in OutQueue.Each, the trace of a changed dictionary is of no use.
	it, err := q.accounts.Copy().SetTrace(nil).IteratorExtra(false, false)
	if err != nil {
		return nil, fmt.Errorf("dispatch queue: %w", err)
	}
	var list []Deferred
	for it.Next() {
		var d Deferred
		key, err := it.Key().BeginParse()
		if err != nil {
			return nil, err
		}
		if err := key.LoadSliceInto(d.Account[:], 256); err != nil {
			return nil, err
		}
		var count uint64
		if d.messages, count, err = loadAccountDispatch(it.Value()); err != nil {
			return nil, err
		}
		d.Count = int(count)
		d.messages = d.messages.Copy()
		if ok, err := d.Next(); err != nil || !ok {
			return nil, fmt.Errorf("dispatch queue of %x is empty: %w", d.Account, err)
		}
		list = append(list, d)
	}
	return list, it.Err()
}

// cut keeps the accounts of one half of a shard.
func (q *DispatchQueue) cut(shard uint64) error {
	if q.accounts.IsEmpty() {
		return nil
	}
	if _, err := q.accounts.CutPrefixSubdict(ShardBits(shard), false); err != nil {
		return fmt.Errorf("split of the dispatch queue: %w", err)
	}
	return nil
}

// combine adds the accounts of the other half.
func (q *DispatchQueue) combine(other *DispatchQueue) error {
	if ok, err := q.accounts.CombineWith(other.accounts); err != nil || !ok {
		return fmt.Errorf("merge of the dispatch queues: overlap=%t: %w", !ok, err)
	}
	return nil
}

func isNoSuchKey(err error) bool { return errors.Is(err, cell.ErrNoSuchKeyInDict) }

func ltKey(lt uint64) *cell.Cell { return cell.BeginCell().MustStoreUInt(lt, 64).EndCell() }

func accountKey(account [32]byte) *cell.Cell {
	return cell.BeginCell().MustStoreSlice(account[:], 256).EndCell()
}
