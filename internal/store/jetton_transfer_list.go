package store

import (
	"context"

	"tonql/internal/chain"
)

// JettonTransfers lists transfers that were not aborted by LT in the page's direction, or by time where the range has
// times; the sending wallet decides ties.
func (r *Reader) JettonTransfers(ctx context.Context, f chain.JettonTransferFilter, p chain.Page) ([]chain.JettonTransfer, error) {
	s, l := jettonTransfersStatement(&f, p)
	rows, err := collect(ctx, r.pool, "Jetton transfers", l.limit, scanJettonTransfer, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func jettonTransfersStatement(f *chain.JettonTransferFilter, p chain.Page) (*statement, list) {
	return newTransferQuery(&jettonTransfersTable, f.TransferRange, f.Owners, f.JettonWallets, f.Jetton, f.Direction).statement(p)
}

// JettonBurns lists burns as JettonTransfers does, aborted ones included.
func (r *Reader) JettonBurns(ctx context.Context, f chain.JettonBurnFilter, p chain.Page) ([]chain.JettonBurn, error) {
	s, l := jettonBurnsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "Jetton burns", l.limit, scanJettonBurn, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func jettonBurnsStatement(f *chain.JettonBurnFilter, p chain.Page) (*statement, list) {
	return newTransferQuery(&jettonBurnsTable, f.TransferRange, f.Owners, f.JettonWallets, f.Jetton, chain.AnyDirection).statement(p)
}

// NFTTransfers lists transfers of items as JettonTransfers does, aborted ones included.
func (r *Reader) NFTTransfers(ctx context.Context, f chain.NFTTransferFilter, p chain.Page) ([]chain.NFTTransfer, error) {
	s, l := nftTransfersStatement(&f, p)
	rows, err := collect(ctx, r.pool, "NFT transfers", l.limit, scanNFTTransfer, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func nftTransfersStatement(f *chain.NFTTransferFilter, p chain.Page) (*statement, list) {
	return newTransferQuery(&nftTransfersTable, f.TransferRange, f.Owners, f.NFTs, f.Collection, f.Direction).statement(p)
}
