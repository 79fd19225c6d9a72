package resolvers

import (
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/feed"
)

// follow serves a subscription: it opens the stream of a subscribing request, and returns the event of a request that renders
// one.
func follow[T any](
	ctx context.Context, r *Resolver, kind chain.ListKind, after *string, afterMcSeqno *uint32, pending bool, topic func() (feed.Topic, error),
) (<-chan *chain.Event[T], error) {
	events := make(chan *chain.Event[T], 1)
	defer close(events)
	if e := feed.EventOf(ctx); e != nil {
		node, ok := e.Node.(T)
		if !ok || e.Cursor.ListKind != kind {
			return nil, chain.Invalidf("a connection carries one subscription for each id")
		}
		events <- &chain.Event[T]{Cursor: e.Cursor.String(), McSeqno: e.Cursor.McSeqno, Node: node}
		return events, nil
	}
	sink := feed.SinkOf(ctx)
	if sink == nil {
		return nil, chain.Invalidf("subscriptions are served over WebSocket (graphql-transport-ws) and as text/event-stream")
	}
	if r.Feed == nil {
		return nil, chain.Unavailablef(nil, "this gateway has no live events")
	}
	start, err := startOf(kind, sink.LastEvent, after, afterMcSeqno)
	if err != nil {
		return nil, err
	}
	start.Pending = pending
	t, err := topic()
	if err != nil {
		return nil, err
	}
	sink.Stream, err = r.Feed.Open(ctx, start, t)
	return events, err
}

// startOf returns the position after which a stream starts. The connection's last event takes precedence over the request,
// which a browser repeats unchanged.
func startOf(kind chain.ListKind, lastEvent string, after *string, afterMcSeqno *uint32) (feed.Start, error) {
	if after != nil && afterMcSeqno != nil {
		return feed.Start{}, chain.Invalidf("give after or afterMcSeqno, not both")
	}
	if lastEvent != "" {
		after, afterMcSeqno = &lastEvent, nil
	}
	c, err := cursor(after, kind)
	return feed.Start{Cursor: c, McSeqno: afterMcSeqno}, err
}

// among makes a condition of a list of accounts: no list does not restrict.
func among(accounts []chain.Address) (func(a chain.Address) bool, error) {
	if err := chain.CheckInputs(len(accounts)); err != nil {
		return nil, err
	}
	if accounts == nil {
		return func(chain.Address) bool { return true }, nil
	}
	set := make(map[chain.Address]bool, len(accounts))
	for _, a := range accounts {
		set[a] = true
	}
	return func(a chain.Address) bool { return set[a] }, nil
}

// is says whether a value is the one that is wanted; nil wants every value.
func is[T comparable](wanted *T, value T) bool { return wanted == nil || *wanted == value }

// has does the same for a value that may be missing.
func has[T comparable](wanted, value *T) bool {
	return wanted == nil || value != nil && *wanted == *value
}

// chosen gives the events of a list that was read, or says why it was not.
func chosen[T any](list *feed.List[T], err error, keep func(*T) bool) ([]*feed.Event, error) {
	if err != nil {
		return nil, err
	}
	return list.Select(keep), nil
}

func blockTopic(w *chain.BlockEventWhere) (feed.Topic, error) {
	if w == nil {
		w = &chain.BlockEventWhere{}
	}
	if w.Shard != nil && w.Workchain == nil {
		return nil, chain.Invalidf("shard needs workchain")
	}
	return func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
		list, err := b.Blocks(ctx)
		return chosen(list, err, func(r *chain.Block) bool {
			at := chain.EventRange{StartUtime: w.StartUtime, EndUtime: w.EndUtime}
			return is(w.Workchain, r.Workchain) && is(w.Shard, r.Shard) && is(w.KeyBlock, r.KeyBlock) && at.Holds(&r.GenUtime, nil)
		})
	}, nil
}

func transactionTopic(w *chain.TransactionEventWhere) (feed.Topic, error) {
	if w == nil {
		w = &chain.TransactionEventWhere{}
	}
	of, err := among(w.Accounts)
	if err != nil {
		return nil, err
	}
	if err := chain.CheckInputs(len(w.ExcludeAccounts)); err != nil {
		return nil, err
	}
	if err := w.Validate(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
		var received map[chain.MessageKey]*chain.Message
		var err error
		if w.NeedsReceived() {
			if received, err = b.Received(ctx); err != nil {
				return nil, err
			}
		}
		sent, err := sentIn(ctx, b, w.NeedsSent())
		if err != nil {
			return nil, err
		}
		list, err := b.Transactions(ctx)
		return chosen(list, err, func(t *chain.Transaction) bool {
			var in *chain.Message
			if t.InMsg != nil {
				in = received[*t.InMsg]
			}
			return of(t.Account) && !slices.Contains(w.ExcludeAccounts, t.Account) && w.EventRange.Holds(&t.Now, &t.LT) &&
				w.TransactionMatch.Holds(t, in, sent[t.Key()])
		})
	}, nil
}

// sentIn returns the messages that the transactions of a batch sent, by transaction; nil unless they are needed.
func sentIn(ctx context.Context, b *feed.Batch, needed bool) (map[chain.TransactionKey][]*chain.Message, error) {
	if !needed {
		return nil, nil
	}
	list, err := b.Messages(ctx)
	if err != nil {
		return nil, err
	}
	sent := map[chain.TransactionKey][]*chain.Message{}
	for i := range list.Rows {
		if m := &list.Rows[i].Message; m.SentBy != nil && m.Source != nil {
			key := chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}
			sent[key] = append(sent[key], m)
		}
	}
	return sent, nil
}

func messageTopic(w *chain.MessageEventWhere) (feed.Topic, error) {
	if w == nil {
		w = &chain.MessageEventWhere{}
	}
	either, err1 := among(w.Accounts)
	from, err2 := among(w.Sources)
	to, err3 := among(w.Destinations)
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return nil, err
		}
	}
	side := func(restricted bool, in func(chain.Address) bool, a *chain.Address) bool {
		return !restricted || a != nil && in(*a)
	}
	return func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
		list, err := b.Messages(ctx)
		return chosen(list, err, func(m *feed.Message) bool {
			return (side(w.Accounts != nil, either, m.Source) || side(w.Accounts != nil, either, m.Destination)) &&
				side(w.Sources != nil, from, m.Source) && side(w.Destinations != nil, to, m.Destination) &&
				is(w.BodyHash, m.BodyHash) && has(w.Opcode, m.Opcode) && is(w.Kind, m.Kind) &&
				w.EventRange.Holds(m.CreatedAt, m.CreatedLT) && w.MessageMatch.Holds(&m.Message)
		})
	}, nil
}

func accountStateTopic(accounts []*chain.Address) (feed.Topic, error) {
	list := make([]chain.Address, len(accounts))
	for i, a := range accounts {
		list[i] = *a
	}
	of, err := among(list)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
		list, err := b.States(ctx)
		return chosen(list, err, func(s *feed.State) bool { return of(s.Account) })
	}, nil
}

func traceTopic(w *chain.TraceEventWhere) (feed.Topic, error) {
	if w == nil {
		w = &chain.TraceEventWhere{}
	}
	of, err := among(w.Accounts)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
		var parties, large map[chain.Hash][]chain.Address
		var err error
		if w.Accounts != nil {
			if parties, err = b.Parties(ctx); err != nil {
				return nil, err
			}
			if large, err = b.LargeParties(ctx, w.Accounts); err != nil {
				return nil, err
			}
		}
		list, err := b.Traces(ctx)
		return chosen(list, err, func(t *chain.Trace) bool {
			return (w.Accounts == nil || len(large[t.ID]) > 0 || slices.ContainsFunc(parties[t.ID], of)) && w.Holds(&t.EndUtime, &t.EndLT)
		})
	}, nil
}

func actionTopic(w *chain.ActionEventWhere) (feed.Topic, error) {
	if w == nil {
		w = &chain.ActionEventWhere{}
	}
	of, err := among(w.Accounts)
	if err != nil {
		return nil, err
	}
	if err := chain.CheckInputs(len(w.Types), len(w.ExcludeTypes), len(w.Supported)); err != nil {
		return nil, err
	}
	if err := w.Validate("accounts", len(w.Accounts)); err != nil {
		return nil, err
	}
	f := chain.ActionFilter{Types: w.Types, ExcludeTypes: w.ExcludeTypes}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	understood, none := textSet(chain.ExpandActionTypes(w.Supported)), nothing(w)
	shown := chain.ShownTypes{Among: w.Types, None: w.ExcludeTypes}
	return func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
		list, err := b.Actions(ctx)
		return chosen(list, err, func(a *chain.Action) bool {
			return !none && (len(w.Types) > 0 || understood[a.Type]) && shown.Holds(a) && w.Holds(&a.TraceEndUtime, &a.TraceEndLT) && actionMatches(&w.ActionMatch, a, w.Accounts) &&
				(w.Accounts == nil || slices.ContainsFunc(a.Accounts, of)) &&
				!slices.ContainsFunc(a.Ancestors, func(t string) bool { return understood[t] })
		})
	}, nil
}

func textSet(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, text := range list {
		set[text] = true
	}
	return set
}
