package devnet

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/layout"
	"tonql/internal/devnet/ledger"
)

// validFor is the time in seconds that an order of the faucet may wait for a block.
const validFor = 300

// Faucet sends coins from a wallet that the zerostate funds.
type Faucet struct {
	chain  *ledger.Chain
	wallet *contracts.Wallet

	mu   sync.Mutex // one order at a time: each needs the seqno after the one before
	next uint32     // the first seqno that no order of this process has used
}

// Address returns the faucet's address, in the form of a wallet of a test network.
func (f *Faucet) Address() *address.Address { return f.wallet.Address.Bounce(false).Testnet(true) }

// Send sends a transfer and returns when the chain has accepted it; the coins arrive with
// the next blocks. It waits for the block with its previous order, so the goroutine that
// makes blocks must not call it.
func (f *Faucet) Send(ctx context.Context, to *address.Address, nano uint64, comment string) error {
	_, err := f.Pay(ctx, to, nano, comment)
	return err
}

// feeReserve is what the faucet's wallet retains for fees, in nanotons.
const feeReserve = 100_000_000

// Pay is [Faucet.Send]; it returns the hash of the external-in message.
func (f *Faucet) Pay(ctx context.Context, to *address.Address, nano uint64, comment string) (hash []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seqno, balance, err := f.free(ctx)
	if err != nil {
		return nil, fmt.Errorf("faucet: %w", err)
	}
	if limit := balance - min(balance, feeReserve); nano > limit {
		return nil, chain.Invalidf("amount %d nanotons: the faucet has %d to give", nano, limit)
	}
	msg, err := f.wallet.External(
		contracts.Ticket{Seqno: seqno, ValidUntil: f.chain.Now() + validFor},
		contracts.Order{Message: contracts.Transfer(to, nano, comment)},
	)
	if err != nil {
		return nil, fmt.Errorf("faucet: %w", err)
	}
	if err := f.chain.SendExternal(ctx, msg); err != nil {
		return nil, fmt.Errorf("faucet: %w", err)
	}
	f.next = seqno + 1
	return msg.Hash(), nil
}

// free waits until no order has used the wallet's current seqno, and returns it with the balance. It gives up an order
// that was lost or expired when its time is over.
func (f *Faucet) free(ctx context.Context) (seqno uint32, balance uint64, err error) {
	deadline := f.chain.Now() + validFor
	for {
		head := f.chain.Head()
		seqno, balance, err := f.state(head)
		if err != nil {
			return 0, 0, err
		}
		if seqno >= f.next || f.chain.Now() > deadline {
			return seqno, balance, nil
		}
		if err := f.chain.WaitSeqno(ctx, head.ID.SeqNo+1); err != nil {
			return 0, 0, &chain.Error{
				Kind: chain.Unavailable, Message: "the faucet's previous order is still waiting for a block", Err: err,
			}
		}
	}
}

// state reads the wallet's seqno and balance from the newest state of its shard.
func (f *Faucet) state(head *ledger.Block) (seqno uint32, balance uint64, err error) {
	account, err := f.account(head)
	if err != nil {
		return 0, 0, err
	}
	seqno, err = f.wallet.Seqno(account.StateInit.Data)
	return seqno, account.Balance.Nano().Uint64(), err
}

func (f *Faucet) account(head *ledger.Block) (*tlb.AccountState, error) {
	var b tlb.Block
	if err := tlb.Parse(&b, head.Root); err != nil {
		return nil, fmt.Errorf("newest block: %w", err)
	}
	ids, err := ton.LoadShardsFromHashes(b.Extra.Custom.ShardHashes, false)
	if err != nil {
		return nil, fmt.Errorf("newest shards: %w", err)
	}
	addr := f.wallet.Address
	for _, id := range ids {
		if id.Workchain != addr.Workchain() || !layout.ShardContains(uint64(id.Shard), layout.AccountPrefix(addr.Data())) {
			continue
		}
		root, err := f.chain.State(*id)
		if err != nil {
			return nil, fmt.Errorf("faucet's shard: %w", err)
		}
		return activeAccount(root, addr)
	}
	return nil, errors.New("no shard of the faucet")
}

func activeAccount(root *cell.Cell, addr *address.Address) (*tlb.AccountState, error) {
	var state tlb.ShardStateUnsplit
	if err := tlb.Parse(&state, root); err != nil {
		return nil, fmt.Errorf("shard state: %w", err)
	}
	key := cell.BeginCell().MustStoreSlice(addr.Data(), 256).EndCell()
	v, err := state.Accounts.ShardAccounts.LoadValue(key)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", addr, err)
	}
	var entry tlb.ShardAccount
	if err := tlb.LoadFromCell(&entry, v); err != nil {
		return nil, fmt.Errorf("account %s: %w", addr, err)
	}
	var acc tlb.AccountState
	if err := tlb.Parse(&acc, entry.Account); err != nil {
		return nil, fmt.Errorf("account %s: %w", addr, err)
	}
	if acc.StateInit == nil || acc.StateInit.Data == nil {
		return nil, fmt.Errorf("account %s is not active", addr)
	}
	return &acc, nil
}
