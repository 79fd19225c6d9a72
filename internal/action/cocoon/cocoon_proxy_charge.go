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

// CocoonProxyChargeData is the charge of a proxy to a client.
type CocoonProxyChargeData struct {
	CocoonQuery
	CocoonTokens
}

// Column implements [action.Payload].
func (*CocoonProxyChargeData) Column() string { return "cocoon_proxy_charge_data" }

// readCocoonProxyCharge sets no amount: coins are paid out later.
func readCocoonProxyCharge(m *action.Match, q CocoonQuery, l *contract.Loader, c *action.Columns) action.Payload {
	c.Source, c.Destination, c.Amount = c.Destination, action.AddressText(m.Get(cocoonToProxy).Account()), new(big.Int)
	return &CocoonProxyChargeData{q, readCocoonTokens(l)}
}
