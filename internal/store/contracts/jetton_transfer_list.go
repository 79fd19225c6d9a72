package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// JettonTransfers lists transfers that were not aborted by LT in the page's direction, or by time where the range has
// times; the sending wallet decides ties.
func (r *Reader) JettonTransfers(ctx context.Context, f chain.JettonTransferFilter, p chain.Page) ([]chain.JettonTransfer, error) {
	s, l := JettonTransfersStatement(&f, p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}}, 1, func(t *chain.JettonTransfer) (uint64, uint32) { return t.TxLT, t.TxNow })
	rows, err := sqlbuild.Covered(ctx, r.pool, "Jetton transfers", l.Limit, rule, scanJettonTransfer, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// JettonTransfersStatement returns the statement of [Reader.JettonTransfers], and its page.
func JettonTransfersStatement(f *chain.JettonTransferFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	return newTransferQuery(&jettonTransfersTable, f.TransferRange, f.Owners, f.JettonWallets, f.Jetton, f.Direction).statement(p)
}

// JettonBurns lists burns as JettonTransfers does, aborted ones included.
func (r *Reader) JettonBurns(ctx context.Context, f chain.JettonBurnFilter, p chain.Page) ([]chain.JettonBurn, error) {
	s, l := JettonBurnsStatement(&f, p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}}, 1, func(t *chain.JettonBurn) (uint64, uint32) { return t.TxLT, t.TxNow })
	rows, err := sqlbuild.Covered(ctx, r.pool, "Jetton burns", l.Limit, rule, scanJettonBurn, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// JettonBurnsStatement returns the statement of [Reader.JettonBurns], and its page.
func JettonBurnsStatement(f *chain.JettonBurnFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	return newTransferQuery(&jettonBurnsTable, f.TransferRange, f.Owners, f.JettonWallets, f.Jetton, chain.AnyDirection).statement(p)
}

// NFTTransfers lists transfers of items as JettonTransfers does, aborted ones included.
func (r *Reader) NFTTransfers(ctx context.Context, f chain.NFTTransferFilter, p chain.Page) ([]chain.NFTTransfer, error) {
	s, l := NFTTransfersStatement(&f, p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}}, 1, func(t *chain.NFTTransfer) (uint64, uint32) { return t.TxLT, t.TxNow })
	rows, err := sqlbuild.Covered(ctx, r.pool, "NFT transfers", l.Limit, rule, scanNFTTransfer, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// NFTTransfersStatement returns the statement of [Reader.NFTTransfers], and its page.
func NFTTransfersStatement(f *chain.NFTTransferFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	return newTransferQuery(&nftTransfersTable, f.TransferRange, f.Owners, f.NFTs, f.Collection, f.Direction).statement(p)
}
