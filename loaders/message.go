package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// MessagePageOf is the key of one page of the messages on one side of an account: Out for sent messages, In for received
// ones.
type MessagePageOf = PageOf[MessageSide]

// MessageSide is one side of an account.
type MessageSide struct {
	Account chain.Address
	Side    chain.Direction
}

func (s *Set) addMessages(index *store.Reader) {
	s.MessageByKey = Batch(func(ctx context.Context, keys []chain.MessageKey) (map[chain.MessageKey]*chain.Message, error) {
		rows, err := index.MessagesByKey(ctx, keys)
		return byKey(rows, err, func(m *chain.Message) chain.MessageKey { return m.Key })
	})
	s.MessagesSentBy = Batch(index.MessagesSentBy)
	s.MessagesOfAccounts = Pages(func(ctx context.Context, sides []MessageSide, page chain.Page) (map[MessageSide][]chain.Message, error) {
		return grouped(
			func(k MessageSide) (chain.Address, chain.Direction) { return k.Account, k.Side },
			func(ctx context.Context, accounts []chain.Address, side chain.Direction) (map[chain.Address][]chain.Message, error) {
				return index.MessagesOfAccounts(ctx, accounts, side, page)
			},
		)(ctx, sides)
	})
}
