package metadata

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// lineOf is a line with the usual bounds, and a function that puts a job for a host into it unless it is crowded.
func lineOf() (l *waitingLine, offer func(host string) bool) {
	l, n := newWaitingLine(Options{}.withDefaults()), 0
	return l, func(host string) bool {
		if l.crowded(host) || l.room() == 0 {
			return false
		}
		n++
		l.add(task{job: chain.MetadataJob{Address: chain.Address{ID: chain.Hash{byte(n), byte(n >> 8)}}}, place: place{host: host}})
		return true
	}
}

// begin runs what may run, and returns it by host.
func begin(l *waitingLine) map[string][]task {
	running := map[string][]task{}
	for e, ok := l.next(); ok; e, ok = l.next() {
		running[e.place.host] = append(running[e.place.host], e)
	}
	return running
}

func (l *waitingLine) ended(e task, took time.Duration) {
	e.took = took
	l.end(e)
}

// However many hosts respond late, half of the slots and of the places are for hosts that have responded in time.
func TestLine_SlowAndNewHostsHaveHalf(t *testing.T) {
	t.Parallel()
	l, offer := lineOf()
	require.True(t, offer("good"))
	for _, tasks := range begin(l) {
		l.ended(tasks[0], 100*time.Millisecond)
	}
	taken := 0
	for i := range 1000 {
		if offer("bad" + strconv.Itoa(i%50)) {
			taken++
		}
	}
	require.Equal(t, l.options.Batch/2, taken)
	running := begin(l)
	n := 0
	for host, tasks := range running {
		require.LessOrEqual(t, len(tasks), l.options.PerHost, host)
		n += len(tasks)
	}
	require.Equal(t, l.options.Concurrency/2, n)

	// Those that responded have their slots at once, as have jobs without a request, and IPFS.
	for _, host := range []string{"good", ipfsHost} {
		for range 10 {
			require.True(t, offer(host))
		}
	}
	require.True(t, offer(""))
	now := begin(l)
	require.Len(t, now["good"], l.options.PerHost)
	require.LessOrEqual(t, len(now["good"])+len(now[ipfsHost])+len(now[""]), l.options.Concurrency/2)
	require.NotEmpty(t, now[ipfsHost])

	// Those that were slow have one slot each from then on.
	for _, tasks := range running {
		for _, e := range tasks {
			l.ended(e, 15*time.Second)
		}
	}
	for host, tasks := range begin(l) {
		if _, again := running[host]; again {
			require.Len(t, tasks, 1, host)
		}
	}
}

// A host that was slow becomes one like the others when it responds in time for a while, and slow when it does not.
func TestLine_HostsAreJudgedByTheirLatestRequests(t *testing.T) {
	t.Parallel()
	l, offer := lineOf()
	run := func(took time.Duration) {
		require.True(t, offer("host"))
		for _, e := range begin(l)["host"] {
			l.ended(e, took)
		}
	}
	require.True(t, l.limited("host"), "it is new")
	run(time.Second)
	require.False(t, l.limited("host"))
	run(15 * time.Second)
	require.True(t, l.limited("host"))
	for range 3 {
		run(100 * time.Millisecond)
	}
	require.False(t, l.limited("host"))
	require.Zero(t, l.limitedQueued)
	require.Zero(t, l.limitedRunning)
	require.Zero(t, l.active)
}
