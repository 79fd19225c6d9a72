package resolvers

import (
	"context"
	"encoding/binary"
	"slices"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// delivery names an internal message.
type delivery struct {
	source, destination chain.Address
	createdLT           uint64
}

func noDelivery() error { return chain.NotFoundf("no transaction with that message was found") }

// deliveryBlocks is the number of blocks of a shard, from the one at the LT of a message on, in which its receiver is looked
// for. A message that waits longer in a queue is not found, as at other servers of /api/v2.
const deliveryBlocks = 3

// deliveryOutsideIndex searches blocks that the index lacks for the transaction of account that sent or received a message. Blocks
// that are indexed count, but are not read: their messages are in the index.
func (s *Service) deliveryOutsideIndex(ctx context.Context, account chain.Address, d delivery, sent bool) (*RawTransaction, error) {
	blocks := deliveryBlocks
	if sent {
		blocks = 1 // the sender's transaction is in the block that the LT is of
	}
	for lt := d.createdLT; blocks > 0 && lt > 0; blocks-- {
		block, err := s.FindBlock(ctx, chain.BlockSearch{Workchain: account.Workchain, Shard: accountShard(account), LT: &lt})
		if err != nil && chain.KindOf(err) == chain.NotFound {
			break
		}
		if err != nil {
			return nil, err
		}
		tx, err := s.deliveryIn(ctx, block, account, d, sent)
		if tx != nil || err != nil {
			return tx, err
		}
		lt = block.EndLT + 1
	}
	return nil, noDelivery()
}

func (s *Service) deliveryIn(ctx context.Context, block *chain.Block, account chain.Address, d delivery, sent bool) (*RawTransaction, error) {
	if block.McSeqno != 0 {
		return nil, nil
	}
	full, err := s.emulator.FullBlock(ctx, block.BlockIDExt)
	if err != nil {
		return nil, err
	}
	return d.in(full.Transactions, account, sent), nil
}

// in returns the transaction of account that sent or received the message, or nil.
func (d delivery) in(txs []decode.Single, account chain.Address, sent bool) *RawTransaction {
	i := slices.IndexFunc(txs, func(tx decode.Single) bool {
		switch {
		case tx.Account != account:
			return false
		case sent:
			return slices.ContainsFunc(tx.OutMessages, d.names)
		}
		return tx.InMessage != nil && d.names(*tx.InMessage)
	})
	if i < 0 {
		return nil
	}
	return new(RawTransaction(txs[i]))
}

func (d delivery) names(m chain.Message) bool {
	return m.Kind == chain.InternalMessage && m.Source != nil && *m.Source == d.source && m.Destination != nil && *m.Destination == d.destination &&
		m.CreatedLT != nil && *m.CreatedLT == d.createdLT
}

// accountShard is the narrowest shard of an account: a search for it finds the block of the shard that contains the account.
func accountShard(a chain.Address) chain.Shard {
	if a.Workchain == -1 {
		return chain.FullShard
	}
	return chain.Shard(binary.BigEndian.Uint64(a.ID[:8]) | 1)
}
