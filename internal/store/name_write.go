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
	// keptNameChanges is how many versions can be followed; who knows only an older one forgets everything.
	keptNameChanges = 1024
	// maxNameChanges is how many accounts one version tells of.
	maxNameChanges = 4096
)

// nameChange is the statement that tells of changed names, as a part of another one: of accounts and codes, once for each
// row of another part, of which there is one at most.
func nameChange(accounts, codes, each string) string {
	return `next AS (UPDATE names_version SET version = version + 1` + each + ` RETURNING version),
		old AS (DELETE FROM name_changes c USING next n WHERE c.version <= n.version - ` + strconv.Itoa(keptNameChanges) + `)
		INSERT INTO name_changes (version, accounts, codes) SELECT n.version, ` + accounts + `, ` + codes + ` FROM next n`
}

var noteNames = `WITH ` + nameChange("$1::bytea[]", "$2::bytea[]", "")

// finishNames tells whose names a unit may have changed: those whose newest state or record it wrote, the wallets of
// domains, and all who have a code that was looked at.
func finishNames(u *batchState, b *pgx.Batch) {
	accounts := make(map[chain.Address]struct{}, len(u.states.newest)+len(u.contracts.Won))
	for account := range u.states.newest {
		accounts[account] = struct{}{}
	}
	for _, account := range u.contracts.Won {
		accounts[account] = struct{}{}
		if k := u.contracts.Looks[account].Contract; k != nil && k.DNS != nil && k.DNS.Wallet != nil {
			accounts[*k.DNS.Wallet] = struct{}{}
		}
	}
	for _, wallet := range u.contracts.Wallets {
		accounts[wallet] = struct{}{}
	}
	if len(accounts) == 0 && len(u.codes.Contracts) == 0 {
		return
	}
	var told [][]byte
	if len(accounts) <= maxNameChanges {
		told = sqlbuild.AddressArray(slices.Collect(maps.Keys(accounts)))
	}
	b.Queue(noteNames, told, sqlbuild.HashArray(slices.Collect(maps.Keys(u.codes.Contracts))))
}
