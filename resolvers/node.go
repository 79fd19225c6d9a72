package resolvers

import (
	"cmp"
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// The queries of nodes, from the index: states with the block that they belong to, raw transactions, block ids, the
// configuration and libraries.

// AccountAt is the state of an account at a masterchain block.
type AccountAt struct {
	WalletState
	Master   chain.BlockIDExt
	GenUtime uint32 // of the newest block of the account's shard then
}

// AccountAt is [Service.WalletInformation] with the block of the state.
func (s *Service) AccountAt(ctx context.Context, q AccountRequest) (*AccountAt, error) {
	v, err := s.emulator.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	state, err := s.informationAt(ctx, v, q)
	if err != nil {
		return nil, err
	}
	at := &AccountAt{
		WalletState: WalletState{AccountState: *state, Wallet: readWallet(state)},
		Master:      v.Master.BlockIDExt, GenUtime: v.BlockOf(q.Account).GenUtime,
	}
	last := lastOf(state)
	at.LT, at.TxHash = last.LT, last.Hash
	return at, nil
}

// lastOf names the transaction that made an account's state. The chain has neither an account that was deleted nor its last transaction, which
// only the index knows.
func lastOf(state *chain.AccountState) chain.TransactionRef {
	if state.Status == chain.Nonexist {
		return chain.TransactionRef{}
	}
	return chain.TransactionRef{LT: state.LT, Hash: state.TxHash}
}

// LastTransaction names the transaction that made an account's state as of masterchain block mcSeqno, and that block.
// LT and hash are zero for an account that does not exist.
func (s *Service) LastTransaction(ctx context.Context, a chain.Address, mcSeqno uint32) (chain.BlockIDExt, chain.TransactionRef, error) {
	v, err := s.emulator.At(ctx, &mcSeqno)
	if err != nil {
		return chain.BlockIDExt{}, chain.TransactionRef{}, err
	}
	acc, err := s.emulator.Account(ctx, v, a)
	if err != nil {
		return chain.BlockIDExt{}, chain.TransactionRef{}, err
	}
	return v.Master.BlockIDExt, lastOf(&acc.State), nil
}

// RawTransaction is a transaction with its messages and its cell as a bag of cells.
type RawTransaction struct {
	chain.FullTransaction
	BOC chain.BOC
}

// RawTransactions is [Service.FullTransactions] with cells.
func (s *Service) RawTransactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]RawTransaction, error) {
	txs, err := s.Transactions(ctx, f, p)
	if err != nil {
		return nil, err
	}
	return s.WithCells(ctx, txs)
}

// WithCells adds messages and cells to transactions, in their order.
func (s *Service) WithCells(ctx context.Context, txs []chain.Transaction) ([]RawTransaction, error) {
	full, err := s.full(ctx, txs, nil)
	if err != nil {
		return nil, err
	}
	keys := make([]chain.TransactionKey, len(full))
	for i := range full {
		keys[i] = full[i].Key()
	}
	bags, err := s.index.TransactionBOCs(ctx, keys)
	if err != nil {
		return nil, err
	}
	raw := make([]RawTransaction, len(full))
	for i := range full {
		boc, ok := bags[keys[i]]
		if !ok {
			return nil, fmt.Errorf("transaction %s: its cell is not in the index", full[i].Hash)
		}
		raw[i] = RawTransaction{FullTransaction: full[i], BOC: boc}
	}
	return raw, nil
}

// Delivery finds the transaction of a message that source sent to destination at createdLT: the one that received it,
// or, when sent is set, the one that sent it. Blocks that the index lacks are searched at the node. NotFound when there is none.
func (s *Service) Delivery(ctx context.Context, source, destination chain.Address, createdLT uint64, sent bool) (*RawTransaction, error) {
	found, err := s.indexedDelivery(ctx, source, destination, createdLT, sent)
	if err == nil || chain.KindOf(err) != chain.NotFound || s.node == nil {
		return found, err
	}
	account := destination
	if sent {
		account = source
	}
	return s.deliveryOutsideIndex(ctx, account, delivery{source, destination, createdLT}, sent)
}

// maxSystemMessages is the maximum number of system messages of a block: fee recovery and minting.
const maxSystemMessages = 2

func (s *Service) indexedDelivery(ctx context.Context, source, destination chain.Address, createdLT uint64, sent bool) (*RawTransaction, error) {
	none := noDelivery()
	var rows []chain.Message
	var err error
	if source == chain.SystemAddress { // the keys of system messages are those of the transactions that received them
		f := chain.MessageFilter{Source: &source, Destination: &destination, StartLT: &createdLT, EndLT: &createdLT}
		rows, err = s.index.Messages(ctx, f, chain.Page{Limit: maxSystemMessages})
	} else {
		rows, err = s.index.MessagesByKey(ctx, []chain.MessageKey{{Account: source, LT: createdLT}})
	}
	if err != nil {
		return nil, err
	}
	for i := range rows {
		m := &rows[i]
		if m.Kind != chain.InternalMessage || m.Destination == nil || *m.Destination != destination {
			continue
		}
		account, ref := destination, m.ReceivedBy
		if sent {
			account, ref = source, m.SentBy
		}
		if ref == nil {
			continue
		}
		txs, err := s.index.TransactionsByKey(ctx, []chain.TransactionKey{{Account: account, LT: ref.LT}})
		if err != nil || len(txs) == 0 {
			return nil, cmp.Or(err, none)
		}
		raw, err := s.WithCells(ctx, txs)
		if err != nil {
			return nil, err
		}
		return &raw[0], nil
	}
	return nil, none
}

// Parents returns the ids of the blocks that a block follows: one, or two after a merge. Parents that neither index nor node
// have are without hashes.
func (s *Service) Parents(ctx context.Context, b *chain.Block) ([]chain.BlockIDExt, error) {
	indexed, err := s.index.BlocksByID(ctx, b.PrevBlocks)
	if err != nil {
		return nil, err
	}
	if len(indexed) < len(b.PrevBlocks) && s.node != nil {
		w, err := s.emulator.FullBlock(ctx, b.BlockIDExt)
		if err == nil {
			return w.Parents, nil
		}
		s.opts.Logger.Warn("reading the parents of a block from the node failed", "hash", b.RootHash.String(), "err", err)
	}
	parents := make([]chain.BlockIDExt, len(b.PrevBlocks))
	for i, prev := range b.PrevBlocks {
		parents[i].BlockID = prev
		for j := range indexed {
			if indexed[j].BlockID == prev {
				parents[i] = indexed[j].BlockIDExt
			}
		}
	}
	return parents, nil
}

// Zerostate returns the id of the state the network began with; zero hashes without a node.
func (s *Service) Zerostate() chain.BlockIDExt {
	if s.node == nil {
		return chain.BlockIDExt{}
	}
	return s.node.Zerostate()
}

// ConfigRoot is the dictionary of parameters in force at a masterchain block; nil: the newest indexed one.
func (s *Service) ConfigRoot(ctx context.Context, seqno *uint32) (*cell.Cell, error) {
	v, err := s.emulator.At(ctx, seqno)
	if err != nil {
		return nil, err
	}
	return s.emulator.ConfigRoot(ctx, &v.Master)
}

// Libraries reads libraries that are public as of the newest indexed block; others are absent.
func (s *Service) Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	v, err := s.emulator.At(ctx, nil)
	if err != nil {
		return nil, err
	}
	return s.emulator.PublicLibraries(ctx, v, hashes)
}
