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

// CocoonProxyPayoutData is the request of a proxy's owner for the proxy's earnings.
type CocoonProxyPayoutData struct{ CocoonQuery }

// Column implements [action.Payload].
func (*CocoonProxyPayoutData) Column() string { return "cocoon_proxy_payout_data" }

func readCocoonProxyPayout(m *action.Match, q CocoonQuery, _ *contract.Loader, c *action.Columns) action.Payload {
	c.Source, c.Destination = c.Destination, action.AddressText(m.Get(cocoonPayout).Account())
	c.DestinationSecondary = action.AddressText(m.Get(cocoonExcesses).Account())
	return &CocoonProxyPayoutData{q}
}
