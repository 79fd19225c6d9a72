package feed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// rowOf is a transaction of an account, or an action of a type, with its finality.
type rowOf struct {
	name string
	f    chain.Finality
}

func accountOf(name string) chain.Address { return chain.Address{ID: chain.Hash{name[0]}} }

func versionOf(f chain.Finality, transactions, actions []rowOf) *chain.FullTrace {
	v := &chain.FullTrace{}
	v.ID, v.Finality = chain.Hash{9}, f
	for i, r := range transactions {
		tx := chain.FullTransaction{InMessage: &chain.Message{Key: chain.MessageKey{Account: accountOf(r.name), LT: uint64(i)}}}
		tx.Account, tx.Finality, tx.LT = accountOf(r.name), r.f, uint64(i)
		v.Transactions = append(v.Transactions, tx)
	}
	for _, r := range actions {
		v.Actions = append(v.Actions, chain.Action{Type: r.name, Finality: r.f})
	}
	return v
}

// An update has what is new and what changed since the last version of a trace, and what is gone, as invalidated. Blocks send what is final.
func TestDifference_WhatIsNewChangedOrGone(t *testing.T) {
	t.Parallel()
	const pending, confirmed, finalized, invalid = chain.Pending, chain.Confirmed, chain.Finalized, chain.Invalidated
	rows := func(list ...rowOf) []rowOf { return list }
	for name, c := range map[string]struct {
		before, now *chain.FullTrace
		trace       bool
		rows        []rowOf
	}{
		"first version":   {nil, versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil), true, rows(rowOf{"a", pending}, rowOf{"b", pending})},
		"final at once":   {nil, versionOf(finalized, rows(rowOf{"a", finalized}), nil), false, nil},
		"nothing changed": {versionOf(pending, rows(rowOf{"a", pending}), nil), versionOf(pending, rows(rowOf{"a", pending}), nil), false, nil},
		"confirmed in part": {
			versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil), versionOf(confirmed, rows(rowOf{"a", confirmed}, rowOf{"b", pending}), nil), true, rows(rowOf{"a", confirmed}),
		},
		"final in part": {
			versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil), versionOf(confirmed, rows(rowOf{"a", finalized}, rowOf{"b", confirmed}), nil), true, rows(rowOf{"b", confirmed}),
		},
		"final": {versionOf(confirmed, rows(rowOf{"a", confirmed}), nil), versionOf(finalized, rows(rowOf{"a", finalized}), nil), false, nil},
		"another transaction": {
			versionOf(pending, rows(rowOf{"a", pending}), nil), versionOf(pending, rows(rowOf{"a", pending}, rowOf{"c", pending}), nil), false, rows(rowOf{"c", pending}),
		},
		"a second one of an account": {
			versionOf(pending, rows(rowOf{"a", pending}), nil), versionOf(pending, rows(rowOf{"a", pending}, rowOf{"a", pending}), nil), false, rows(rowOf{"a", pending}),
		},
		"the second of an account confirmed": {
			versionOf(confirmed, rows(rowOf{"a", confirmed}, rowOf{"a", pending}), nil), versionOf(confirmed, rows(rowOf{"a", confirmed}, rowOf{"a", confirmed}), nil), false, rows(rowOf{"a", confirmed}),
		},
		"gone": {versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil), versionOf(pending, rows(rowOf{"a", pending}), nil), false, rows(rowOf{"b", invalid})},
		"one of two of an account gone": {
			versionOf(confirmed, rows(rowOf{"a", confirmed}, rowOf{"a", confirmed}), nil), versionOf(confirmed, rows(rowOf{"a", confirmed}), nil), false, rows(rowOf{"a", invalid}),
		},
		"a final one is gone":        {versionOf(confirmed, rows(rowOf{"a", finalized}), nil), versionOf(confirmed, nil, nil), false, nil},
		"an invalidated one is gone": {versionOf(confirmed, rows(rowOf{"a", invalid}), nil), versionOf(confirmed, nil, nil), false, nil},
		"in another order of accounts": {
			versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil), versionOf(pending, rows(rowOf{"b", pending}, rowOf{"a", pending}), nil), false, nil,
		},
		"expired": {
			versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil), invalidated(versionOf(pending, rows(rowOf{"a", pending}, rowOf{"b", pending}), nil)), true,
			rows(rowOf{"a", invalid}, rowOf{"b", invalid}),
		},
	} {
		u := difference(c.before, c.now)
		require.Equal(t, c.trace, len(u.traces) == 1, name)
		if c.trace {
			require.Equal(t, c.now.Trace, u.traces[0], name)
			require.Len(t, u.parties[c.now.ID], len(c.now.Transactions), name)
			for i := range c.now.Transactions {
				require.Equal(t, c.now.Transactions[i].Account, u.parties[c.now.ID][i], name)
			}
		}
		var got []rowOf
		for i := range u.transactions {
			tx := &u.transactions[i]
			got = append(got, rowOf{string(tx.Account.ID[:1]), tx.Finality})
			require.Contains(t, u.received, chain.MessageKey{Account: tx.Account, LT: tx.LT}, name)
		}
		require.Equal(t, c.rows, got, name)

		// Actions are compared by their type in the same way.
		actions := func(v *chain.FullTrace) *chain.FullTrace {
			if v == nil {
				return nil
			}
			out := versionOf(v.Finality, nil, nil)
			for i := range v.Transactions {
				out.Actions = append(out.Actions, chain.Action{Type: string(v.Transactions[i].Account.ID[:1]), Finality: v.Transactions[i].Finality})
			}
			return out
		}
		u = difference(actions(c.before), actions(c.now))
		got = nil
		for i := range u.actions {
			got = append(got, rowOf{u.actions[i].Type, u.actions[i].Finality})
		}
		require.Equal(t, c.rows, got, name)
	}
	between := func(accounts ...chain.Address) *chain.FullTrace {
		v := versionOf(pending, nil, rows(rowOf{"x", pending}))
		v.Actions[0].Accounts = accounts
		return v
	}
	one, two, three := accountOf("1"), accountOf("2"), accountOf("3")
	u := difference(between(one, two), between(two, one))
	require.Empty(t, u.actions)
	u = difference(between(one, two), between(one, three))
	require.Len(t, u.actions, 2, "one between other accounts is another")
	require.Equal(t, []chain.Finality{pending, invalid}, []chain.Finality{u.actions[0].Finality, u.actions[1].Finality})
	require.Equal(t, []chain.Address{one, two}, u.actions[1].Accounts)

	tooLarge := versionOf(chain.Finalized, nil, nil)
	tooLarge.TooLarge = true
	require.Empty(t, difference(versionOf(pending, rows(rowOf{"a", pending}), nil), tooLarge).transactions, "it may have them")

	before := versionOf(pending, rows(rowOf{"a", pending}), rows(rowOf{"x", pending}))
	now := invalidated(before)
	require.Equal(t, []chain.Finality{pending, pending, pending}, []chain.Finality{before.Finality, before.Transactions[0].Finality, before.Actions[0].Finality}, "others read it")
	require.Equal(t, []chain.Finality{invalid, invalid, invalid}, []chain.Finality{now.Finality, now.Transactions[0].Finality, now.Actions[0].Finality})
}

// sentAt lists messages that were last sent at a time.
func sentAt(at time.Time, messages ...chain.Hash) []chain.LastSent {
	list := make([]chain.LastSent, len(messages))
	for i, h := range messages {
		list[i] = chain.LastSent{Hash: h, At: at}
	}
	return list
}

// A message that a block refuses is published again when a later one accepts it, and one that has expired when it is sent again; one whose trace is
// complete is not.
func TestWatch_RefusedMessagesArePublishedAgain(t *testing.T) {
	t.Parallel()
	h, now := chain.Hash{1}, time.Now()
	one := func(f chain.Finality) *chain.FullTrace { return versionOf(f, []rowOf{{"a", f}}, nil) }
	w := newWatch(&Feed{})
	levels := func() (list []chain.Finality) {
		for _, u := range w.updates {
			list = append(list, u.transactions[0].Finality)
		}
		return list
	}
	watched := func(at time.Time) bool {
		unfinished, _, _ := w.unfinished(sentAt(at, h))
		return len(unfinished) > 0
	}
	require.True(t, watched(now))
	w.update(h, nil, false, 1)
	require.True(t, watched(now), "refused before its first update")
	want := []chain.Finality{chain.Pending}
	w.update(h, one(chain.Pending), false, 2)
	require.Equal(t, want, levels())
	w.update(h, nil, false, 3)
	w.update(h, nil, false, 4)
	require.Equal(t, append(want, chain.Invalidated), levels(), "once")
	require.True(t, watched(now))
	require.Empty(t, w.subscribe(false).first, "nothing is pending")
	w.update(h, one(chain.Pending), false, 5)
	want = []chain.Finality{chain.Pending, chain.Invalidated, chain.Pending}
	require.Equal(t, want, levels())
	w.update(h, nil, true, 6)
	require.Equal(t, append(want, chain.Invalidated), levels())
	require.False(t, watched(now), "it has expired")

	require.True(t, watched(now.Add(time.Second)), "it was sent again")
	w.update(h, one(chain.Pending), false, 7)
	require.Equal(t, append(want, chain.Invalidated, chain.Pending), levels())
	w.update(h, one(chain.Finalized), true, 8)
	require.Len(t, w.updates, 5, "blocks have the final rows")
	require.False(t, watched(now.Add(2*time.Second)), "its trace is complete")
}

// An emulation of a long trace has another part of it each time. What is in none of the last part is invalidated by the complete trace only.
func TestWatch_PartsOfALongTraceInvalidateNothing(t *testing.T) {
	t.Parallel()
	const pending, final, invalid = chain.Pending, chain.Finalized, chain.Invalidated
	h := chain.Hash{1}
	part := func(f chain.Finality, inFlight int, transactions ...rowOf) *chain.FullTrace {
		v := versionOf(f, transactions, []rowOf{{"of " + transactions[len(transactions)-1].name, f}})
		v.PendingMessages, v.Classification = inFlight, chain.Classified
		return v
	}
	for happens, want := range map[bool][]rowOf{true: nil, false: {{"b", invalid}}} {
		w := newWatch(&Feed{})
		w.unfinished(sentAt(time.Time{}, h))
		w.update(h, part(pending, 3, rowOf{"a", pending}, rowOf{"b", pending}), false, 1)
		w.update(h, part(chain.Confirmed, 2, rowOf{"a", final}, rowOf{"c", pending}), false, 2)
		require.Len(t, w.messages[h].published.Transactions, 3)
		w.update(h, part(chain.Confirmed, 2, rowOf{"a", final}, rowOf{"c", pending}), false, 3)
		require.Len(t, w.messages[h].published.Transactions, 3)
		last := part(final, 0, rowOf{"a", final}, rowOf{"b", final}, rowOf{"c", final})
		if !happens {
			last = part(final, 0, rowOf{"a", final}, rowOf{"c", final})
		}
		before := len(w.updates)
		w.update(h, last, true, 4)
		var ended []rowOf
		for i, u := range w.updates {
			for j := range u.transactions {
				tx := &u.transactions[j]
				if i < before {
					require.Equal(t, pending, tx.Finality)
				} else {
					ended = append(ended, rowOf{string(tx.Account.ID[:1]), tx.Finality})
				}
			}
		}
		require.Equal(t, want, ended)
	}
}

// The outcome of a message is published once, and nothing after it.
func TestWatch_OutcomeEndsAMessage(t *testing.T) {
	t.Parallel()
	one := func(f chain.Finality) *chain.FullTrace { return versionOf(f, []rowOf{{"a", f}}, nil) }
	published := func(w *watch) (list []rowOf) {
		for _, u := range w.updates {
			for i := range u.transactions {
				list = append(list, rowOf{string(u.transactions[i].Account.ID[:1]), u.transactions[i].Finality})
			}
		}
		return list
	}
	h := chain.Hash{1}
	w := newWatch(&Feed{})
	w.unfinished(sentAt(time.Time{}, h))
	w.update(chain.Hash{2}, one(chain.Pending), false, 1)
	require.Empty(t, w.updates, "a message that is not watched")
	w.update(h, one(chain.Pending), false, 1)
	w.update(h, one(chain.Pending), false, 2)
	require.Len(t, w.updates, 1, "nothing changed")
	begun := versionOf(chain.Confirmed, nil, nil)
	begun.Classification = chain.Unclassified
	w.update(h, begun, false, 3)
	require.Equal(t, []rowOf{{"a", chain.Pending}}, published(w), "the emulated rows remain valid while the rest is not emulated")
	require.Equal(t, chain.Confirmed, w.updates[1].traces[0].Finality)
	w.update(h, nil, true, 4)
	require.Equal(t, []rowOf{{"a", chain.Pending}, {"a", chain.Invalidated}}, published(w))
	require.True(t, w.messages[h].ended)
	w.update(h, one(chain.Pending), false, 5)
	require.Len(t, w.updates, 3, "it has ended")

	w = newWatch(&Feed{})
	w.unfinished(sentAt(time.Time{}, h))
	w.update(h, nil, true, 1)
	require.True(t, w.messages[h].ended, "before its first update")
	require.Empty(t, w.updates)
}

// A stream reads the next blocks without a gap: one at a time near the head, else up to the end of a stride, which streams share.
func TestFollower_NextBlocksWithoutAGap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at      uint32
		ranges  []chain.SeqnoRange
		within  chain.SeqnoRange
		missing uint32
	}{
		{10, nil, chain.SeqnoRange{}, 0},
		{10, []chain.SeqnoRange{{First: 1, Last: 10}}, chain.SeqnoRange{}, 0},
		{10, []chain.SeqnoRange{{First: 1, Last: 11}}, chain.SeqnoRange{First: 11, Last: 11}, 0},
		{10, []chain.SeqnoRange{{First: 1, Last: 10 + near - 1}}, chain.SeqnoRange{First: 11, Last: 11}, 0},
		{3 * stride, []chain.SeqnoRange{{First: 1, Last: 3*stride + 1000}}, chain.SeqnoRange{First: 3*stride + 1, Last: 4*stride - 1}, 0},
		{3*stride - 1, []chain.SeqnoRange{{First: 1, Last: 3*stride + 1000}}, chain.SeqnoRange{First: 3 * stride, Last: 4*stride - 1}, 0},
		{10, []chain.SeqnoRange{{First: 1, Last: 10}, {First: 12, Last: 500}}, chain.SeqnoRange{}, 12},
		{10, []chain.SeqnoRange{{First: 1, Last: 5}, {First: 11, Last: 11}}, chain.SeqnoRange{First: 11, Last: 11}, 0},
		{10, []chain.SeqnoRange{{First: 11, Last: 10 + near}}, chain.SeqnoRange{First: 11, Last: min(10+near, 11/stride*stride+stride-1)}, 0},
	} {
		within, missing := (&follower{at: c.at}).after(c.ranges)
		require.Equal(t, c.within, within, c)
		require.Equal(t, c.missing, missing, c)
	}
}
