package store

import (
	"context"

	"tonql/internal/chain"
)

// JettonMasters lists Jetton masters by address.
func (r *Reader) JettonMasters(ctx context.Context, f chain.JettonMasterFilter, p chain.Page) ([]chain.JettonMaster, error) {
	return nil, nil
}

// JettonWallets lists Jetton wallets by owner, Jetton and address as far as the filter names them, or by balance in the
// page's direction.
func (r *Reader) JettonWallets(ctx context.Context, f chain.JettonWalletFilter, p chain.Page) ([]chain.JettonWallet, error) {
	return nil, nil
}

// JettonTransfers lists transfers that were not aborted by LT, or by time where the range has times.
func (r *Reader) JettonTransfers(ctx context.Context, f chain.JettonTransferFilter, p chain.Page) ([]chain.JettonTransfer, error) {
	return nil, nil
}

// JettonBurns lists burns as JettonTransfers does, aborted ones included.
func (r *Reader) JettonBurns(ctx context.Context, f chain.JettonBurnFilter, p chain.Page) ([]chain.JettonBurn, error) {
	return nil, nil
}

// NFTCollections lists collections by address.
func (r *Reader) NFTCollections(ctx context.Context, f chain.NFTCollectionFilter, p chain.Page) ([]chain.NFTCollection, error) {
	return nil, nil
}

// NFTItems lists items with their collection and the sale that holds them.
func (r *Reader) NFTItems(ctx context.Context, f chain.NFTItemFilter, p chain.Page) ([]chain.NFTItem, error) {
	return nil, nil
}

// NFTTransfers lists transfers of items by LT, or by time where the range has times.
func (r *Reader) NFTTransfers(ctx context.Context, f chain.NFTTransferFilter, p chain.Page) ([]chain.NFTTransfer, error) {
	return nil, nil
}

// NFTSales finds sales by the address of the contract, in the order of addresses.
func (r *Reader) NFTSales(ctx context.Context, addresses []chain.Address) ([]chain.NFTSale, error) {
	return nil, nil
}

// DNSRecords lists domains by length, then name.
func (r *Reader) DNSRecords(ctx context.Context, f chain.DNSFilter, p chain.Page) ([]chain.DNSRecord, error) {
	return nil, nil
}

// Multisigs lists multisig wallets by address in the page's direction, with their orders when the filter asks for them.
func (r *Reader) Multisigs(ctx context.Context, f chain.MultisigFilter, p chain.Page) ([]chain.Multisig, error) {
	return nil, nil
}

// MultisigOrders lists orders by number in the page's direction.
func (r *Reader) MultisigOrders(ctx context.Context, f chain.OrderFilter, p chain.Page) ([]chain.MultisigOrder, error) {
	return nil, nil
}

// Vestings lists vesting wallets by address.
func (r *Reader) Vestings(ctx context.Context, f chain.VestingFilter, p chain.Page) ([]chain.Vesting, error) {
	return nil, nil
}

// JettonWalletAt is a Jetton wallet as of a masterchain block; NotFound when it was none then.
func (r *Reader) JettonWalletAt(ctx context.Context, wallet chain.Address, mcSeqno uint32) (chain.JettonWallet, error) {
	return chain.JettonWallet{}, nil
}

// NFTOwnerAt is the owner of an item as of a masterchain block, nil when it had none; NotFound when there was no item.
func (r *Reader) NFTOwnerAt(ctx context.Context, item chain.Address, mcSeqno uint32) (*chain.Address, error) {
	return nil, nil
}

// ClaimsOn lists accounts that claim a relation to one of the others, by the other and the account; refuted claims only
// when asked for. Anyone may claim anything, so there may be many: the list goes on after the given claim.
func (r *Reader) ClaimsOn(ctx context.Context, others []chain.Address, refuted bool, after *chain.Claimant, limit int) ([]chain.Claimant, error) {
	return nil, nil
}

// Metadata tells what is known of the tokens among addresses, by address and kind. A Jetton wallet brings its master's.
func (r *Reader) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	return nil, nil
}
