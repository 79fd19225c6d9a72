package action

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// Spec is one way to recognise a kind.
type Spec struct {
	Kind  string // the public name; it is written to disk: never rename, never reuse
	Type  string // the internal name, which enters ids; Kind when empty
	Phase int    // kinds run in ascending order, so that later ones build on blocks merged earlier
	Match *Pattern
	Build func(*Context, *Match) *Result
	// AllExcesses takes the excesses after the start, too.
	AllExcesses bool
	// Join, instead of Build, gets all matches of a trace at once: for what belongs together without hanging together.
	Join func(*Context, []*Match) []Joined

	first starts // what the pattern can start at
}

// Result is what a builder made of a match; nil leaves the blocks as they are.
type Result struct {
	Columns Columns
	Failed  bool
	Kind    string // the public name, instead of the Spec's, when the builder decides; the internal one stays
	Also    []chain.Address
}

// Joined is several blocks that become one; the first of them gives it its place.
type Joined struct {
	Parts  []*Block
	Result *Result
}

// Context is what builders may ask.
type Context struct {
	Records Records
}

var registry []Spec

// Register makes a kind known. Kinds of one phase run in the order of their names. It is called while the program starts,
// and panics on a mistake in our own tables.
func Register(s Spec) {
	if s.Type == "" {
		s.Type = s.Kind
	}
	if s.Kind == "" || s.Match == nil || s.Build == nil && s.Join == nil {
		panic("action: an incomplete kind " + s.Kind) //nolint:forbidigo // registration: found by the first start
	}
	s.first.add(s.Match)
	at, taken := slices.BinarySearchFunc(registry, s, func(a, b Spec) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Kind, b.Kind))
	})
	if taken {
		panic("action: " + s.Kind + " has two specs in one phase") //nolint:forbidigo // registration: found by the first start
	}
	registry = slices.Insert(registry, at, s)
}

// Kinds lists the kinds that are recognised, ascending; the basic ones are among them.
func Kinds() []string {
	kinds := []string{TypeTonTransfer, TypeCallContract, typeContractDeploy, typeTickTock, typeUnknown}
	for _, s := range registry {
		kinds = append(kinds, s.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// standsAlone lists the internal types whose parts are not actions of their own.
var standsAlone = map[string]bool{
	TypeCallContract: true, typeContractDeploy: true, typeTickTock: true, TypeTonTransfer: true,
	"jetton_transfer": true, "jetton_burn": true, "jetton_mint": true, "jetton_swap": true,
	"nft_transfer": true, "nft_mint": true,
	"tonstakers_deposit": true, "nominator_pool_deposit": true, "ethena_deposit": true,
	"tonstakers_withdraw": true, "nominator_pool_withdraw_request": true,
	"tonstakers_withdraw_request": true, "ethena_withdrawal_request": true,
	"dex_deposit_liquidity": true, "dedust_deposit_liquidity": true, "dedust_deposit_liquidity_partial": true,
	"tonco_deposit_liquidity": true, "coffee_deposit_liquidity": true,
	"dex_withdraw_liquidity": true, "tonco_withdraw_liquidity": true,
	"change_dns": true, "delete_dns": true, "renew_dns": true, "subscribe": true, "unsubscribe": true,
	"election_deposit": true, "election_recover": true, "auction_bid": true,
}
