package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

func TestDigest_PrintsStoresAndCompares(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := emptyDatabase(t)
	runCommand(t, "migrate", "--database-url", url)
	db, err := store.Open(t.Context(), store.Config{WriteURL: url, MaxWriteConns: 2, MaxReadConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	var blocks []*chain.MasterBlock
	for seqno := uint32(1); seqno <= 1010; seqno++ {
		mb := testdb.Master(seqno)
		mb.Transactions = append(mb.Transactions, testdb.NewTransaction(mb, testdb.Address()))
		blocks = append(blocks, mb)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), blocks...))
	digest := func(args ...string) (int, []string, string) {
		status, out, log := exits(t, append([]string{"digest", "--database-url", url, "--data", t.TempDir()}, args...)...)
		return status, strings.Split(strings.TrimSpace(out), "\n"), log
	}
	want, err := db.Reader().RangeDigest(t.Context(), chain.DigestRange(1))
	require.NoError(t, err)

	status, lines, _ := digest()
	require.Zero(t, status)
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], "1 to 999  "+want.Hash.Hex())
	require.Contains(t, lines[1], "1000 to 1010  ")
	require.Contains(t, lines[2], "1 to 1010  ")

	status, _, log := digest("--to", "2500")
	require.Equal(t, 1, status)
	require.Contains(t, log, "masterchain blocks 1011 to 1999 are not in the index")

	status, stored, _ := digest("--store")
	require.Zero(t, status)
	require.Equal(t, lines, stored)
	list, err := db.Reader().Digests(t.Context(), chain.DigestRange(1))
	require.NoError(t, err)
	require.Equal(t, want.RangeDigest, list[0])

	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err = handle.ExecContext(t.Context(), `UPDATE blocks SET gen_utime = gen_utime + 1 WHERE mc_seqno = 500`)
	require.NoError(t, err)
	status, unread, _ := digest("--to", "999")
	require.Zero(t, status)
	require.Equal(t, lines[0], unread[0])
	status, read, log := digest("--to", "999", "--recompute", "--tables")
	require.Equal(t, 1, status)
	require.NotEqual(t, lines[0], read[0])
	require.Contains(t, strings.Join(read, "\n"), "stored: "+want.Hash.Hex())
	require.Contains(t, strings.Join(read, "\n"), "   transactions ")
	require.Contains(t, log, "stored digests differ")
}

// Without a range, the digest of verify is that of the complete index, with the newest states, which belong to no range.
func TestVerifyDigest_CoversNewestStates(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := emptyDatabase(t)
	runCommand(t, "migrate", "--database-url", url)
	db, err := store.Open(t.Context(), store.Config{WriteURL: url, MaxWriteConns: 2, MaxReadConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	block := testdb.Master(1)
	block.Transactions = append(block.Transactions, testdb.NewTransaction(block, testdb.Address()))
	require.NoError(t, db.Writer().Apply(t.Context(), block))
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	digest := func(args ...string) string {
		return runCommand(t, append([]string{"verify", "--digest", "--database-url", url, "--data", t.TempDir()}, args...)...)
	}
	before, within := digest(), digest("--from", "1")
	require.Contains(t, before, "\ncontracts ")
	require.NotContains(t, within, "\ncontracts ")
	_, err = handle.ExecContext(t.Context(), `INSERT INTO code_interfaces (code_hash, methods, interfaces) VALUES ($1, '{}', '{}')`, make([]byte, 32))
	require.NoError(t, err)
	require.NotEqual(t, before, digest())
	require.Equal(t, within, digest("--from", "1"))
}
