package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_grant_refund", Phase: 90,
		Match: action.Call(0xefd711e1).Then(cocoonForward().Then(cocoonPaid(), cocoonRest())),
		Build: cocoonRequest(cocoonPayout, readCocoonGrantRefund),
	})
}

// GrantRefundData is the permission of a proxy to refund a client.
type GrantRefundData struct {
	Query
	Tokens
}

// Column implements [action.Payload].
func (*GrantRefundData) Column() string { return "cocoon_grant_refund_data" }

func readCocoonGrantRefund(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	paid := m.Get(cocoonPayout)
	c.Source, c.SourceSecondary = c.Destination, action.AddressText(m.Get(cocoonToProxy).Account())
	c.Destination, c.Amount = action.AddressText(paid.Account()), paid.Msg.Value
	return &GrantRefundData{q, readCocoonTokens(l)}
}
