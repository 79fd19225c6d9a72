package scenario

import (
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
)

// flow is a sequence of steps. The state of the chain after one step decides the next; after its last step a flow starts
// again.
type flow struct {
	name string
	next func(*batch) string // returns the name of the step it took; empty when it took none
}

// Blocks between two steps of a flow: quick at first, so that the chain's first minute shows one of each; steady after.
const (
	firstPace  = 6
	steadyPace = 20
	firstFlows = 70 // blocks of the first pace
)

var flows = []flow{
	{"sale bought", item(0).sale},
	{"sale cancelled", item(1).sale},
	{"auction won", item(2).auction},
	{"auction cancelled", item(3).auction},
	{"auction stopped", item(4).auction},
	{"user name owned", username("skipper").next},
	{"user name sold", username("pilot").next},
	{"leased name", lease("pier").next},
	{"leased name again", lease("buoy").next},
	{"multisig", board(0).next},
	{"second multisig", board(1).next},
	{"vesting", (*batch).vest},
	{"subscription", subscriber(7).next},
	{"second subscription", subscriber(10).next},
	{"pool", (*batch).deposit},
	{"mintless", (*batch).claim},
	{"stuck", (*batch).sink},
	{"lie", (*batch).lie},
	{"poke", (*batch).poke},
	{"currency", (*batch).currency},
}

// flow takes the steps of the flows that are due and returns their names.
func (t *batch) flow(list []flow) []string {
	pace := t.pace()
	var taken []string
	for i, f := range list {
		if !t.crosses(pace, uint32(i)%pace) {
			continue
		}
		if step := f.next(t); step != "" {
			taken = append(taken, f.name+": "+step)
		}
	}
	return taken
}

func (t *batch) pace() uint32 {
	if t.last <= firstFlows {
		return firstPace
	}
	return steadyPace
}

// round returns the number of times that a flow has been due.
func (t *batch) round() uint32 { return t.last / t.pace() }

// did returns the name of a step if its message was posted, otherwise the empty string.
func did(step string, posted bool) string {
	if posted {
		return step
	}
	return ""
}

// another returns a random actor that can send and is none of the given ones; nil when there is none.
func (t *batch) another(not ...*address.Address) *contracts.Wallet {
	actors := t.cast.actors
	start := t.rand.IntN(len(actors))
	for i := range actors {
		w := actors[(start+i)%len(actors)]
		if !among(w.Address, not) && t.ready(w) {
			return w
		}
	}
	return nil
}

func among(a *address.Address, list []*address.Address) bool {
	for _, other := range list {
		if other != nil && other.Equals(a) {
			return true
		}
	}
	return false
}

// ready reports whether a wallet can send one more message in this batch.
func (t *batch) ready(w *contracts.Wallet) bool {
	l := t.letterOf(w)
	return l != nil && l.room > 0
}
