package metadata

import (
	"slices"

	"tonql/internal/chain"
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
}

// waitingLine holds the jobs in memory and keeps the bounds per host. Only the loop of Run touches it.
type waitingLine struct {
	options Options
	present map[key]bool   // waiting or running
	waiting []task         // in the order they came
	queued  map[string]int // waiting, by host
	running map[string]int // by host
	active  int
}

func newWaitingLine(o Options) *waitingLine {
	return &waitingLine{options: o, present: map[key]bool{}, queued: map[string]int{}, running: map[string]int{}}
}

// room is how many more jobs fit.
func (l *waitingLine) room() int { return l.options.Batch - len(l.waiting) - l.active }

// crowded reports whether one host has so many jobs waiting that more of them would keep others out.
func (l *waitingLine) crowded(host string) bool {
	return host != "" && l.queued[host] >= max(l.options.Batch/4, 1)
}

// add takes a job in.
func (l *waitingLine) add(e task) {
	l.present[keyOf(e.job)] = true
	l.queued[e.place.host]++
	l.waiting = append(l.waiting, e)
}

// next returns the first waiting job whose host has a free slot.
func (l *waitingLine) next() (task, bool) {
	if l.active >= l.options.Concurrency {
		return task{}, false
	}
	for i, e := range l.waiting {
		host := e.place.host
		if host != "" && l.running[host] >= l.options.PerHost {
			continue
		}
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.active++
		count(l.queued, host, -1)
		count(l.running, host, 1)
		return e, true
	}
	return task{}, false
}

// end forgets a job that ran.
func (l *waitingLine) end(e task) {
	l.active--
	count(l.running, e.place.host, -1)
	delete(l.present, keyOf(e.job))
}

// count changes a count and forgets hosts that have none, so that the maps stay as small as the line.
func count(m map[string]int, host string, by int) {
	if m[host] += by; m[host] == 0 {
		delete(m, host)
	}
}
