package mainnet

import (
	"encoding/base64"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/modtest"
)

// Elector is the elector of the main network: its code, two states of it, the first one during an election, and the configuration at that time.
type Elector struct {
	Code, Config, Voting, Later *cell.Cell
}

var bag = regexp.MustCompile(`"(te6[A-Za-z0-9+/=]+)"`)

// OpenElector reads the recorded elector.
func OpenElector(tb testing.TB) *Elector {
	tb.Helper()
	found := bag.FindAllSubmatch(read(tb, modtest.Tongo, "abi-tolk/abiGenerated/elector/elector_test.go"), -1)
	require.Len(tb, found, 4)
	roots := make([]*cell.Cell, len(found))
	for i, f := range found {
		raw, err := base64.StdEncoding.DecodeString(string(f[1]))
		require.NoError(tb, err)
		roots[i], err = cellgraph.FromBOC(raw)
		require.NoError(tb, err)
	}
	return &Elector{Code: roots[0], Voting: roots[1], Config: roots[2], Later: roots[3]}
}
