package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_top_up", Phase: 84,
		Match: action.Call(0xf172e6c2).Then(cocoonForward().Then(cocoonRest())),
		Build: cocoonRequest("", readCocoonClientTopUp),
	})
}

// ClientTopUpData is a payment into a client's balance.
type ClientTopUpData struct{ Query }

// Column implements [action.Payload].
func (*ClientTopUpData) Column() string { return "cocoon_client_top_up_data" }

func readCocoonClientTopUp(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	c.Amount, c.Source = l.Coins(), action.AddressText(m.Get(cocoonExcesses).Account())
	c.DestinationSecondary = action.AddressText(m.Get(cocoonToProxy).Account())
	return &ClientTopUpData{q}
}
