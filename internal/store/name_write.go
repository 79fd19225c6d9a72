package store

import (
	"maps"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	// retainedNameChanges is the number of versions whose changes are stored. A cache at an older version is emptied.
	retainedNameChanges = 1024
	// maxNameChanges is the largest number of accounts of one version; NULL stands for more.
	maxNameChanges = 4096

	// runOfServer differs after each promotion and restart of a server. The first change of such a run skips versions: the last ones
	// before it may be lost, while caches still have them.
	runOfServer  = `(substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || extract(epoch FROM pg_postmaster_start_time()))`
	skippedNames = 1 << 20
)

// nameChange returns the part of a statement that records changed names of accounts and codes, once for each row of
// another part, which has at most one row.
func nameChange(accounts, codes, each string) string {
	return `next AS (UPDATE names_version SET version = version + CASE WHEN server IN ('', ` + runOfServer + `) THEN 1 ELSE ` + strconv.Itoa(skippedNames) + ` END,
			server = ` + runOfServer + each + ` RETURNING version),
		old AS (DELETE FROM name_changes c USING next n WHERE c.version <= n.version - ` + strconv.Itoa(retainedNameChanges) + `)
		INSERT INTO name_changes (version, accounts, codes) SELECT n.version, ` + accounts + `, ` + codes + ` FROM next n`
}

var noteNames = `WITH ` + nameChange("$1::bytea[]", "$2::bytea[]", "")

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
	if len(accounts) == 0 && len(u.codes.Contracts) == 0 {
		return
	}
	var changed [][]byte
	if len(accounts) <= maxNameChanges {
		changed = sqlbuild.AddressArray(slices.Collect(maps.Keys(accounts)))
	}
	b.Queue(noteNames, changed, sqlbuild.HashArray(slices.Collect(maps.Keys(u.codes.Contracts))))
}
