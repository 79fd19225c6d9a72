package live_test

import (
	"context"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest/live"
)

// A client takes its share, by its network, and leaves the rest to others; clients without an address have no share.
func TestWorkers_OneClientLeavesSomeForOthers(t *testing.T) {
	t.Parallel()
	const all, ofClient = 6, 2
	w := live.NewWorkers(all, ofClient)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	one, same, other := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2"), netip.MustParseAddr("192.0.2.1")
	var ends []func()
	begin := func(client netip.Addr) {
		done, err := w.Begin(t.Context(), client)
		require.NoError(t, err)
		ends = append(ends, done)
	}
	begin(one)
	begin(same)
	for range 100 {
		_, err := w.Begin(over, one)
		require.ErrorIs(t, err, context.Canceled)
	}
	begin(other)
	for range all - 3 {
		begin(netip.Addr{})
	}
	_, err := w.Begin(over, netip.Addr{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = w.Begin(over, other)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, all, w.Busy())
	for _, done := range ends {
		done()
	}
	require.Zero(t, w.Busy())
	for range ofClient { // places that were given up while waiting are free
		begin(one)
	}
}
