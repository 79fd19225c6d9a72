package feed

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Anyone can send messages whose pending traces are large. The traces and updates in memory are bounded, those of other messages are
// published all the same, and the final outcome of a message is published in any case.
func TestWatch_LargePendingTracesAreBounded(t *testing.T) {
	t.Parallel()
	const count, small, large, bound = 200, 1 << 10, 8 << 20, 64 << 20
	w := newWatch(&Feed{})
	message := func(i int) (h chain.Hash) {
		binary.BigEndian.PutUint32(h[:], uint32(i))
		return h
	}
	body := make(chain.BOC, large) // one, so that the test itself needs little memory
	trace := func(i, bytes int, f chain.Finality) *chain.FullTrace {
		tx := chain.FullTransaction{OutMessages: []chain.Message{{Body: body[:bytes]}}}
		tx.Account, tx.Finality = chain.Address{ID: message(i)}, f
		t := &chain.FullTrace{Transactions: []chain.FullTransaction{tx}}
		t.ID, t.Finality = message(i), f
		return t
	}
	var sent []chain.Hash
	for i := range count {
		sent = append(sent, message(i))
	}
	w.unfinished(sentAt(time.Time{}, sent...))
	published := func(from, to int) (n, bytes int) {
		for i := from; i < to; i++ {
			if p := w.messages[message(i)].published; p != nil {
				n, bytes = n+1, bytes+len(p.Transactions[0].OutMessages[0].Body)
			}
		}
		return n, bytes
	}
	for block := range uint32(3) {
		for i := range count / 2 {
			w.update(message(i), trace(i, large, chain.Pending), false, block)
			w.update(message(count/2+i), trace(count/2+i, small, chain.Pending), false, block)
		}
		n, bytes := published(0, count/2)
		require.Positive(t, n)
		require.LessOrEqual(t, bytes, bound)
		n, _ = published(count/2, count)
		require.Equal(t, count/2, n, "small traces")
		w.unfinished(sentAt(time.Time{}, sent...))
	}
	retained := 0
	for _, u := range w.updates {
		for _, e := range u.emulated {
			retained += len(e.Transactions[0].OutMessages[0].Body)
		}
	}
	require.LessOrEqual(t, retained, bound)

	for i := range count {
		w.update(message(i), nil, true, 4)
		require.True(t, w.messages[message(i)].ended)
	}
	n, bytes := published(0, count)
	require.Zero(t, n, bytes)
	again := message(count)
	w.unfinished(sentAt(time.Time{}, append(sent, again)...))
	w.update(again, trace(count, large, chain.Pending), false, 5)
	require.NotNil(t, w.messages[again].published, "there is room again")
}

// Streams that start while traces are pending share what they receive first, and what is cached of it is given back.
func TestWatch_StreamsThatStartShareWhatIsPending(t *testing.T) {
	t.Parallel()
	w := newWatch(&Feed{})
	message := chain.Hash{1}
	version := func(f chain.Finality) *chain.FullTrace {
		tx := chain.FullTransaction{}
		tx.Account, tx.Finality = chain.Address{ID: message}, f
		t := &chain.FullTrace{Transactions: []chain.FullTransaction{tx}}
		t.ID, t.Finality = message, f
		return t
	}
	w.unfinished(sentAt(time.Time{}, message))
	w.update(message, version(chain.Pending), false, 0)
	one, two := w.subscribe(false), w.subscribe(false)
	require.Len(t, one.first, 1)
	require.Same(t, one.first[0], two.first[0])
	require.Empty(t, w.subscribe(true).first)

	u, _ := one.take(0)
	require.Same(t, two.first[0], u)
	list, err := u.at(0).Transactions(t.Context())
	require.NoError(t, err)
	cached := func(b *Batch) {
		r, mine := list.events[0].Response("query")
		require.True(t, mine)
		if r != nil {
			r.Give(make([]byte, 100))
		}
		require.Same(t, b, list.events[0].Batch)
	}
	cached(u.at(0))
	require.Positive(t, w.cachedBytes.Load())
	w.asOf = 1
	three := w.subscribe(false)
	require.NotSame(t, u, three.first[0], "of a later block")
	require.Zero(t, w.cachedBytes.Load())
	list, err = u.at(1).Transactions(t.Context())
	require.NoError(t, err)
	cached(u.at(1))
	require.Zero(t, w.cachedBytes.Load(), "nothing of what was replaced is cached")
	w.update(message, version(chain.Confirmed), false, 1)
	require.Nil(t, w.messages[message].first)
}

// A published trace is followed until its outcome, also when many messages were sent after it; those of which nothing was published are not. The
// oldest ones are forgotten.
func TestWatch_PublishedTracesAreFollowedToTheirOutcome(t *testing.T) {
	t.Parallel()
	w := newWatch(&Feed{})
	message := func(i int) (h chain.Hash) {
		binary.BigEndian.PutUint32(h[:], uint32(i))
		return h
	}
	version := func(i, bytes int) *chain.FullTrace {
		tx := chain.FullTransaction{OutMessages: []chain.Message{{Body: make(chain.BOC, bytes)}}}
		tx.Account, tx.Finality = chain.Address{ID: message(i)}, chain.Pending
		t := &chain.FullTrace{Transactions: []chain.FullTransaction{tx}}
		t.ID, t.Finality = message(i), chain.Pending
		return t
	}
	w.unfinished(sentAt(time.Time{}, message(1), message(2), message(3)))
	w.update(message(1), version(1, 10), false, 1)
	w.update(message(2), version(2, 10), false, 1)
	unfinished, older, _ := w.unfinished(sentAt(time.Time{}, message(4)))
	require.Equal(t, []chain.Hash{message(4)}, unfinished)
	require.ElementsMatch(t, []chain.Hash{message(1), message(2)}, older, "nothing was published of the third")

	w.expire([]chain.Hash{message(1), message(2)}, 2)
	require.Len(t, w.updates, 2, "their time is not over")
	w.update(message(1), nil, true, 2)
	require.Len(t, w.updates, 3)
	require.Equal(t, chain.Invalidated, w.updates[2].now.Finality)
	_, older, _ = w.unfinished(sentAt(time.Time{}, message(4)))
	require.Equal(t, []chain.Hash{message(2)}, older, "the outcome of the first is published")
	w.messages[message(2)].since = time.Now().Add(-2 * maxOpen)
	w.expire([]chain.Hash{message(2)}, 3)
	require.Len(t, w.updates, 4)
	_, older, _ = w.unfinished(nil)
	require.Empty(t, older)
	require.Empty(t, w.messages)

	const size, count = 100 << 10, 1000
	for i := range count {
		w.unfinished(sentAt(time.Time{}, message(10+i)))
		w.update(message(10+i), version(10+i, size), false, 4)
	}
	_, older, _ = w.unfinished(nil)
	require.Contains(t, older, message(10+count-1))
	require.NotContains(t, older, message(10))
	require.Greater(t, len(older), maxOlderBytes/size/2)
	require.LessOrEqual(t, len(older)*size, maxOlderBytes)
	require.Len(t, w.messages, len(older))
}
