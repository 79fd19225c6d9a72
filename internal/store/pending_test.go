package store_test

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

func pendingMessage(n uint64, account byte, size int) *chain.PendingMessage {
	m := &chain.PendingMessage{
		Account: chain.Address{ID: chain.Hash{account}}, BOC: make(chain.BOC, size), SentUtime: 1_700_000_000, ExpireUtime: 1_700_000_050,
		McSeqno: 7,
	}
	binary.BigEndian.PutUint64(m.Hash[:], n)
	binary.BigEndian.PutUint64(m.HashNorm[8:], n)
	m.Accounts = []chain.Address{m.Account, {ID: chain.Hash{0xff}}}
	return m
}

// A message is found by both its hashes and by every account of its emulated trace. One that is sent twice is stored once, as the newest one with the
// times of the second, and retains its emulated trace.
func TestStorePending_IsFoundByHashesAndAccounts(t *testing.T) {
	t.Parallel()
	p := testdb.New(t).Pending(store.PendingLimits{})
	want := pendingMessage(1, 1, 10)
	want.Content = chain.BOC{1, 2, 3}
	require.NoError(t, p.StorePending(t.Context(), want))
	other := pendingMessage(2, 3, 10)
	other.Accounts = other.Accounts[:1]
	require.NoError(t, p.StorePending(t.Context(), other))
	newest := func() []chain.LastSent {
		list, err := p.NewestPending(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, list, 2)
		return list
	}
	before := newest()
	require.Equal(t, want.HashNorm, before[1].Hash)
	want.SentUtime, want.ExpireUtime, want.McSeqno = 1_700_000_030, 1_700_000_060, 9
	again := *want
	again.Content, again.Accounts = nil, want.Accounts[:1]
	require.NoError(t, p.StorePending(t.Context(), &again), "sent again without an emulated trace")
	after := newest()
	require.Equal(t, want.HashNorm, after[0].Hash)
	require.True(t, after[0].At.After(before[1].At))
	for _, f := range []chain.PendingFilter{
		{Hashes: []chain.Hash{want.Hash}}, {Hashes: []chain.Hash{want.HashNorm}}, {Hashes: []chain.Hash{{}, want.Hash, want.HashNorm}},
		{Accounts: want.Accounts[:1]}, {Accounts: want.Accounts[1:]}, {Accounts: want.Accounts, Hashes: []chain.Hash{{}}},
	} {
		got, err := p.PendingMessages(t.Context(), f, 10)
		require.NoError(t, err)
		require.Equal(t, []chain.PendingMessage{*want}, got)
	}
	for _, f := range []chain.PendingFilter{{}, {Hashes: []chain.Hash{{9}}}, {Accounts: []chain.Address{{ID: chain.Hash{2}}}}} {
		got, err := p.PendingMessages(t.Context(), f, 10)
		require.NoError(t, err)
		require.Empty(t, got)
	}
	require.True(t, want.Expired(1_700_000_060))
	require.False(t, want.Expired(1_700_000_059))
}

// Concurrent messages do not exceed the limit of an account.
func TestStorePending_ConcurrentOnesStayWithinTheLimit(t *testing.T) {
	t.Parallel()
	p := testdb.New(t).Pending(store.PendingLimits{PerAccount: 5})
	for round := range 20 {
		var group sync.WaitGroup
		for i := range 12 {
			group.Go(func() {
				if err := p.StorePending(t.Context(), pendingMessage(uint64(100*round+i+1), 1, 10)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		got, err := p.PendingMessages(t.Context(), chain.PendingFilter{Accounts: []chain.Address{{ID: chain.Hash{1}}}}, 100)
		require.NoError(t, err)
		require.Len(t, got, 5)
	}
}

// The newest messages are retained, within the limits of each account, of all accounts, and of bytes.
func TestStorePending_NewestStayWithinTheLimits(t *testing.T) {
	t.Parallel()
	everyone := chain.PendingFilter{Accounts: []chain.Address{{ID: chain.Hash{0xff}}}}
	for name, c := range map[string]struct {
		limits   store.PendingLimits
		accounts int
		want     int
	}{
		"of one account": {store.PendingLimits{PerAccount: 5, Messages: 50, Every: 1}, 1, 5},
		"of many":        {store.PendingLimits{PerAccount: 5, Messages: 12, Every: 1}, 20, 12},
		"in bytes":       {store.PendingLimits{Bytes: 1000, Every: 1}, 20, 10},
		"between checks": {store.PendingLimits{PerAccount: 100, Messages: 10, Every: 7}, 20, 13}, // the last check is at message 57 of 60
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testdb.New(t).Pending(c.limits)
			const sent = 60
			for i := range sent {
				require.NoError(t, p.StorePending(t.Context(), pendingMessage(uint64(i+1), byte(i%c.accounts), 100)))
			}
			got, err := p.PendingMessages(t.Context(), everyone, 1000)
			require.NoError(t, err)
			require.Len(t, got, c.want)
			for i := range got {
				require.Equal(t, pendingMessage(uint64(sent-i), 0, 0).Hash, got[i].Hash)
			}
		})
	}
}
