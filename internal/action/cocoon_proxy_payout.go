package action

import "tonql/internal/contract"

func init() {
	Register(Spec{
		Kind: "cocoon_proxy_payout", Phase: 82,
		Match: Call(0x7610e6eb).Then(cocoonPaid(), cocoonRest()),
		Build: cocoonRequest(cocoonPayout, readCocoonProxyPayout),
	})
}

// CocoonProxyPayoutData is a request of a proxy's owner for what it earned.
type CocoonProxyPayoutData struct{ CocoonQuery }

// Column names the composite column.
func (*CocoonProxyPayoutData) Column() string { return "cocoon_proxy_payout_data" }

func readCocoonProxyPayout(m *Match, q CocoonQuery, _ *contract.Loader, c *Columns) Payload {
	c.Source, c.Destination = c.Destination, AddressText(m.Get(cocoonPayout).Account())
	c.DestinationSecondary = AddressText(m.Get(cocoonExcesses).Account())
	return &CocoonProxyPayoutData{q}
}
