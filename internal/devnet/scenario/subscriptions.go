package scenario

import (
	"tonql/internal/devnet/contracts"
)

const (
	subscriptionPrice  = 2 * oneTON
	subscriptionPeriod = 8 // seconds
	pluginGas          = oneTON / 10
)

// subscriber is the index of an actor with a v4 wallet that subscribes, pays after reminders, and unsubscribes.
type subscriber int

func (n subscriber) terms(t *batch) contracts.SubscriptionTerms {
	return contracts.SubscriptionTerms{
		Wallet: t.cast.actors[n].Address, Beneficiary: t.cast.actors[n+1].Address, Amount: subscriptionPrice,
		Period: subscriptionPeriod, Timeout: 2, ID: uint32(n),
	}
}

func (n subscriber) next(t *batch) string {
	plugin := contracts.Subscription(n.terms(t))
	acc := t.look(plugin.Address)
	if !acc.active {
		return did("subscribed", t.pluginOrder(n, func(w *contracts.Wallet, ticket contracts.Ticket) error {
			body := contracts.PluginFunds(t.nextQuery())
			return t.sealOrder(w.DeployPlugin(ticket, plugin, subscriptionPrice+pluginGas, body))
		}))
	}
	if t.round()%4 == 3 {
		return did("unsubscribed", t.pluginOrder(n, func(w *contracts.Wallet, ticket contracts.Ticket) error {
			return t.sealOrder(w.RemovePlugin(ticket, plugin.Address, pluginGas, t.nextQuery()))
		}))
	}
	due, err := contracts.SubscriptionDue(acc.data)
	if err != nil {
		t.failed = err
		return ""
	}
	if t.block.GenUtime < due {
		return ""
	}
	t.sealed = append(t.sealed, contracts.SubscriptionReminder(plugin.Address))
	return "reminded"
}
