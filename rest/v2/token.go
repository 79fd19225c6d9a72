package v2

import (
	"maps"
	"net/http"
	"slices"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

func tokenData(c *call) error {
	g := c.p.givenAddress("address")
	seqno := c.p.seqno("seqno")
	if err := c.p.end(); err != nil {
		return err
	}
	t, err := c.svc.TokenData(c.ctx, g.Address, seqno)
	if err != nil {
		return err
	}
	if t == nil {
		return refuse(http.StatusConflict, "account "+g.same()+" is neither a Jetton nor an NFT")
	}
	c.b = append(appendToken(c.b, g, t), '}')
	return nil
}

// same returns the address in the form in which it was sent.
func (g given) same() string {
	if g.Raw {
		return g.String()
	}
	return g.Friendly(g.Bounceable, g.TestOnly)
}

func appendToken(b []byte, g given, t *resolvers.TokenData) []byte {
	head := func(kind string) {
		b = append(append(append(b, `{"@type":"ext.tokens.`...), kind...), `","address":`...)
		b = handler.AppendString(b, g.same())
		b = handler.AppendString(append(b, `,"contract_type":`...), string(t.Kind))
	}
	field := func(name string, a *chain.Address) {
		if a != nil {
			b = appendFriendly(append(append(append(b, `,"`...), name...), `":`...), a)
		}
	}
	switch t.Kind {
	case resolvers.JettonMaster:
		head("jettonMasterData")
		b = handler.AppendBig(append(b, `,"total_supply":`...), t.Amount)
		b = handler.AppendBool(append(b, `,"mintable":`...), t.Flag)
		field("admin_address", t.Owner)
		b = appendContent(append(b, `,"jetton_content":`...), t.Content)
		b = appendCell(append(b, `,"jetton_wallet_code":`...), t.WalletCode)
	case resolvers.JettonWallet:
		head("jettonWalletData")
		b = handler.AppendBig(append(b, `,"balance":`...), t.Amount)
		field("owner", t.Owner)
		field("jetton", t.Parent)
		if t.Claimed != nil {
			b = handler.AppendBool(append(b, `,"mintless_is_claimed":`...), *t.Claimed)
		}
		b = appendCell(append(b, `,"jetton_wallet_code":`...), t.WalletCode)
	case resolvers.NFTCollection:
		head("nftCollectionData")
		b = handler.AppendBig(append(b, `,"next_item_index":`...), t.Amount)
		field("owner_address", t.Owner)
		b = appendContent(append(b, `,"collection_content":`...), t.Content)
	case resolvers.NFTItem:
		head("nftItemData")
		b = handler.AppendBool(append(b, `,"init":`...), t.Flag)
		b = handler.AppendBig(append(b, `,"index":`...), t.Amount)
		field("collection_address", t.Parent)
		field("owner_address", t.Owner)
		b = appendContent(append(b, `,"content":`...), t.Content)
	}
	return b
}

func appendContent(b []byte, t *resolvers.TokenContent) []byte {
	switch {
	case t.Domain != nil:
		b = handler.AppendString(append(b, `{"domain":`...), *t.Domain)
		return append(appendRecords(append(b, `,"data":`...), t.Records), '}')
	case !t.OnChain:
		b = handler.AppendString(append(b, `{"type":"offchain","data":`...), t.Attributes["uri"])
		return append(b, '}')
	}
	b = append(b, `{"type":"onchain","data":{`...)
	for i, name := range slices.Sorted(maps.Keys(t.Attributes)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendString(append(handler.AppendString(b, name), ':'), t.Attributes[name])
	}
	return append(b, "}}"...)
}
