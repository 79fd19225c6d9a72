package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

// opCocoonWalletSend tells a client's wallet which message to send.
const opCocoonWalletSend = 0x9c69f376

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_request_refund", Phase: 89,
		Match: action.Call(0xfafa6cc1).After(action.Call(opCocoonWalletSend).As("wallet").Maybe()).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientRequestRefund),
	})
}

// CocoonClientRequestRefundData is a client that wants its coins back, and whether it asked through its wallet.
type CocoonClientRequestRefundData struct {
	CocoonQuery

	ViaWallet bool `json:"via_wallet"`
}

// Column names the composite column.
func (*CocoonClientRequestRefundData) Column() string { return "cocoon_client_request_refund_data" }

func readCocoonClientRequestRefund(m *action.Match, q CocoonQuery, l *contract.Loader, c *action.Columns) action.Payload {
	c.Source = action.AddressText(l.Address())
	return &CocoonClientRequestRefundData{q, m.Get("wallet") != nil}
}
