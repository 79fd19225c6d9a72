package action

import "math/big"

func init() {
	Register(Spec{
		Kind: "nft_mint", Phase: 1,
		Match: Where(func(b *Block) bool { return b.IsBasic() && !b.IsLog() && b.Deployed && b.From() != nil }),
		Build: buildNFTMint,
	})
}

// NFTMintData is the index of a new item in its collection.
type NFTMintData struct {
	Index *big.Int `json:"nft_item_index"`
}

// Column implements [Payload].
func (*NFTMintData) Column() string { return "nft_mint_data" }

func buildNFTMint(c *Context, m *Match) *Result {
	item := c.NFTItem(m.Start)
	if item == nil {
		return nil
	}
	return &Result{
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), AssetSecondary: AddressText(m.Start.Account()),
			Asset: AddressText(item.Collection), Opcode: m.Start.Msg.Opcode, Payloads: []Payload{&NFTMintData{Index: item.Index}},
		},
		Failed: m.Start.Aborted(),
	}
}
