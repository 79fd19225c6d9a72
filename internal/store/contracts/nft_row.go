package contracts

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Columns of NFT tables in the order in which they are written and read.
const (
	NFTCollectionTable = `address, last_tx_lt, owner, next_item_index, content, code_hash, data_hash`
	nftCollectionWidth = 7

	NFTItemTable = `address, last_tx_lt, init, item_index, collection, owner, content, domain, sbt, sbt_authority,
	sbt_revoked_at, code_hash, data_hash`
	nftItemWidth = 13

	NFTSaleTable = `address, last_tx_lt, kind, nft, nft_owner, marketplace, created_at, known, details, code_hash, data_hash`
	nftSaleWidth = 11

	NFTTransferTable = `nft, tx_lt, tx_hash, tx_now, tx_aborted, query_id, collection, old_owner, new_owner,
	response_destination, forward_amount, custom_payload, forward_payload, trace_id`
	nftTransferWidth = 14
)

// The same for SELECT from each table by the alias its statements use.
var (
	nftCollectionColumns = sqlbuild.Qualified("c", NFTCollectionTable)
	nftItemColumns       = sqlbuild.Qualified("c", NFTItemTable)
	nftSaleColumns       = sqlbuild.Qualified("c", NFTSaleTable)
	nftTransferColumns   = sqlbuild.Qualified("t", NFTTransferTable)
)

func writeNFTCollection(c *sqlbuild.CopyBuffer, n *chain.NFTCollection) {
	c.Row(nftCollectionWidth)
	c.Address(&n.Address)
	c.Int8(int64(n.LastTxLT))
	c.Address(n.Owner)
	c.Amount(n.NextItemIndex)
	c.Content(n.Content)
	c.Hash(&n.CodeHash)
	c.Hash(&n.DataHash)
}

func scanNFTCollection(r *sqlbuild.Row, n *chain.NFTCollection) {
	n.Address = r.Address()
	n.LastTxLT = r.LT()
	n.Owner = r.SetAddress(new(chain.Address))
	n.NextItemIndex = r.Numeric()
	n.Content = r.Content()
	n.CodeHash = r.Hash()
	n.DataHash = r.Hash()
}

func writeNFTItem(c *sqlbuild.CopyBuffer, n *chain.NFTItem) {
	c.Row(nftItemWidth)
	c.Address(&n.Address)
	c.Int8(int64(n.LastTxLT))
	c.Bool(n.Init)
	c.Amount(n.Index)
	c.AddressOrEmpty(n.Collection)
	c.Address(n.Owner)
	c.Content(n.Content)
	c.TextOrEmpty(n.Domain)
	c.Bool(n.SBT != nil)
	if n.SBT != nil {
		c.Address(n.SBT.Authority)
		c.Int8(int64(n.SBT.RevokedAt))
	} else {
		c.Null()
		c.Null()
	}
	c.Hash(&n.CodeHash)
	c.Hash(&n.DataHash)
}

// scanNFTItem reads a row with the columns of [NFTItemTable].
func scanNFTItem(r *sqlbuild.Row, n *chain.NFTItem) {
	p := &struct{ collection, owner chain.Address }{}
	n.Address = r.Address()
	n.LastTxLT = r.LT()
	n.Init = r.Bool()
	n.Index = r.Numeric()
	n.Collection = r.AddressOrEmpty(&p.collection)
	n.Owner = r.SetAddress(&p.owner)
	n.Content = r.Content()
	n.Domain = r.Text()
	sbt := r.Bool()
	authority, revoked := r.SetAddress(new(chain.Address)), r.Int8OrZero()
	if sbt {
		n.SBT = &chain.SBT{Authority: authority, RevokedAt: uint64(revoked)}
	}
	n.CodeHash = r.Hash()
	n.DataHash = r.Hash()
}

// saleDetails is the detail of a sale in its stored form. The names are those of the fields of chain's types, which are
// on disk with it: renaming a field takes a migration.
type saleDetails struct {
	FixedPrice *chain.NFTFixedPrice   `json:",omitempty"`
	Auction    *chain.NFTAuction      `json:",omitempty"`
	Telemint   *chain.TelemintAuction `json:",omitempty"`
}

func writeNFTSale(c *sqlbuild.CopyBuffer, n *chain.NFTSale) {
	c.Row(nftSaleWidth)
	c.Address(&n.Address)
	c.Int8(int64(n.LastTxLT))
	c.Int2(int16(n.Kind))
	c.Address(n.NFT)
	c.Address(n.NFTOwner)
	c.Address(n.Marketplace)
	sqlbuild.Optional(c, n.CreatedAt)
	c.Bool(n.Known)
	c.JSON(saleDetails{n.FixedPrice, n.Auction, n.Telemint})
	c.Hash(&n.CodeHash)
	c.Hash(&n.DataHash)
}

func scanNFTSale(r *sqlbuild.Row, n *chain.NFTSale) {
	p := &struct{ nft, owner, marketplace chain.Address }{}
	n.Address = r.Address()
	n.LastTxLT = r.LT()
	n.Kind = chain.NFTSaleKind(r.Int2())
	n.NFT = r.SetAddress(&p.nft)
	n.NFTOwner = r.SetAddress(&p.owner)
	n.Marketplace = r.SetAddress(&p.marketplace)
	n.CreatedAt = sqlbuild.SetInt8(r, new(uint32))
	n.Known = r.Bool()
	var d saleDetails
	r.JSON(&d)
	n.FixedPrice, n.Auction, n.Telemint = d.FixedPrice, d.Auction, d.Telemint
	n.CodeHash = r.Hash()
	n.DataHash = r.Hash()
}

// WriteNFTTransfer writes a row of [NFTTransferTable]. trace is nil for a transaction without a trace.
func WriteNFTTransfer(c *sqlbuild.CopyBuffer, t *chain.NFTTransfer, trace *chain.Hash) {
	c.Row(nftTransferWidth)
	c.Address(&t.NFT)
	c.Int8(int64(t.TxLT))
	c.Hash(&t.TxHash)
	c.Int8(int64(t.TxNow))
	c.Bool(t.TxAborted)
	c.Int8(int64(t.QueryID))
	c.Address(t.Collection)
	c.Address(&t.OldOwner)
	c.Address(t.NewOwner)
	c.Address(t.ResponseDestination)
	c.Amount(t.ForwardAmount)
	c.BOC(t.CustomPayload)
	c.BOC(t.ForwardPayload)
	c.Hash(trace)
}

func scanNFTTransfer(r *sqlbuild.Row, t *chain.NFTTransfer) {
	p := &struct {
		collection, owner, response chain.Address
		trace                       chain.Hash
	}{}
	t.NFT = r.Address()
	t.TxLT = r.LT()
	t.TxHash = r.Hash()
	t.TxNow = r.Uint32()
	t.TxAborted = r.Bool()
	t.QueryID = uint64(r.Int8())
	t.Collection = r.SetAddress(&p.collection)
	t.OldOwner = r.Address()
	t.NewOwner = r.SetAddress(&p.owner)
	t.ResponseDestination = r.SetAddress(&p.response)
	t.ForwardAmount = r.Numeric()
	t.CustomPayload = r.Bytes()
	t.ForwardPayload = r.Bytes()
	t.TraceID = r.SetHash(&p.trace)
}
