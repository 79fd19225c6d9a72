package lite

import (
	"bytes"
	"fmt"
	"math"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Bits and limits of the queries about the dispatch queue, which contains messages of
// accounts that sent too many at once, until a later block processes them.
const (
	dispatchAfter      = 2 // getDispatchQueueInfo: after_addr is given
	dispatchOneAccount = 2 // getDispatchQueueMessages: stop at the end of the account
	dispatchBOC        = 4 // getDispatchQueueMessages: send the messages along

	maxDispatched    = 64
	maxDispatchedBOC = 16
)

func (a *api) getDispatchQueueInfo(q ton.GetDispatchQueueInfo) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	if q.MaxAccounts <= 0 {
		return nil, fail(codeBadRequest, "invalid max_accounts")
	}
	response := ton.DispatchQueueInfo{
		Mode: q.Mode, ID: b.ID.Copy(), AccountDispatchQueues: []ton.AccountDispatchQueueInfo{},
	}
	after, same := make([]byte, 32), true
	if q.Mode&dispatchAfter != 0 {
		after, same = q.AfterAddr, false
	}
	limit := int(min(q.MaxAccounts, maxDispatched))
	response.Proof, err = a.inState(b, q.Mode&queueProof != 0, func(root *cell.Cell) error {
		queue, err := openStateQueue(root)
		if err != nil {
			return err
		}
		for at := after; ; same = false {
			key, v, err := nearest(queue.dispatch, bytesKey(at), 256, true, same)
			if err != nil {
				return err
			}
			if key == nil {
				response.Complete = true
				return nil
			}
			if len(response.AccountDispatchQueues) == limit {
				return nil
			}
			info, err := openDispatchAccount(key, v)
			if err != nil {
				return err
			}
			response.AccountDispatchQueues = append(response.AccountDispatchQueues, info)
			at = info.Addr
		}
	})
	return response, err
}

// openDispatchAccount reads one account's part of the queue and its range of LTs.
func openDispatchAccount(key *cell.Cell, v *cell.Slice) (ton.AccountDispatchQueueInfo, error) {
	var info ton.AccountDispatchQueueInfo
	addr, err := keyBytes(key, 256)
	if err != nil {
		return info, err
	}
	messages, count, err := openDispatchValue(v)
	if err != nil {
		return info, err
	}
	low, _, err := nearest(messages, uintKey(0, 64), 64, true, true)
	if err != nil {
		return info, err
	}
	high, _, err := nearest(messages, uintKey(math.MaxUint64, 64), 64, false, true)
	if err != nil {
		return info, err
	}
	if low == nil || high == nil {
		return info, fmt.Errorf("invalid account dispatch queue for account %X", addr)
	}
	info = ton.AccountDispatchQueueInfo{Addr: addr, Size: int64(count)}
	if info.MinLT, err = keyUint(low, 64); err != nil {
		return info, err
	}
	info.MaxLT, err = keyUint(high, 64)
	return info, err
}

// openDispatchValue reads an LT as augmentation, then AccountDispatchQueue.
func openDispatchValue(v *cell.Slice) (messages *cell.Cell, count uint64, err error) {
	if err := v.SkipBits(64); err != nil {
		return nil, 0, fmt.Errorf("account dispatch queue: %w", err)
	}
	if messages, err = loadMaybeRef(v); err != nil {
		return nil, 0, fmt.Errorf("account dispatch queue: %w", err)
	}
	if count, err = v.LoadUInt(48); err != nil {
		return nil, 0, fmt.Errorf("account dispatch queue: %w", err)
	}
	return messages, count, nil
}

func (a *api) getDispatchQueueMessages(q ton.GetDispatchQueueMessages) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	if q.MaxMessages <= 0 {
		return nil, fail(codeBadRequest, "invalid max_messages")
	}
	w := dispatchWalk{limit: int(min(q.MaxMessages, maxDispatched)), one: q.Mode&dispatchOneAccount != 0}
	if q.Mode&dispatchBOC != 0 {
		w.limit = min(w.limit, maxDispatchedBOC)
	}
	response := ton.DispatchQueueMessages{Mode: q.Mode, ID: b.ID.Copy()}
	response.Proof, err = a.inState(b, q.Mode&queueProof != 0, func(root *cell.Cell) error {
		queue, err := openStateQueue(root)
		if err != nil {
			return err
		}
		return w.run(queue.dispatch, q.Addr, uint64(max(int64(q.AfterLT), 0)))
	})
	if err != nil {
		return nil, err
	}
	response.Messages, response.Complete = w.messages, w.complete
	if q.Mode&dispatchBOC != 0 && len(w.roots) > 0 {
		if response.MessagesBOC, err = boc(w.roots...); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// dispatchWalk collects waiting messages in the order of account and LT.
type dispatchWalk struct {
	limit int
	one   bool

	messages []ton.DispatchQueueMessage
	roots    []*cell.Cell
	complete bool
}

func (w *dispatchWalk) run(root *cell.Cell, addr []byte, lt uint64) error {
	for at, same := addr, true; len(w.messages) < w.limit; same, lt = false, 0 {
		key, v, err := nearest(root, bytesKey(at), 256, true, same)
		if err != nil {
			return err
		}
		if key == nil {
			w.complete = true
			return nil
		}
		if at, err = keyBytes(key, 256); err != nil {
			return err
		}
		if w.one && !bytes.Equal(at, addr) {
			w.complete = true
			return nil
		}
		queue, _, err := openDispatchValue(v)
		if err != nil {
			return err
		}
		if err := w.account(queue, at, lt); err != nil {
			return err
		}
	}
	return nil
}

func (w *dispatchWalk) account(queue *cell.Cell, addr []byte, lt uint64) error {
	for {
		key, v, err := nearest(queue, uintKey(lt, 64), 64, true, false)
		if err != nil || key == nil || len(w.messages) == w.limit {
			return err
		}
		if lt, err = keyUint(key, 64); err != nil {
			return err
		}
		if err := v.SkipBits(64); err != nil { // enqueued_lt
			return fmt.Errorf("dispatched message: %w", err)
		}
		s, err := v.LoadRef()
		if err != nil {
			return fmt.Errorf("dispatched message: %w", err)
		}
		var env tlb.MsgEnvelope
		if err := tlb.LoadFromCell(&env, s); err != nil {
			return fmt.Errorf("dispatched message: %w", err)
		}
		w.roots = append(w.roots, untraced(env.Msg))
		w.messages = append(w.messages, ton.DispatchQueueMessage{
			Addr: addr, LT: lt, Hash: env.Msg.Hash(), Metadata: dispatchMetadata(env.Metadata),
		})
	}
}

// dispatchMetadata writes absent metadata as nodes do: with impossible values.
func dispatchMetadata(m *tlb.MsgMetadata) ton.TransactionMetadata {
	if m == nil {
		return ton.TransactionMetadata{
			Depth:       -1,
			Initiator:   ton.AccountID{Workchain: invalidChain, ID: make([]byte, 32)},
			InitiatorLT: math.MaxUint64,
		}
	}
	return ton.TransactionMetadata{
		Depth:       int32(m.Depth),
		Initiator:   ton.AccountID{Workchain: m.Initiator.Workchain(), ID: m.Initiator.Data()},
		InitiatorLT: m.InitiatorLT,
	}
}
