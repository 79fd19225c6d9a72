package resolvers

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/wallet"
)

// walletInfo reads the data of a wallet contract; nil when the code is no wallet's, or the data do not fit it.
func walletInfo(ctx context.Context, state *chain.AccountState) (*chain.WalletInfo, error) {
	if state == nil || state.CodeHash == nil || state.DataHash == nil || !wallet.Is(*state.CodeHash) {
		return nil, nil
	}
	boc := state.DataBOC
	if boc == nil {
		var err error
		if boc, err = loadCell(ctx, state, state.DataHash); err != nil || boc == nil {
			return nil, err
		}
	}
	data, err := cell.FromBOC(boc)
	if err != nil {
		return nil, err
	}
	info, err := wallet.Parse(*state.CodeHash, data)
	if err != nil && chain.KindOf(err) == chain.Invalid {
		return nil, nil
	}
	return info, err
}
