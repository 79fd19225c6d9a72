package access

import (
	"slices"

	"tonql/internal/chain"
)

// Plan is what an owner may do on one network.
type Plan struct {
	Name    string
	Rate    float64 // requests a second, over all keys of the owner
	MaxKeys int     // that may be valid at once
}

// Custom is the name of a plan whose numbers are an agreement with its owner.
const Custom = "custom"

// Anonymous is the name under which requests without a key are counted.
const Anonymous = "anonymous"

// Plans are those of the field, ascending.
var Plans = []Plan{
	{Name: "free", Rate: 10, MaxKeys: 1},
	{Name: "plus", Rate: 25, MaxKeys: 3},
	{Name: "advanced", Rate: 100, MaxKeys: 10},
}

// Bounds of a custom plan: below the lower one no request passes, above the upper one nothing is limited.
const (
	leastRate = 0.01
	maxRate   = 1e6
	maxKeys   = 1000
)

// PlanOf gives a plan by its name. Rate and keys are those of a custom plan and must be zero for the others.
func PlanOf(name string, rate float64, keys int) (Plan, error) {
	if name == Custom {
		if !(rate >= leastRate && rate <= maxRate) || keys < 1 || keys > maxKeys {
			return Plan{}, chain.Invalidf("a custom plan has a rate of %g to %g requests a second and 1 to %d keys", leastRate, maxRate, maxKeys)
		}
		return Plan{Name: Custom, Rate: rate, MaxKeys: keys}, nil
	}
	at := slices.IndexFunc(Plans, func(p Plan) bool { return p.Name == name })
	if at < 0 {
		return Plan{}, chain.Invalidf("there is no plan %s: use free, plus, advanced or custom", chain.Quote(name))
	}
	if rate != 0 || keys != 0 {
		return Plan{}, chain.Invalidf("plan %s has its own rate and number of keys; use plan custom to choose them", name)
	}
	return Plans[at], nil
}

// burst is what a bucket holds at most: what a second brings, and a little more than one request, so that a slow client
// loses nothing of the rate by a request between two full tokens.
func burst(rate float64) float64 { return max(1.5, rate) }
