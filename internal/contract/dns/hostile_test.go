package dns_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/contract/dns"
)

// A dictionary of 2^256 records fits into 257 cells; unreadable records count towards the limit.
func TestEntries_StopsAtTheLimitOnSharedBranches(t *testing.T) {
	t.Parallel()
	require.Empty(t, dns.Entries(cellgraphtest.Dict(256, cell.BeginCell())))
	record := cell.BeginCell().MustStoreRef(cellgraphtest.Snake(500, cell.BeginCell().MustStoreUInt(0x1eda, 16)))
	require.LessOrEqual(t, len(dns.Entries(cellgraphtest.Dict(256, record))), 256)
}
