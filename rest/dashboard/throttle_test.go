package dashboard

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// A throttle has a bounded number of counters of one size, for any number and length of keys. A flood neither resets a
// full counter nor allows more guesses.
func TestThrottle_MemoryIsBounded(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	now := time.Now()
	d := newThrottle(func() time.Time { return now })
	for range maxGuesses {
		_, wait := d.begin(maxGuesses, "name", "shop")
		require.Zero(t, wait)
	}
	long := strings.Repeat("x", 4000)
	admitted := 0
	for i := range 200_000 {
		if _, wait := d.begin(maxGuesses, "name", long[:i%len(long)]+strconv.Itoa(i)); wait == 0 {
			admitted++
		}
	}
	require.LessOrEqual(t, len(d.counters), maxCounters+sharedCounters)
	require.LessOrEqual(t, admitted, maxCounters+maxGuesses*sharedCounters)
	_, wait := d.begin(maxGuesses, "name", "shop")
	require.Positive(t, wait, "the flood resets no counter")

	now = now.Add(guessPause + sweepEvery)
	_, wait = d.begin(maxGuesses, "name", "newcomer")
	require.Zero(t, wait)
	require.Len(t, d.counters, 1, "expired counters are removed")
}

func TestThrottle_UndoneAttemptDoesNotCount(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newThrottle(func() time.Time { return now })
	for range 3 * maxGuesses {
		a, wait := d.begin(maxGuesses, "name", "shop")
		require.Zero(t, wait)
		a.undo()
	}
	require.Empty(t, d.counters)
	var last attempt
	for range maxGuesses {
		last, _ = d.begin(maxGuesses, "name", "shop")
	}
	_, wait := d.begin(maxGuesses, "name", "shop")
	require.Equal(t, guessPause, wait)
	_, wait = d.begin(maxGuesses, "address", "shop")
	require.Zero(t, wait, "another kind of key")
	last.forget()
	_, wait = d.begin(maxGuesses, "name", "shop")
	require.Zero(t, wait)
	attempt{}.undo()
}

// A flood of keys in a full allowance refuses no other key, and its memory is bounded.
func TestAllowance_FloodRefusesNobodyElse(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newAllowance(func() time.Time { return now })
	for i := range 100_000 {
		d.begin(maxStarts, "pay", "flood "+strconv.Itoa(i))
	}
	require.LessOrEqual(t, len(d.counters), maxCounters)
	for i := range 2000 {
		key := "buyer " + strconv.Itoa(i)
		_, wait := d.begin(maxStarts, "pay", key)
		require.Zero(t, wait, key)
	}
	for range maxStarts {
		d.begin(maxStarts, "pay", "one")
	}
	_, wait := d.begin(maxStarts, "pay", "one")
	require.Positive(t, wait, "the limit of one key stays")
}
