package feed

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// Positioned is a row with a position in its feed.
type Positioned interface{ EventCursor() chain.Cursor }

// List is the rows of one kind in a batch with their events, ordered by cursor. It must not be modified.
type List[T any] struct {
	Rows   []T
	events []*Event // of the row with the same index
}

// listOf sorts rows in the order of their feed. node returns the [Event.Node] of a row.
func listOf[T any, P interface {
	*T
	Positioned
}](b *Batch, rows []T, node func(P) any) *List[T] {
	slices.SortStableFunc(rows, func(x, y T) int { return compare(P(&x).EventCursor(), P(&y).EventCursor()) })
	l := &List[T]{Rows: rows, events: make([]*Event, len(rows))}
	events := make([]Event, len(rows))
	for i := range rows {
		row, e := P(&rows[i]), &events[i]
		e.Cursor, e.Node, e.Batch = row.EventCursor(), node(row), b
		l.events[i] = e
	}
	return l
}

// Select returns the events of the rows that match.
func (l *List[T]) Select(match func(*T) bool) []*Event {
	var selected []*Event
	for i := range l.Rows {
		if match(&l.Rows[i]) {
			selected = append(selected, l.events[i])
		}
	}
	return selected
}

// EventCursor returns the position of the message in the feed of messages.
func (m *Message) EventCursor() chain.Cursor {
	return chain.Cursor{ListKind: chain.MessageFeed, McSeqno: m.McSeqno, Major: m.Key.LT, Minor: string(m.Key.Account.Bytes())}
}

// EventCursor returns the position of the state in the feed of account states.
func (s *State) EventCursor() chain.Cursor {
	return chain.Cursor{ListKind: chain.AccountStateFeed, McSeqno: s.McSeqno, Major: s.LT, Minor: string(s.Account.Bytes())}
}

// compare compares cursors in the order of a feed.
func compare(x, y chain.Cursor) int {
	return cmp.Or(cmp.Compare(x.McSeqno, y.McSeqno), cmp.Compare(x.Major, y.Major), cmp.Compare(x.Minor, y.Minor))
}
