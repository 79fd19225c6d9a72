package doctor

import (
	"slices"
	"time"

	"tonql/internal/node"
)

const (
	// Ages of the newest block of a server.
	headWarn = time.Minute
	headFail = 10 * time.Minute
	// behindWarn is how many blocks a server may be behind the first one.
	behindWarn = 25
	// Differences of clocks. Liteservers report theirs in seconds.
	clockWarn = 5 * time.Second
	clockFail = time.Minute
)

// Liteservers judges the servers of a network. first is the oldest masterchain block that is to be indexed, 0 for none that
// is known; local is true for the local chain, which has one server.
func Liteservers(list []node.Survey, now time.Time, first uint32, local bool) []Result {
	const name = "liteservers"
	var results []Result
	var head uint32
	usable, archives := 0, 0
	for _, s := range list {
		head = max(head, s.HeadSeqno)
	}
	for _, s := range list {
		r := liteserver(s, now, head)
		if r.Status != Fail {
			usable++
			if s.OldestSeqno <= max(first, 1) {
				archives++
			}
		}
		results = append(results, r)
	}
	switch {
	case usable == 0:
		results = append(results, fail(name, "check that this machine may connect to the ports of the servers, and that --global-config is current", "none of %d can be used", len(list)))
	case usable == 1 && !local:
		results = append(results, warn(name, "add servers to the global config: with one, indexing stops whenever it does", "one of %d can be used", len(list)))
	default:
		results = append(results, ok(name, "%d of %d can be used", usable, len(list)))
	}
	if usable > 0 && first > 0 && archives == 0 {
		results = append(results, warn(name, "add an archive liteserver, or index from a later block with --from", "none has block %d, from which on is to be indexed", first))
	}
	return results
}

func liteserver(s node.Survey, now time.Time, head uint32) Result {
	name := "liteserver " + s.Name
	if s.Err != nil {
		return fail(name, "check its address and port; other servers of the configuration are used meanwhile", "%v", s.Err)
	}
	age := now.Sub(s.HeadTime).Round(time.Second)
	switch {
	case age > headFail:
		return fail(name, "the server is out of sync, or the network stands still", "block %d is the newest, %s old", s.HeadSeqno, age)
	case age > headWarn:
		return warn(name, "the server is out of sync, or the network stands still", "block %d is the newest, %s old", s.HeadSeqno, age)
	case head-s.HeadSeqno > behindWarn:
		return warn(name, "the server is out of sync", "block %d is the newest, %d behind another server", s.HeadSeqno, head-s.HeadSeqno)
	}
	depth := "archive"
	if s.OldestSeqno > 1 {
		depth = "some blocks back"
		if n := s.HeadSeqno - s.OldestSeqno; n > 0 {
			depth = "at least " + count(n) + " blocks back"
		}
	}
	return ok(name, "block %d, %s old, %s, %s round trip", s.HeadSeqno, max(age, 0), depth, s.RoundTrip.Round(time.Millisecond))
}

func count(n uint32) string {
	switch {
	case n >= 1_000_000:
		return itoa(n/1_000_000) + " million"
	case n >= 1000:
		return itoa(n/1000) + ",000"
	default:
		return itoa(n)
	}
}

// Clock compares the clock of the machine with those of liteservers: their median, so that a single server does not decide.
func Clock(list []node.Survey, now time.Time) Result {
	const name, advice = "clock", "synchronize the clock of this machine with NTP: tokens, retries and expiry use it"
	var offsets []time.Duration
	for _, s := range list {
		if !s.Clock.IsZero() {
			offsets = append(offsets, s.Clock.Sub(now))
		}
	}
	if len(offsets) == 0 {
		return ok(name, "not compared: no liteserver responds")
	}
	slices.Sort(offsets)
	offset := offsets[len(offsets)/2].Round(time.Second)
	switch off := offset.Abs(); {
	case off > clockFail:
		return fail(name, advice, "%s apart from the liteservers", off)
	case off > clockWarn:
		return warn(name, advice, "%s apart from the liteservers", off)
	default:
		return ok(name, "within %s of the liteservers", clockWarn)
	}
}

// DatabaseClock compares the clock of the machine with that of the database.
func DatabaseClock(offset time.Duration) Result {
	const name, advice = "clock of the database", "synchronize both clocks with NTP: retries of webhooks and the expiry of keys use the database's"
	switch off := offset.Abs().Round(time.Millisecond); {
	case off > clockFail:
		return fail(name, advice, "%s apart from this machine", off)
	case off > clockWarn:
		return warn(name, advice, "%s apart from this machine", off)
	default:
		return ok(name, "%s apart from this machine", off)
	}
}
