package action

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// Spec is one way to recognize a kind.
type Spec struct {
	Kind  string // the public type; it is stored: never rename, never reuse
	Type  string // the internal type, a part of ids; Kind when empty
	Phase int    // kinds run in ascending order; later ones build on merged blocks
	Match *Pattern
	Build func(*Context, *Match) *Result
	// Request names the block whose excesses and bounces are not part of the match; empty for the start block.
	Request string
	// AllExcesses adds the excesses after the request to the match, too.
	AllExcesses bool
	// OnlyPattern leaves out the excesses and bounces that the pattern does not name.
	OnlyPattern bool
	// Join, instead of Build, receives all matches of a trace at once. It is for blocks that belong together without
	// being connected.
	Join func(*Context, []*Match) []Joined

	first starts // the starts of the pattern
}

// Result is the outcome of a builder. A nil Result leaves the blocks unchanged.
type Result struct {
	Columns Columns
	Failed  bool
	Kind    string // replaces the public type of the Spec; the internal type stays
	Also    []chain.Address
	// WithoutSender leaves out the transaction that sent the first message.
	WithoutSender bool
}

// Joined are several blocks that become one, in the place of the first.
type Joined struct {
	Parts  []*Block
	Result *Result
}

// Context is the input of builders besides the match.
type Context struct {
	Records Records
}

var registry []Spec

// Register registers a kind. Kinds of one phase run in the order of their names. Call it in init; it panics on an
// incomplete or duplicate kind.
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

// Kinds returns the names of the registered kinds and of the basic ones, in ascending order.
func Kinds() []string {
	kinds := []string{TypeTonTransfer, TypeCallContract, typeContractDeploy, typeTickTock, typeUnknown, typeGaslessRequest}
	for _, s := range registry {
		kinds = append(kinds, s.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// withoutParts are the internal types whose parts are not separate actions.
var withoutParts = map[string]bool{
	TypeCallContract: true, typeContractDeploy: true, typeTickTock: true, TypeTonTransfer: true,
	"jetton_transfer": true, "jetton_burn": true, "jetton_mint": true, "jetton_swap": true,
	"nft_transfer": true, "nft_mint": true,
	"tonstakers_deposit": true, "nominator_pool_deposit": true, "ethena_deposit": true,
	"tonstakers_withdraw": true, "nominator_pool_withdraw_request": true,
	"tonstakers_withdraw_request": true, "ethena_withdrawal_request": true,
	"hipo_stake_deposit": true, "hipo_stake_withdrawal": true, "hipo_stake_withdrawal_request": true,
	"dex_deposit_liquidity": true, "dedust_deposit_liquidity": true, "dedust_deposit_liquidity_partial": true,
	"dedust_v2_deposit_liquidity": true, "dedust_v2_deposit_liquidity_partial": true,
	"tonco_deposit_liquidity": true, "coffee_deposit_liquidity": true,
	"dex_withdraw_liquidity": true, "tonco_withdraw_liquidity": true,
	"change_dns": true, "delete_dns": true, "renew_dns": true, "subscribe": true, "unsubscribe": true,
	"election_deposit": true, "election_recover": true, "auction_bid": true,
	typeChangeWalletKey: true,
}
