package cocoon

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_proxy_charge", Phase: 83,
		Match: action.Call(0xbb63ff93).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonProxyCharge),
	})
}

// ProxyChargeData is the charge of a proxy to a client.
type ProxyChargeData struct {
	Query
	Tokens
}

// Column implements [action.Payload].
func (*ProxyChargeData) Column() string { return "cocoon_proxy_charge_data" }

// readCocoonProxyCharge sets no amount: coins are paid out later.
func readCocoonProxyCharge(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	c.Source, c.Destination, c.Amount = c.Destination, action.AddressText(m.Get(cocoonToProxy).Account()), new(big.Int)
	return &ProxyChargeData{q, readCocoonTokens(l)}
}
