package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/synthetic"
)

// RangeDigest computes the digest of masterchain blocks first to last.
func RangeDigest(t *testing.T, db *store.DB, first, last uint32) digests.Range {
	t.Helper()
	d, err := db.Reader().RangeDigest(t.Context(), chain.SeqnoRange{First: first, Last: last})
	require.NoError(t, err)
	return d
}

// RequireEqualDigests compares the tables by name, then the digests.
func RequireEqualDigests(t *testing.T, want, got digests.Range) {
	t.Helper()
	for i := range want.Tables {
		require.Equal(t, want.Tables[i], got.Tables[i])
	}
	require.Equal(t, want.RangeDigest, got.RangeDigest)
}

// FullRange returns a database with a range that has a digest, and its blocks.
func FullRange(t *testing.T) (*store.DB, []*chain.MasterBlock) {
	t.Helper()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 4000, Accounts: 60, PerBlock: 4, Shards: 2, Seed: 9, BOCs: true, Contracts: true}).Batch(1 << 20)
	require.GreaterOrEqual(t, len(blocks), chain.DigestBlocks)
	blocks = blocks[:chain.DigestBlocks-1]
	require.EqualValues(t, 1, blocks[0].Block.Seqno)
	db := Classified(t)
	require.NoError(t, db.Writer().Apply(t.Context(), blocks...))
	return db, blocks
}
