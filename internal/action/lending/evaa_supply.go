package lending

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const (
	opEvaaSupply      = 0x00000001
	opEvaaSupplied    = 0x0000011a
	opEvaaNotSupplied = 0x0000011f
	userSupply        = 0x11
)

func init() {
	action.Register(action.Spec{
		Kind: "evaa_supply", Phase: 52,
		Match: action.Either(
			evaaRequest(opEvaaSupply, evaaUser(userSupply).As("user").Then(action.Call(opEvaaSupplied).As("supplied").Then(evaaRest()))),
			evaaRequest(opEvaaSupply, evaaUser(userSupply).As("user").Then(action.Call(opEvaaNotSupplied).As("refused"))),
			evaaRequest(opEvaaSupply, evaaReturned()),
		),
		Build: buildEvaaSupply,
	})
}

// evaaReturned matches Jettons that the master returns. The transfer is not a part of the supply. It decides only without a message to
// the user's contract, because the wallets and owners in the payment can send Jettons, too.
func evaaReturned() *action.Pattern {
	return action.Is("jetton_transfer").As("back").Untaken()
}

// EvaaSupplyData is the supplied asset and the wallets of its transfer. The id is nil when the supply did not reach the
// user's contract; the wallets are nil for TON.
type EvaaSupplyData struct {
	AssetID               *string        `json:"asset_id"` // 0x and hex without leading zeros
	IsTon                 bool           `json:"is_ton"`
	Master                *chain.Address `json:"master"`
	MasterJettonWallet    *string        `json:"master_jetton_wallet"`
	RecipientJettonWallet *string        `json:"recipient_jetton_wallet"`
}

// Column implements [action.Payload].
func (*EvaaSupplyData) Column() string { return "evaa_supply_data" }

func buildEvaaSupply(_ *action.Context, m *action.Match) *action.Result {
	d := &EvaaSupplyData{IsTon: m.Start.IsBasic(), Master: m.Start.Account()}
	row := action.Columns{Source: action.AddressText(m.Start.From()), DestinationSecondary: action.AddressText(m.Get("user").Account())}
	if !d.IsTon {
		paid := m.Start.Columns
		row.SourceSecondary, row.Asset, row.Amount = paid.SourceSecondary, paid.Asset, paid.Amount
		d.MasterJettonWallet = &paid.DestinationSecondary
		if master, err := chain.ParseAddress(paid.Destination); err == nil {
			d.Master = &master
		}
	}
	row.Payloads = []action.Payload{d}
	if back := m.Get("back"); back != nil {
		return evaaSupplyBack(m.Start, back, row, d)
	}
	reply := m.Get("supplied")
	if reply == nil {
		reply = m.Get("refused")
	}
	who, asset, amount, err := parseEvaaReply(reply)
	if err != nil {
		return nil
	}
	id := evaaAssetID(asset)
	d.AssetID = &id
	row.Destination, row.Amount = action.AddressText(who), amount
	d.RecipientJettonWallet = evaaRecipientWallet(m.Start, row.Destination)
	return &action.Result{Columns: row, Failed: m.Get("supplied") == nil}
}

// parseEvaaReply reads the reply of a user's contract: owner, asset and amount.
//
//	reply#_ op:uint32 query_id:uint64 owner:MsgAddress asset_id:uint256 amount:uint64 data:Any = InternalMsgBody;
func parseEvaaReply(b *action.Block) (*chain.Address, chain.Hash, *big.Int, error) {
	l := b.Body()
	l.Uint(64)
	who, asset, amount := l.Address(), l.Hash(), action.BigInt(l.Uint(64))
	return who, asset, amount, l.Err()
}

// evaaSupplyBack is a supply that the master rejected because of its recipient or payload.
func evaaSupplyBack(start, back *action.Block, row action.Columns, d *EvaaSupplyData) *action.Result {
	l := evaaJettonRequest(start)
	if l == nil || back.Columns.Asset != start.Columns.Asset || back.Columns.Source != start.Columns.Destination {
		return nil
	}
	l.Uint(32)
	l.Uint(2) // whether to include code
	who := l.Address()
	if l.Err() != nil {
		return nil
	}
	row.Destination = action.AddressText(who)
	d.RecipientJettonWallet = evaaRecipientWallet(start, row.Destination)
	return &action.Result{Columns: row, Failed: true}
}

// evaaRecipientWallet returns the Jetton wallet of the recipient. The trace contains it only if the recipient is the payer.
func evaaRecipientWallet(start *action.Block, recipient string) *string {
	if start.IsBasic() || start.Columns.Source != recipient {
		return nil
	}
	return &start.Columns.SourceSecondary
}
