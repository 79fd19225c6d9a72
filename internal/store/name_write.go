package store

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/names"
)

// finishNames records the names that a batch may have changed: those of the accounts whose newest state or record it
// wrote, of the wallets of domains, and of the codes that were analysed.
func finishNames(u *batchState, b *pgx.Batch) {
	accounts := make(map[chain.Address]struct{}, len(u.states.newest)+len(u.contracts.Changed))
	for account := range u.states.newest {
		accounts[account] = struct{}{}
	}
	for _, account := range u.contracts.Changed {
		accounts[account] = struct{}{}
		if k := u.contracts.Detections[account].Contract; k != nil && k.DNS != nil && k.DNS.Wallet != nil {
			accounts[*k.DNS.Wallet] = struct{}{}
		}
	}
	for _, wallet := range u.contracts.Wallets {
		accounts[wallet] = struct{}{}
	}
	if len(accounts) > 0 || len(u.codes.Contracts) > 0 {
		names.Note(b, accounts, slices.Collect(maps.Keys(u.codes.Contracts)))
	}
}
