package loaders

import (
	"context"

	"tonql/internal/chain"
)

// MessagePageOf asks for one page of the messages on one side of an account: Out for those it sent, In for those sent
// to it.
type MessagePageOf = PageOf[MessageSide]

// MessageSide is one side of an account.
type MessageSide struct {
	Account chain.Address
	Side    chain.Direction
}

func (s *Set) addMessages(index Index) {
	s.MessageByKey = Batch(func(ctx context.Context, keys []chain.MessageKey) (map[chain.MessageKey]*chain.Message, error) {
		rows, err := index.MessagesByKey(ctx, keys)
		return byKey(rows, err, func(m *chain.Message) chain.MessageKey { return m.Key })
	})
	s.MessagesSentBy = Batch(index.MessagesSentBy)
	s.MessagesOfAccounts = Pages(func(ctx context.Context, sides []MessageSide, page chain.Page) (map[MessageSide][]chain.Message, error) {
		found := make(map[MessageSide][]chain.Message, len(sides))
		for _, group := range groupBy(sides, func(k MessageSide) chain.Direction { return k.Side }) {
			accounts := make([]chain.Address, len(group))
			for i, k := range group {
				accounts[i] = k.Account
			}
			rows, err := index.MessagesOfAccounts(ctx, accounts, group[0].Side, page)
			if err != nil {
				return nil, err
			}
			for _, k := range group {
				found[k] = rows[k.Account]
			}
		}
		return found, nil
	})
}
