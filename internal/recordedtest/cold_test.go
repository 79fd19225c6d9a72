package recordedtest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/recordedtest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// Every API responds byte for byte as recorded when a tenth, half and most of the blocks are on a cold server, and when they are back.
func TestAPIs_RespondAsRecordedFromColdServers(t *testing.T) {
	pacetest.Long(t)
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
			server, err := db.Cold().Connect(t.Context(), testdb.URL(t))
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

// While one of two cold servers does not respond, every response of every API is the recorded one, or says that the blocks of this server are needed.
func TestAPIs_RespondAsRecordedWithoutAColdServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, s := range sets() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			blocks := s.blocks(t)
			if len(blocks) < 6 {
				t.Skip("too few blocks to divide")
			}
			db := recordedtest.Index(t, blocks)
			recorded := load(t, s.name)
			var servers []string
			for _, tenth := range []int{3, 7} {
				server, err := db.Cold().Connect(t.Context(), testdb.URL(t))
				require.NoError(t, err)
				moveCold(t, db, server, blocks[len(blocks)*tenth/10].Block.Seqno)
				servers = append(servers, server)
			}
			index := db.SQLDB()
			defer func() { require.NoError(t, index.Close()) }()
			setPort := func(server, port string) {
				_, err := index.ExecContext(t.Context(), `ALTER SERVER `+server+` OPTIONS (SET port '`+port+`')`)
				require.NoError(t, err)
			}
			for i, server := range servers {
				var port string
				require.NoError(t, index.QueryRowContext(t.Context(), `SELECT split_part(o, '=', 2) FROM pg_foreign_server, unnest(srvoptions) o WHERE srvname = $1 AND o LIKE 'port=%'`,
					server).Scan(&port))
				setPort(server, "1")
				var some []exchange
				for j := i; j < len(recorded); j += 2 {
					some = append(some, recorded[j])
				}
				different, refused := compare(t.Context(), newService(t, db, s.network), some), 0
				for j, text := range different {
					if !strings.Contains(text, "are on another server, which does not respond now") {
						require.Fail(t, "another response", text)
					}
					delete(different, j)
					refused++
				}
				t.Logf("without %s %d of %d requests are refused", server, refused, len(some))
				require.NotZero(t, refused)
				require.Less(t, refused, len(some)*9/10)
				setPort(server, port)
			}
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
