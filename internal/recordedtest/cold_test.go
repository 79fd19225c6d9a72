package recordedtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/recordedtest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// Every API responds byte for byte as recorded when a tenth, half and most of the blocks are on a cold server, and when they are back.
func TestAPIs_RespondAsRecordedFromColdServers(t *testing.T) {
	t.Parallel()
	for _, s := range sets() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			blocks := s.blocks(t)
			if len(blocks) < 4 {
				t.Skip("too few blocks to divide")
			}
			db := recordedtest.Index(t, blocks)
			recorded := load(t, s.name)
			server, err := db.ConnectCold(t.Context(), testdb.URL(t))
			require.NoError(t, err)
			tenths := []int{1, 5, 9}
			for i, tenth := range tenths {
				moveCold(t, db, server, blocks[len(blocks)*tenth/10].Block.Seqno)
				var some []exchange // each request once
				for j := i; j < len(recorded); j += len(tenths) {
					some = append(some, recorded[j])
				}
				requireRecorded(t, newService(t, db, s.network), some)
			}
			for {
				step, err := db.Writer().ThawCold(t.Context())
				require.NoError(t, err)
				if step.Blocks.Last == 0 {
					break
				}
			}
			requireRecorded(t, newService(t, db, s.network), recorded[:len(recorded)/5])
		})
	}
}

// moveCold moves blocks to a cold server in several steps.
func moveCold(t *testing.T, db *store.DB, server string, bound uint32) {
	t.Helper()
	for {
		step, err := db.Writer().MoveCold(t.Context(), server, bound, 200)
		require.NoError(t, err)
		if step.Blocks == (chain.SeqnoRange{}) {
			return
		}
	}
}
