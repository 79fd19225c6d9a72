package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addDomains(index *store.Reader) {
	s.DNSRecord = Batch(func(ctx context.Context, items []chain.Address) (map[chain.Address]*chain.DNSRecord, error) {
		rows, err := index.DNSRecordsByItem(ctx, items)
		return byKey(rows, err, func(d *chain.DNSRecord) chain.Address { return d.Item })
	})
	s.DNSRecordsOfWallets = Pages(index.DNSRecordsOfWallets)
}
