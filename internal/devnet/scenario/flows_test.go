package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// firstMinute lists the steps that the flows take in the first minute of a chain with one block per second.
var firstMinute = []string{
	"sale bought: put on sale", "sale bought: price changed", "sale bought: bought",
	"sale cancelled: put on sale", "sale cancelled: cancelled",
	"auction won: put on auction", "auction won: bid", "auction won: outbid", "auction won: finished",
	"auction cancelled: cancelled", "auction stopped: stopped",
	"user name owned: minted", "user name owned: outbid", "user name owned: settled", "user name owned: record set",
	"user name sold: auction started",
	"leased name: first bid", "leased name: outbid", "leased name: won", "leased name: released", "leased name again: renewed",
	"multisig: payment proposed", "multisig: approved", "multisig: many things proposed", "multisig: approved by comment",
	"multisig: short-lived order proposed",
	"second multisig: order proposed that goes stale", "second multisig: other signers proposed",
	"second multisig: order proposed that waits",
	"vesting: people allowed", "vesting: friend paid", "vesting: other account paid", "vesting: by signature",
	"subscription: subscribed", "subscription: reminded", "subscription: unsubscribed",
	"pool: deposited", "pool: withdrawn",
	"mintless: claimed", "stuck: minted", "stuck: came back",
	"lie: Jettons that never came", "currency: issued", "currency: sent", "currency: came back", "lie: an item that is none", "poke: grown", "poke: poked",
}

// flowMarks lists the traces of the flows on the chain in that minute, by the names of the census.
var flowMarks = []string{
	"op 6c6c2080 ok", "op 00000003 ok", // a sale's price changed; a sale cancelled
	"op b95616b6 ok",                                     // an auction stopped
	"op 4637289a ok", "op 299a3e15 ok", "op 487a8e81 ok", // a user name minted, and auctioned by its owner
	"op 371638ae ok", "op a37a0983 ok", "op 557cea20 ok", "op 370fec51 ok", // cancelled; a bidder outbid; a price paid
	"op 4ed14b65 ok",                   // a name released
	"op f718510f ok", "op 9c73fba2 ok", // an order
	"op a762230f ok", "op 82609bf6 ok", "op afaf283e ok", // approvals, accepted and refused
	"op 75097f5d ok", "exit 107", // carried out, and refused by the wallet
	"op 7258a69b ok", "op f258a69b ok", "op a7733acd ok", "op f7733acd ok", // vesting
	"op f06c7567 ok", "op 706c7567 ok", "op 73756273 ok", "op 64737472 ok", "destroyed", // subscriptions
	"exit 777",                         // Jetton transfers that bounce
	"op 6c696501 ok", "op 67726f77 ok", // lies, and a contract that grows
}

func TestFlows_FirstMinuteHasEveryStep(t *testing.T) {
	t.Parallel()
	w := newTestChain(t, "", Options{})
	w.mine(60)
	stats := w.play.Stats()
	for _, step := range firstMinute {
		require.Positive(t, stats.Steps[step], step)
	}
	require.Zero(t, stats.Refused)
	c := w.census()
	for _, name := range flowMarks {
		require.Positive(t, c[name], name)
	}
	require.Zero(t, c["unreadable"])
}

// The flows repeat: no round prevents the next one from starting.
func TestFlows_EveryFlowStartsAgain(t *testing.T) {
	t.Parallel()
	skipIfShort(t)
	w := newTestChain(t, "", Options{ActionsPerMinute: 1, ShardPeriod: -1})
	w.mine(90)
	early := w.play.Stats().Steps
	w.mine(150)
	late := w.play.Stats().Steps
	for _, f := range flows {
		taken := 0
		for step, n := range late {
			if strings.HasPrefix(step, f.name+": ") {
				taken += n - early[step]
			}
		}
		require.Positive(t, taken, "%s stands still", f.name)
	}
	require.Zero(t, w.play.Stats().Refused)
}
