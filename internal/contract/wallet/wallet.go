package wallet

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	contract.Register(contract.Family{Name: "wallet", Detect: detect})
}

func detect(_ context.Context, p *contract.Probe) error {
	if info, err := Parse(p.CodeHash, p.State.Data); err == nil {
		p.Facts.Wallet = info
	}
	return nil
}

// Is reports whether the code is that of a wallet.
func Is(codeHash chain.Hash) bool {
	name, ok := contract.CodeName(codeHash)
	return ok && layouts[name] != nil
}

// Parse reads a wallet's data. Code that is no wallet's is an error of kind NotFound, data that do not fit the code
// one of kind Invalid.
func Parse(codeHash chain.Hash, data *cell.Cell) (*chain.WalletInfo, error) {
	name, _ := contract.CodeName(codeHash)
	layout, ok := layouts[name]
	if !ok {
		return nil, chain.NotFoundf("the code is not a wallet's")
	}
	if data == nil {
		return nil, chain.Invalidf("the wallet has no data")
	}
	info := &chain.WalletInfo{Name: name}
	info.Type, _ = chain.WalletType(codeHash)
	if err := read(data, layout, info); err != nil {
		return nil, err
	}
	return info, nil
}
