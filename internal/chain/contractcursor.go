package chain

// Positions in the lists of contracts and of what they were ordered to do. A contract is named by its address; whatever
// else the order needs is read from its record. A transfer or burn is named by the account it was ordered from and LT.

func addressCursor(kind ListKind, a *Address) Cursor {
	return Cursor{ListKind: kind, Minor: string(a.Bytes())}
}

// Cursor is the master's position in the list of Jetton masters.
func (m *JettonMaster) Cursor() Cursor { return addressCursor(JettonMasterList, &m.Address) }

// Cursor is the wallet's position in the list of Jetton wallets.
func (w *JettonWallet) Cursor() Cursor { return addressCursor(JettonWalletList, &w.Address) }

// Cursor is the transfer's position in the list of Jetton transfers.
func (t *JettonTransfer) Cursor() Cursor {
	return Cursor{ListKind: JettonTransferList, Major: t.TxLT, Minor: string(t.SourceWallet.Bytes())}
}

// Cursor is the burn's position in the list of burns.
func (b *JettonBurn) Cursor() Cursor {
	return Cursor{ListKind: JettonBurnList, Major: b.TxLT, Minor: string(b.JettonWallet.Bytes())}
}

// Cursor is the collection's position in the list of collections.
func (c *NFTCollection) Cursor() Cursor { return addressCursor(NFTCollectionList, &c.Address) }

// Cursor is the item's position in the list of items.
func (i *NFTItem) Cursor() Cursor { return addressCursor(NFTItemList, &i.Address) }

// Cursor is the sale's position in the list of sales.
func (s *NFTSale) Cursor() Cursor { return addressCursor(NFTSaleList, &s.Address) }

// Cursor is the transfer's position in the list of transfers of items.
func (t *NFTTransfer) Cursor() Cursor {
	return Cursor{ListKind: NFTTransferList, Major: t.TxLT, Minor: string(t.NFT.Bytes())}
}

// Cursor is the domain's position in the list of domains.
func (d *DNSRecord) Cursor() Cursor { return addressCursor(DNSRecordList, &d.Item) }

// Cursor is the auction's position in the list of auctions of domains.
func (a *DNSAuction) Cursor() Cursor {
	return Cursor{ListKind: DNSAuctionList, Major: uint64(a.EndsAt), Minor: string(a.Item.Bytes())}
}

// Cursor is the wallet's position in the list of multisig wallets.
func (m *Multisig) Cursor() Cursor { return addressCursor(MultisigList, &m.Address) }

// Cursor is the order's position in the list of orders.
func (o *MultisigOrder) Cursor() Cursor { return addressCursor(MultisigOrderList, &o.Address) }

// Cursor is the wallet's position in the list of vesting wallets.
func (v *Vesting) Cursor() Cursor { return addressCursor(VestingList, &v.Address) }
