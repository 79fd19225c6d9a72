package digests_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Blocks of contracts for the recorded digests. They are made before all tests, because hashes and LTs of testdb are numbered by what was made before.
var recordedContracts, recordedTransfers = firstDetections(), ownTransfers()

// The digests of a version of their definition are the same in all versions of the program: those of two databases are compared, and stored ones stay. What changes
// them, such as a column, increases the version.
func TestRangeDigest_IsThatOfItsVersion(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const recorded = "testdata/range_digest.txt"
	var text strings.Builder
	rows := map[string]int64{}
	for _, c := range []struct {
		name   string
		blocks []*chain.MasterBlock
	}{{"traffic", storetest.SmallChain()}, {"contracts", recordedContracts}, {"transfers", recordedTransfers}} {
		db := storetest.Classified(t)
		storetest.Apply(t, db.Writer(), c.blocks)
		first, last := c.blocks[0].Block.Seqno, c.blocks[len(c.blocks)-1].Block.Seqno
		for _, from := range []uint32{first, (first + last) / 2} {
			d := storetest.RangeDigest(t, db, from, last)
			fmt.Fprintf(&text, "%s %d to %d: version %d, %s, %d rows; crossing %s, %d traces\n", c.name, from, last, digests.DigestVersion, d.Hash.Hex(), d.Rows, d.CrossingHash.Hex(), d.CrossingTraces)
			for _, table := range d.Tables {
				rows[table.Table] += table.Rows
				fmt.Fprintf(&text, "   %s: %d rows, %s\n", table.Table, table.Rows, table.Hash.Hex())
			}
		}
	}
	for _, table := range digests.TablesOfRangeDigest() {
		require.NotZero(t, rows[table], table)
	}
	if *update {
		require.NoError(t, os.WriteFile(recorded, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(recorded)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String(), "increase digestVersion, and record with -update")
}
