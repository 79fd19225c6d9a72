package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_proxy_payout", Phase: 82,
		Match: action.Call(0x7610e6eb).Then(cocoonPaid(), cocoonRest()),
		Build: cocoonRequest(cocoonPayout, readCocoonProxyPayout),
	})
}

// ProxyPayoutData is the request of a proxy's owner for the proxy's earnings.
type ProxyPayoutData struct{ Query }

// Column implements [action.Payload].
func (*ProxyPayoutData) Column() string { return "cocoon_proxy_payout_data" }

func readCocoonProxyPayout(m *action.Match, q Query, _ *contract.Loader, c *action.Columns) action.Payload {
	c.Source, c.Destination = c.Destination, action.AddressText(m.Get(cocoonPayout).Account())
	c.DestinationSecondary = action.AddressText(m.Get(cocoonExcesses).Account())
	return &ProxyPayoutData{q}
}
