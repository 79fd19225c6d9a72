package resolvers

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Wallet is what the data of a known wallet contract says.
type Wallet struct {
	Type             string // published name, such as "wallet v4 r2"
	Seqno            uint32
	ID               *uint32 // from v3 on
	SignatureAllowed *bool   // v5
}

// WalletState is the latest state of an account and, when its code is a known wallet, what the wallet's data says.
type WalletState struct {
	chain.AccountState
	Wallet *Wallet
}

// walletLayout says which fields a wallet's data begins with.
type walletLayout uint8

const (
	layoutSeqno           walletLayout = iota // seqno 32 bits
	layoutSeqnoID                             // seqno 32, wallet id 32
	layoutFlagSeqnoID                         // signature flag 1, seqno 32, wallet id 32
	layoutRevisionSeqnoID                     // revision 8, seqno 32, wallet id 32; later revisions append fields
)

type walletCode struct {
	name   string
	layout walletLayout
}

// walletCodes are the wallet contracts by code hash. The v5 beta is read by v5's layout although its own differs:
// the published interface does so, and clients compare.
var walletCodes = func() map[chain.Hash]walletCode {
	codes := make(map[chain.Hash]walletCode)
	for hash, code := range map[string]walletCode{
		"oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=": {"wallet v1 r1", layoutSeqno},
		"1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=": {"wallet v1 r2", layoutSeqno},
		"WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=": {"wallet v1 r3", layoutSeqno},
		"XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=": {"wallet v2 r1", layoutSeqno},
		"/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=": {"wallet v2 r2", layoutSeqno},
		"thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=": {"wallet v3 r1", layoutSeqnoID},
		"hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=": {"wallet v3 r2", layoutSeqnoID},
		"ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=": {"wallet v4 r1", layoutSeqnoID},
		"/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=": {"wallet v4 r2", layoutSeqnoID},
		"89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=": {"wallet v5 beta", layoutFlagSeqnoID},
		"IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=": {"wallet v5 r1", layoutFlagSeqnoID},
		"kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=": {"tg-wallet", layoutRevisionSeqnoID},
	} {
		parsed, err := chain.ParseHash(hash)
		if err != nil {
			panic(err) //nolint:forbidigo // registration: a typing error in the table above
		}
		codes[parsed] = code
	}
	return codes
}()

// isWallet says whether addresses with the code are shown as not bounceable.
func isWallet(code *chain.Hash) bool {
	return code != nil && chain.IsWallet(*code)
}

// WalletStates lists the latest states of accounts with their wallet fields; unknown accounts are left out, accounts
// that are no wallets have none.
func (s *Service) WalletStates(ctx context.Context, addresses []chain.Address) ([]WalletState, error) {
	f := chain.AccountFilter{Addresses: addresses, WithBOC: true}
	states, err := s.AccountStates(ctx, f, chain.Page{Limit: s.opts.Limits.Rows})
	if err != nil {
		return nil, err
	}
	wallets := make([]WalletState, len(states))
	for i := range states {
		wallets[i] = WalletState{AccountState: states[i], Wallet: readWallet(&states[i])}
	}
	return wallets, nil
}

// readWallet is nil when the account is no known wallet, or its data is too short for one.
func readWallet(s *chain.AccountState) *Wallet {
	if s.CodeHash == nil || s.DataBOC == nil {
		return nil
	}
	code, ok := walletCodes[*s.CodeHash]
	if !ok {
		return nil
	}
	root, err := cell.FromBOC(s.DataBOC)
	if err != nil {
		return nil
	}
	data, err := root.BeginParse()
	if err != nil {
		return nil
	}
	w := &Wallet{Type: code.name}
	switch code.layout {
	case layoutFlagSeqnoID:
		allowed, err := data.LoadBoolBit()
		if err != nil {
			return nil
		}
		w.SignatureAllowed = &allowed
	case layoutRevisionSeqnoID:
		if err := data.SkipBits(8); err != nil {
			return nil
		}
	case layoutSeqno, layoutSeqnoID:
	}
	seqno, err := data.LoadUInt(32)
	if err != nil {
		return nil
	}
	w.Seqno = uint32(seqno)
	if code.layout != layoutSeqno {
		id, err := data.LoadUInt(32)
		if err != nil {
			return nil
		}
		short := uint32(id)
		w.ID = &short
	}
	return w
}
