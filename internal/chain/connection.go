package chain

// Connection is one page of a list as the Relay specification shapes it.
type Connection[T any] struct {
	Edges    []Edge[T]
	PageInfo PageInfo
}

// Nodes is the rows without their cursors.
func (c *Connection[T]) Nodes() []T {
	nodes := make([]T, len(c.Edges))
	for i, e := range c.Edges {
		nodes[i] = e.Node
	}
	return nodes
}

// Edge is one row and its position.
type Edge[T any] struct {
	Cursor string
	Node   T
}

// PageInfo describes the position of a page in its list. The cursors are nil on an empty page.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// The pages of each list, and their rows.
type (
	// BlockConnection is a page of blocks.
	BlockConnection = Connection[*Block]
	// TransactionConnection is a page of transactions.
	TransactionConnection = Connection[*Transaction]
	// MessageConnection is a page of messages.
	MessageConnection = Connection[*Message]
	// AccountConnection is a page of accounts.
	AccountConnection = Connection[*Account]
	// JettonMasterConnection is a page of Jetton masters.
	JettonMasterConnection = Connection[*JettonMaster]
	// JettonWalletConnection is a page of Jetton wallets.
	JettonWalletConnection = Connection[*JettonWallet]
	// NFTCollectionConnection is a page of NFT collections.
	NFTCollectionConnection = Connection[*NFTCollection]
	// NFTItemConnection is a page of NFT items.
	NFTItemConnection = Connection[*NFTItem]
	// JettonTransferConnection is a page of transfers of Jettons.
	JettonTransferConnection = Connection[*JettonTransfer]
	// JettonBurnConnection is a page of burns.
	JettonBurnConnection = Connection[*JettonBurn]
	// NFTTransferConnection is a page of transfers of items.
	NFTTransferConnection = Connection[*NFTTransfer]
	// DNSRecordConnection is a page of domains.
	DNSRecordConnection = Connection[*DNSRecord]
	// DNSAuctionConnection is a page of auctions of domains.
	DNSAuctionConnection = Connection[*DNSAuction]
	// MultisigConnection is a page of multisig wallets.
	MultisigConnection = Connection[*Multisig]
	// MultisigOrderConnection is a page of orders.
	MultisigOrderConnection = Connection[*MultisigOrder]
	// VestingConnection is a page of vesting wallets.
	VestingConnection = Connection[*Vesting]
	// NominatorPositionConnection is a page of positions of a nominator.
	NominatorPositionConnection = Connection[*NominatorPosition]
	// PoolEventConnection is a page of events of nominators.
	PoolEventConnection = Connection[*PoolEvent]
	// PoolValidatorEventConnection is a page of events of validators.
	PoolValidatorEventConnection = Connection[*PoolValidatorEvent]
	// TraceConnection is a page of traces.
	TraceConnection = Connection[*Trace]
	// ActionConnection is a page of actions.
	ActionConnection = Connection[*Action]

	// NFTSaleConnection is a page of sales of items.
	NFTSaleConnection = Connection[*NFTSale]
	// BalancePointConnection is a page of an account's balances.
	BalancePointConnection = Connection[*BalancePoint]
	// JettonBalancePointConnection is a page of a Jetton wallet's balances.
	JettonBalancePointConnection = Connection[*JettonBalancePoint]
	// NFTOwnerPointConnection is a page of an item's owners.
	NFTOwnerPointConnection = Connection[*NFTOwnerPoint]

	// NFTSaleEdge is one of the sales of a page.
	NFTSaleEdge = Edge[*NFTSale]
	// BalancePointEdge is one of the balances of a page.
	BalancePointEdge = Edge[*BalancePoint]
	// JettonBalancePointEdge is one of the balances of a page.
	JettonBalancePointEdge = Edge[*JettonBalancePoint]
	// NFTOwnerPointEdge is one of the owners of a page.
	NFTOwnerPointEdge = Edge[*NFTOwnerPoint]
	// BlockEdge is one of the blocks of a page.
	BlockEdge = Edge[*Block]
	// TransactionEdge is one of the transactions of a page.
	TransactionEdge = Edge[*Transaction]
	// MessageEdge is one of the messages of a page.
	MessageEdge = Edge[*Message]
	// AccountEdge is one of the accounts of a page.
	AccountEdge = Edge[*Account]
	// JettonMasterEdge is one of the Jetton masters of a page.
	JettonMasterEdge = Edge[*JettonMaster]
	// JettonWalletEdge is one of the Jetton wallets of a page.
	JettonWalletEdge = Edge[*JettonWallet]
	// NFTCollectionEdge is one of the NFT collections of a page.
	NFTCollectionEdge = Edge[*NFTCollection]
	// NFTItemEdge is one of the NFT items of a page.
	NFTItemEdge = Edge[*NFTItem]
	// JettonTransferEdge is one of the transfers of a page.
	JettonTransferEdge = Edge[*JettonTransfer]
	// JettonBurnEdge is one of the burns of a page.
	JettonBurnEdge = Edge[*JettonBurn]
	// NFTTransferEdge is one of the transfers of a page.
	NFTTransferEdge = Edge[*NFTTransfer]
	// DNSRecordEdge is one of the domains of a page.
	DNSRecordEdge = Edge[*DNSRecord]
	// DNSAuctionEdge is one of the auctions of a page.
	DNSAuctionEdge = Edge[*DNSAuction]
	// MultisigEdge is one of the multisig wallets of a page.
	MultisigEdge = Edge[*Multisig]
	// MultisigOrderEdge is one of the orders of a page.
	MultisigOrderEdge = Edge[*MultisigOrder]
	// VestingEdge is one of the vesting wallets of a page.
	VestingEdge = Edge[*Vesting]
	// NominatorPositionEdge is one of the positions of a page.
	NominatorPositionEdge = Edge[*NominatorPosition]
	// PoolEventEdge is one of the events of a page.
	PoolEventEdge = Edge[*PoolEvent]
	// PoolValidatorEventEdge is one of the events of a page.
	PoolValidatorEventEdge = Edge[*PoolValidatorEvent]
	// TraceEdge is one of the traces of a page.
	TraceEdge = Edge[*Trace]
	// ActionEdge is one of the actions of a page.
	ActionEdge = Edge[*Action]
)

// Positioned is a row that knows its place in its list.
type Positioned interface{ Cursor() Cursor }

// Connect makes a page of rows that were fetched in the page's direction with one row more than its limit, so that the
// extra row shows whether the list continues. Of a page of the last rows the extra row is the first; its rows are in the
// order of the list all the same. mcSeqno is the masterchain seqno that cursors are pinned to.
func Connect[T Positioned](rows []T, page Page, mcSeqno uint32) *Connection[T] {
	backwards := page.Last
	more := len(rows) > page.Limit
	if more && backwards {
		rows = rows[len(rows)-page.Limit:]
	} else if more {
		rows = rows[:page.Limit]
	}
	c := &Connection[T]{Edges: make([]Edge[T], len(rows))}
	for i, row := range rows {
		cursor := row.Cursor()
		cursor.McSeqno = mcSeqno
		c.Edges[i] = Edge[T]{Cursor: cursor.String(), Node: row}
	}
	if n := len(c.Edges); n > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[n-1].Cursor
	}
	if backwards {
		c.PageInfo.HasPreviousPage, c.PageInfo.HasNextPage = more, page.Before != nil
	} else {
		c.PageInfo.HasNextPage, c.PageInfo.HasPreviousPage = more, page.After != nil
	}
	return c
}
