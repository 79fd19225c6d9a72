package lending

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const (
	opEvaaWithdraw     = 0x00000002
	opEvaaCollateral   = 0x00000211
	opEvaaPaid         = 0x0000211a
	opEvaaNoFunds      = 0x00211fe8
	userWithdraw       = 0x21
	userWithdrawDone   = 0x211a
	userWithdrawFailed = 0x211f
)

// evaaRefusals are the replies of a user's contract that reject a withdrawal.
var evaaRefusals = map[uint32]string{
	opEvaaNoFunds: "withdraw_no_funds_excess",
	0x21e6:        "withdraw_locked_excess",
	0x21e7:        "withdraw_not_collateralized_excess",
	0x21e8:        "withdraw_missing_prices_excess",
	0x21ec:        "withdraw_execution_crashed",
}

func init() {
	action.Register(action.Spec{
		Kind: "evaa_withdraw", Phase: 53,
		Match: action.Call(opEvaaWithdraw).Then(evaaUser(userWithdraw).As("user").Then(action.Either(
			action.Call(opEvaaCollateral).As("checked").Then(
				evaaUser(userWithdrawDone).Then(action.Is(action.TypeTonTransfer).Maybe()),
				action.Either(action.Call(opEvaaPaid), action.Is("jetton_transfer").As("jettons")).As("paid")),
			action.Call(opEvaaCollateral).As("checked").Then(
				evaaUser(userWithdrawFailed).Then(action.Call(opEvaaNoFunds).As("refused"))),
			action.Call(0x21e6, 0x21e7, 0x21e8, 0x21ec).As("refused"),
		))),
		Build: buildEvaaWithdraw,
	})
}

// EvaaWithdrawData is the requested asset and the reason of a rejection.
type EvaaWithdrawData struct {
	AssetID               string         `json:"asset_id"` // 0x and hex without leading zeros
	IsTon                 bool           `json:"is_ton"`
	Master                *chain.Address `json:"master"`
	MasterJettonWallet    *string        `json:"master_jetton_wallet"`
	RecipientJettonWallet *string        `json:"recipient_jetton_wallet"`
	FailReason            *string        `json:"fail_reason"`
}

// Column implements [action.Payload].
func (*EvaaWithdrawData) Column() string { return "evaa_withdraw_data" }

func buildEvaaWithdraw(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	asset, amount := l.Hash(), action.BigInt(l.Uint(64))
	if l.Err() != nil {
		return nil
	}
	d := &EvaaWithdrawData{AssetID: evaaAssetID(asset), Master: m.Start.Account()}
	d.IsTon = d.AssetID == evaaTon
	to := l.Address()
	if to == nil {
		to = m.Start.From() // older requests have no recipient
	}
	row := action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(to), DestinationSecondary: action.AddressText(m.Get("user").Account()),
	}
	if refused := m.Get("refused"); refused != nil {
		reason := evaaRefusals[*refused.Msg.Opcode]
		d.FailReason = &reason
	} else if n := evaaChecked(m.Get("checked")); n != nil {
		amount = n // a request can be for all that there is
	}
	if paid := m.Get("jettons"); paid != nil {
		t := paid.Columns
		row.Destination, row.Asset = t.Destination, t.Asset
		d.MasterJettonWallet, d.RecipientJettonWallet = &t.SourceSecondary, &t.DestinationSecondary
	}
	row.Amount, row.Payloads = amount, []action.Payload{d}
	return &action.Result{Columns: row, Failed: d.FailReason != nil}
}

// evaaChecked returns the amount that the user's contract approved; nil without an approval.
func evaaChecked(b *action.Block) *big.Int {
	if b == nil {
		return nil
	}
	l := b.Body()
	l.Uint(64)
	l.Address()
	l.Hash()
	n := l.Uint(64)
	if l.Err() != nil {
		return nil
	}
	return action.BigInt(n)
}
