package metadata

import (
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"tonql/internal/chain"
)

const (
	// slowAfter is the average duration of the requests to a host from which it is slow.
	slowAfter = 2 * time.Second
	// maxHosts bounds the hosts whose durations are in memory.
	maxHosts = 4096
)

// key names a job: an address may be a master and an item at once.
type key struct {
	address chain.Address
	kind    chain.TokenKind
}

func keyOf(j chain.MetadataJob) key { return key{j.Address, j.Kind} }

// task is a job on its way, with the place its uri names.
type task struct {
	job   chain.MetadataJob
	place place
	fault *failure // why there is no address to request
	// limited is whether its host was new or slow when the task was added.
	limited bool
	took    time.Duration // once it ran
}

// waitingLine holds the jobs in memory and keeps the bounds per host. Only the loop of Run touches it.
//
// Anyone can name hosts that respond at their timeout, and has any number of them. So hosts that are new or slow together have at most half of the
// slots and of the places, and a slow one has one slot: the others are for hosts that have responded in time.
type waitingLine struct {
	options Options
	present map[key]bool   // waiting or running
	waiting []task         // in the order they came
	queued  map[string]int // waiting, by host
	running map[string]int // by host
	active  int

	limitedQueued, limitedRunning int
	times                         *lru.Cache[string, time.Duration] // average duration of requests, by host
}

func newWaitingLine(o Options) *waitingLine {
	times, err := lru.New[string, time.Duration](maxHosts)
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	return &waitingLine{options: o, present: map[key]bool{}, queued: map[string]int{}, running: map[string]int{}, times: times}
}

// slow reports whether requests to a host take long, and whether it was measured: IPFS gateways have bounds of their own.
func (l *waitingLine) slow(host string) (slow, measured bool) {
	if host == "" || host == ipfsHost {
		return false, true
	}
	average, measured := l.times.Get(host)
	return average > slowAfter, measured
}

// limited reports whether a host is new or slow.
func (l *waitingLine) limited(host string) bool {
	slow, measured := l.slow(host)
	return slow || !measured
}

// slots is the number of requests to a host at once.
func (l *waitingLine) slots(host string) int {
	if slow, _ := l.slow(host); slow && host != ipfsAgain {
		return 1
	}
	return l.options.PerHost
}

// room is how many more jobs fit.
func (l *waitingLine) room() int { return l.options.Batch - len(l.waiting) - l.active }

// crowded reports whether one host, or those that are new or slow, have so many jobs waiting that more of them would keep others out.
func (l *waitingLine) crowded(host string) bool {
	return host != "" && l.queued[host] >= max(l.options.Batch/4, 1) || l.limited(host) && l.limitedQueued >= max(l.options.Batch/2, 1)
}

// add takes a job in.
func (l *waitingLine) add(e task) {
	l.present[keyOf(e.job)] = true
	l.queued[e.place.host]++
	if e.limited = l.limited(e.place.host); e.limited {
		l.limitedQueued++
	}
	l.waiting = append(l.waiting, e)
}

// next returns the first waiting job whose host has a free slot.
func (l *waitingLine) next() (task, bool) {
	if l.active >= l.options.Concurrency {
		return task{}, false
	}
	for i, e := range l.waiting {
		host := e.place.host
		if host != "" && l.running[host] >= l.slots(host) || e.limited && l.limitedRunning >= max(l.options.Concurrency/2, 1) {
			continue
		}
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.active++
		if e.limited {
			l.limitedQueued--
			l.limitedRunning++
		}
		count(l.queued, host, -1)
		count(l.running, host, 1)
		return e, true
	}
	return task{}, false
}

// end forgets a job that ran, and notes how long it took.
func (l *waitingLine) end(e task) {
	l.active--
	if e.limited {
		l.limitedRunning--
	}
	host := e.place.host
	count(l.running, host, -1)
	delete(l.present, keyOf(e.job))
	if host == "" || host == ipfsHost {
		return
	}
	average, measured := l.times.Get(host)
	if !measured {
		average = e.took
	}
	const weight = 5 // of what was measured before, to one of the newest
	l.times.Add(host, (average*(weight-1)+e.took)/weight)
}

// count changes a count and forgets hosts that have none, so that the maps stay as small as the line.
func count(m map[string]int, host string, by int) {
	if m[host] += by; m[host] == 0 {
		delete(m, host)
	}
}
