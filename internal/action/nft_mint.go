package action

import "math/big"

func init() {
	Register(Spec{
		Kind: "nft_mint", Phase: 1,
		Match: Where(func(b *Block) bool { return b.isBasic() && !b.isLog() && b.deploy && b.from() != nil }),
		Build: buildNFTMint,
	})
}

// NFTMintData is the place of a new item in its collection.
type NFTMintData struct {
	Index *big.Int `json:"nft_item_index"`
}

// Column names the composite column.
func (*NFTMintData) Column() string { return "nft_mint_data" }

func buildNFTMint(c *Context, m *Match) *Result {
	item := c.item(m.Start)
	if item == nil {
		return nil
	}
	return &Result{
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), AssetSecondary: text(m.Start.account()),
			Asset: text(item.Collection), Opcode: m.Start.Msg.Opcode, Payloads: []Payload{&NFTMintData{Index: item.Index}},
		},
		Failed: m.Start.aborted(),
	}
}
