package action

import (
	"math/big"

	"tonql/internal/contract"
)

func init() {
	Register(Spec{
		Kind: "cocoon_proxy_charge", Phase: 83,
		Match: Call(0xbb63ff93).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonProxyCharge),
	})
}

// CocoonProxyChargeData is what a proxy charges a client for.
type CocoonProxyChargeData struct {
	CocoonQuery
	CocoonTokens
}

// Column names the composite column.
func (*CocoonProxyChargeData) Column() string { return "cocoon_proxy_charge_data" }

// readCocoonProxyCharge gives no amount: coins move later, when they are paid out.
func readCocoonProxyCharge(m *Match, q CocoonQuery, l *contract.Loader, c *Columns) Payload {
	c.Source, c.Destination, c.Amount = c.Destination, AddressText(m.Get(cocoonToProxy).Account()), new(big.Int)
	return &CocoonProxyChargeData{q, readCocoonTokens(l)}
}
