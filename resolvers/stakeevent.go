package resolvers

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/contract/elector"
)

// StakeEvents lists messages between accounts that stake and the elector, at most limit: the newest ones by the time at which they were sent, in the
// order in which they were received, newest first. It is Invalid when there are too many messages for a list.
func (s *Service) StakeEvents(ctx context.Context, f chain.StakeEventFilter, limit int) ([]chain.StakeEvent, error) {
	p, err := s.page(chain.Page{Limit: limit})
	if err != nil || p.Limit == 0 || emptyUtime(f.StartUtime, f.EndUtime) {
		return []chain.StakeEvent{}, err
	}
	address, err := s.electorAddress(ctx)
	if err != nil || address == nil {
		return []chain.StakeEvent{}, err
	}
	w := stakeWalk{s: s, meter: meter{s: s}, filter: &f, elector: *address}
	rows, err := w.list(ctx, p.Limit)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b chain.StakeEvent) int {
		return cmp.Or(cmp.Compare(b.Now, a.Now), cmp.Compare(b.TxLT, a.TxLT), a.Account.Compare(b.Account))
	})
	return listed(ctx, s, rows, nil, nil, f.EndUtime)
}

// electorAddress is the elector of the newest configuration; nil when the index has none.
func (s *Service) electorAddress(ctx context.Context) (*chain.Address, error) {
	k, err := s.newestConfig(ctx)
	if err != nil || k == nil {
		return nil, err
	}
	return k.elector(), nil
}

// stakeWalk lists events in messages.
type stakeWalk struct {
	s       *Service
	meter   meter
	filter  *chain.StakeEventFilter
	elector chain.Address
	walked  int
}

const (
	// messagesAtOnce is the number of messages that are read together.
	messagesAtOnce = 128
	// maxDelivery is how long a message may take to be received, in seconds, to be found by the time of that. The masterchain takes seconds.
	maxDelivery = 3600
)

// stakeMessages are the opcodes of messages to and from the elector with the kinds of their events.
var stakeMessages = []struct {
	op    uint32
	to    bool
	kinds []chain.StakeEventType
}{
	{elector.OpNewStake, true, []chain.StakeEventType{chain.StakeAccepted, chain.StakeRejected}},
	{elector.OpRecoverStake, true, []chain.StakeEventType{chain.StakeRecoverRequested}},
	{elector.OpRecovered, false, []chain.StakeEventType{chain.StakeRecovered}},
	{elector.OpRecoverError, false, []chain.StakeEventType{chain.StakeRecoverFailed}},
}

// messageList is one of the lists that are merged.
type messageList struct {
	filter chain.MessageFilter
	next   []chain.Message
	page   chain.Page
	ended  bool
}

// lists are the lists of messages that may have events of the filter.
func (w *stakeWalk) lists() (lists []*messageList) {
	f := w.filter
	for _, m := range stakeMessages {
		if f.Type != nil && !slices.Contains(m.kinds, *f.Type) || f.PublicKey != nil && m.op != elector.OpNewStake {
			continue
		}
		l := &messageList{filter: chain.MessageFilter{Opcode: new(m.op), EndUtime: f.EndUtime}, page: chain.Page{Limit: messagesAtOnce}}
		if f.StartUtime != nil {
			l.filter.StartUtime = new(max(*f.StartUtime, maxDelivery) - maxDelivery)
		}
		if m.to {
			l.filter.Destination, l.filter.Source = &w.elector, f.StakeHolder
		} else {
			l.filter.Source, l.filter.Destination = &w.elector, f.StakeHolder
		}
		lists = append(lists, l)
	}
	return lists
}

// list merges the lists.
func (w *stakeWalk) list(ctx context.Context, limit int) (rows []chain.StakeEvent, err error) {
	lists := w.lists()
	for len(rows) < limit {
		some, err := w.merge(ctx, lists)
		if err != nil || len(some) == 0 {
			return rows, err
		}
		events, err := w.events(ctx, some)
		if err != nil {
			return nil, err
		}
		rows = append(rows, events[:min(len(events), limit-len(rows))]...)
	}
	return rows, nil
}

// merge takes the next messages of all lists, newest first.
func (w *stakeWalk) merge(ctx context.Context, lists []*messageList) (some []chain.Message, err error) {
	for len(some) < messagesAtOnce {
		var newest *messageList
		for _, l := range lists {
			if err := w.fill(ctx, l); err != nil {
				return nil, err
			}
			if len(l.next) > 0 && (newest == nil || w.order(&l.next[0], &newest.next[0]) < 0) {
				newest = l
			}
		}
		if newest == nil {
			break
		}
		some, newest.next = append(some, newest.next[0]), newest.next[1:]
	}
	return some, nil
}

// order is that of lists of messages: lists in a range of time go by time first.
func (w *stakeWalk) order(a, b *chain.Message) int {
	lts := cmp.Compare(*b.CreatedLT, *a.CreatedLT)
	if w.filter.StartUtime != nil || w.filter.EndUtime != nil {
		return cmp.Or(cmp.Compare(*b.CreatedAt, *a.CreatedAt), lts)
	}
	return lts
}

// fill reads the next page of a list if none is left.
func (w *stakeWalk) fill(ctx context.Context, l *messageList) error {
	for len(l.next) == 0 && !l.ended {
		page, err := w.s.index.Messages(ctx, l.filter, l.page)
		if err != nil {
			return err
		}
		w.meter.add(ctx, 0, len(page))
		if w.walked += len(page); w.walked > w.s.opts.Limits.Walked {
			return chain.Invalidf("the elector has more than %d messages in this time: give a shorter one (start_utime, end_utime)", w.s.opts.Limits.Walked)
		}
		l.ended = len(page) < l.page.Limit
		if len(page) > 0 {
			l.page.After = new(page[len(page)-1].Cursor())
		}
		l.next = slices.DeleteFunc(page, func(m chain.Message) bool { // those that the other side has not received
			return m.ReceivedBy == nil || m.CreatedLT == nil || m.CreatedAt == nil || m.Destination == nil
		})
	}
	return nil
}

// events reads the events of messages, in their order.
func (w *stakeWalk) events(ctx context.Context, messages []chain.Message) ([]chain.StakeEvent, error) {
	keys := make([]chain.TransactionKey, len(messages))
	var stakes []chain.TransactionKey // whose replies are read
	for i := range messages {
		m := &messages[i]
		keys[i] = chain.TransactionKey{Account: *m.Destination, LT: m.ReceivedBy.LT}
		if m.Opcode != nil && *m.Opcode == elector.OpNewStake {
			stakes = append(stakes, keys[i])
		}
	}
	txs, err := w.s.index.TransactionsByKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	out, err := w.s.index.MessagesSentBy(ctx, stakes)
	if err != nil {
		return nil, err
	}
	found := make(map[chain.TransactionKey]*chain.Transaction, len(txs))
	for i := range txs {
		found[txs[i].Key()] = &txs[i]
	}
	var rows []chain.StakeEvent
	for i := range messages {
		t := found[keys[i]]
		if t == nil || t.Description.Aborted || t.Description.Compute == nil || !t.Description.Compute.Success {
			continue
		}
		e := elector.Event(&messages[i], w.elector, out[keys[i]])
		if e == nil || !w.matches(e, t.Now) {
			continue
		}
		e.TxHash, e.TxLT, e.Account, e.Now = t.Hash, t.LT, t.Account, t.Now
		rows = append(rows, *e)
	}
	return rows, nil
}

func (w *stakeWalk) matches(e *chain.StakeEvent, now uint32) bool {
	f := w.filter
	return (f.Type == nil || e.Type == *f.Type) && (f.PublicKey == nil || e.Key != nil && *e.Key == *f.PublicKey) &&
		(f.StartUtime == nil || now >= *f.StartUtime) && (f.EndUtime == nil || now <= *f.EndUtime)
}
