package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addMultisigs(index *store.Reader) {
	s.Multisig = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.Multisig, error) {
		rows, err := index.Multisigs(ctx, chain.MultisigFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(m *chain.Multisig) chain.Address { return m.Address })
	})
	s.MultisigOrder = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.MultisigOrder, error) {
		rows, err := index.MultisigOrders(ctx, chain.OrderFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(o *chain.MultisigOrder) chain.Address { return o.Address })
	})
	s.OrderExecution = Batch(func(ctx context.Context, orders []chain.OrderKey) (map[chain.OrderKey]*chain.OrderExecution, error) {
		rows, err := index.OrderExecutions(ctx, orders)
		return byKey(rows, err, func(e *chain.OrderExecution) chain.OrderKey { return e.OrderKey })
	})
	s.MultisigsOfMembers = Pages(index.MultisigsOfMembers)
	s.OrdersOfMultisigs = Pages(index.OrdersOfMultisigs)
}
