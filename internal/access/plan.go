package access

import (
	"slices"

	"tonql/internal/chain"
)

// Plan has the limits of an owner on one network.
type Plan struct {
	Name    string
	Rate    float64 // requests per second for all keys of the owner
	MaxKeys int     // number of valid keys
}

// Custom is the name of plans with individual limits.
const Custom = "custom"

// Anonymous is the plan of requests without a key.
const Anonymous = "anonymous"

// Plans are the published plans, ascending.
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

// PlanOf returns a plan by its name. rate and keys are the limits of a custom plan and must be zero for other plans.
func PlanOf(name string, rate float64, keys int) (Plan, error) {
	if name == Custom {
		if !(rate >= leastRate && rate <= maxRate) || keys < 1 || keys > maxKeys {
			return Plan{}, chain.Invalidf("a custom plan has a rate of %g to %.0f requests a second and 1 to %d keys", leastRate, maxRate, maxKeys)
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
