package store

import "tonql/internal/chain"

// Columns of NFT tables in the order in which they are written and read.
const (
	nftCollectionTable = `address, last_tx_lt, owner, next_item_index, content, code_hash, data_hash`
	nftCollectionWidth = 7

	nftItemTable = `address, last_tx_lt, init, item_index, collection, owner, content, domain, sbt, sbt_authority,
	sbt_revoked_at, code_hash, data_hash`
	nftItemWidth = 13

	nftSaleTable = `address, last_tx_lt, kind, nft, nft_owner, marketplace, created_at, known, details, code_hash, data_hash`
	nftSaleWidth = 11

	nftTransferTable = `nft, tx_lt, tx_hash, tx_now, tx_aborted, query_id, collection, old_owner, new_owner,
	response_destination, forward_amount, custom_payload, forward_payload, trace_id`
	nftTransferWidth = 14
)

// The same for SELECT from each table by the alias its statements use.
var (
	nftCollectionColumns = qualified("c", nftCollectionTable)
	nftItemColumns       = qualified("c", nftItemTable)
	nftSaleColumns       = qualified("c", nftSaleTable)
	nftTransferColumns   = qualified("t", nftTransferTable)
)

func writeNFTCollection(c *copyBuffer, n *chain.NFTCollection) {
	c.row(nftCollectionWidth)
	c.address(&n.Address)
	c.int8(int64(n.LastTxLT))
	c.address(n.Owner)
	c.amount(n.NextItemIndex)
	c.content(n.Content)
	c.hash(&n.CodeHash)
	c.hash(&n.DataHash)
}

func scanNFTCollection(r *row, n *chain.NFTCollection) {
	n.Address = r.address()
	n.LastTxLT = r.lt()
	n.Owner = r.setAddress(new(chain.Address))
	n.NextItemIndex = r.numeric()
	n.Content = r.content()
	n.CodeHash = r.hash()
	n.DataHash = r.hash()
}

func writeNFTItem(c *copyBuffer, n *chain.NFTItem) {
	c.row(nftItemWidth)
	c.address(&n.Address)
	c.int8(int64(n.LastTxLT))
	c.bool(n.Init)
	c.amount(n.Index)
	c.addressOrEmpty(n.Collection)
	c.address(n.Owner)
	c.content(n.Content)
	c.textOrEmpty(n.Domain)
	c.bool(n.SBT != nil)
	if n.SBT != nil {
		c.address(n.SBT.Authority)
		c.int8(int64(n.SBT.RevokedAt))
	} else {
		c.null()
		c.null()
	}
	c.hash(&n.CodeHash)
	c.hash(&n.DataHash)
}

func scanNFTItem(r *row, n *chain.NFTItem) {
	p := &struct{ collection, owner chain.Address }{}
	n.Address = r.address()
	n.LastTxLT = r.lt()
	n.Init = r.bool()
	n.Index = r.numeric()
	n.Collection = r.addressOrEmpty(&p.collection)
	n.Owner = r.setAddress(&p.owner)
	n.Content = r.content()
	n.Domain = r.text()
	sbt := r.bool()
	authority, revoked := r.setAddress(new(chain.Address)), r.int8OrZero()
	if sbt {
		n.SBT = &chain.SBT{Authority: authority, RevokedAt: uint64(revoked)}
	}
	n.CodeHash = r.hash()
	n.DataHash = r.hash()
}

// saleDetails is the detail of a sale in its stored form. The names are those of the fields of chain's types, which are
// on disk with it: renaming a field takes a migration.
type saleDetails struct {
	FixedPrice *chain.NFTFixedPrice   `json:",omitempty"`
	Auction    *chain.NFTAuction      `json:",omitempty"`
	Telemint   *chain.TelemintAuction `json:",omitempty"`
}

func writeNFTSale(c *copyBuffer, n *chain.NFTSale) {
	c.row(nftSaleWidth)
	c.address(&n.Address)
	c.int8(int64(n.LastTxLT))
	c.int2(int16(n.Kind))
	c.address(n.NFT)
	c.address(n.NFTOwner)
	c.address(n.Marketplace)
	optional(c, n.CreatedAt)
	c.bool(n.Known)
	c.json(saleDetails{n.FixedPrice, n.Auction, n.Telemint})
	c.hash(&n.CodeHash)
	c.hash(&n.DataHash)
}

func scanNFTSale(r *row, n *chain.NFTSale) {
	p := &struct{ nft, owner, marketplace chain.Address }{}
	n.Address = r.address()
	n.LastTxLT = r.lt()
	n.Kind = chain.NFTSaleKind(r.int2())
	n.NFT = r.setAddress(&p.nft)
	n.NFTOwner = r.setAddress(&p.owner)
	n.Marketplace = r.setAddress(&p.marketplace)
	n.CreatedAt = setInt8(r, new(uint32))
	n.Known = r.bool()
	var d saleDetails
	r.json(&d)
	n.FixedPrice, n.Auction, n.Telemint = d.FixedPrice, d.Auction, d.Telemint
	n.CodeHash = r.hash()
	n.DataHash = r.hash()
}

func writeNFTTransfer(c *copyBuffer, t *chain.NFTTransfer, trace *chain.Hash) {
	c.row(nftTransferWidth)
	c.address(&t.NFT)
	c.int8(int64(t.TxLT))
	c.hash(&t.TxHash)
	c.int8(int64(t.TxNow))
	c.bool(t.TxAborted)
	c.int8(int64(t.QueryID))
	c.address(t.Collection)
	c.address(&t.OldOwner)
	c.address(t.NewOwner)
	c.address(t.ResponseDestination)
	c.amount(t.ForwardAmount)
	c.boc(t.CustomPayload)
	c.boc(t.ForwardPayload)
	c.hash(trace)
}

func scanNFTTransfer(r *row, t *chain.NFTTransfer) {
	p := &struct {
		collection, owner, response chain.Address
		trace                       chain.Hash
	}{}
	t.NFT = r.address()
	t.TxLT = r.lt()
	t.TxHash = r.hash()
	t.TxNow = r.u32()
	t.TxAborted = r.bool()
	t.QueryID = uint64(r.int8())
	t.Collection = r.setAddress(&p.collection)
	t.OldOwner = r.address()
	t.NewOwner = r.setAddress(&p.owner)
	t.ResponseDestination = r.setAddress(&p.response)
	t.ForwardAmount = r.numeric()
	t.CustomPayload = r.bytes()
	t.ForwardPayload = r.bytes()
	t.TraceID = r.setHash(&p.trace)
}
