package resolvers

import (
	"crypto/sha256"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// A record counts only when it is of the verifier, the code and the registry. Its text is chosen by
// the one who wrote it.
func TestSourceURI_OnlyRecordsOfTheCodeCount(t *testing.T) {
	t.Parallel()
	verifier, code := sha256.Sum256([]byte("verifier.ton.org")), chain.Hash{1, 2, 3}
	registry, other := chain.Address{ID: chain.Hash{7}}, chain.Address{ID: chain.Hash{8}}
	n := func(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
	content := func(version uint64, text string) *cell.Cell {
		return cell.BeginCell().MustStoreUInt(version, 8).MustStoreStringSnake(text).EndCell()
	}
	const uri = "ipfs://Qmd4B1Xc6hy4XsEBuRh1kRhfwCXtXfT7fimJAD2fuGdMQJ"
	right := []any{n(verifier[:]), n(code[:]), contract.AddressSlice(registry), content(1, uri)}
	with := func(i int, v any) []any {
		record := slices.Clone(right)
		record[i] = v
		return record
	}
	require.Equal(t, uri, sourceURI(right, verifier, code, registry))
	for name, record := range map[string][]any{
		"nothing":             nil,
		"too few values":      right[:3],
		"of another verifier": with(0, big.NewInt(1)),
		"of another code":     with(1, big.NewInt(1)),
		"of another registry": with(2, contract.AddressSlice(other)),
		"no address":          with(2, big.NewInt(1)),
		"without content":     with(3, nil),
		"another version":     with(3, content(2, uri)),
		"no text":             with(3, cell.BeginCell().EndCell()),
		"control characters":  with(3, content(1, "ipfs://a\x1b[31m")),
		"a long text":         with(3, content(1, strings.Repeat("a", 2000))),
		"endless cells":       with(3, cellgraphtest.Snake(500, cell.BeginCell().MustStoreUInt(1, 8))),
	} {
		require.Empty(t, sourceURI(record, verifier, code, registry), name)
	}
}

// On a network without a registry there is nothing to read.
func TestCodeSources_NetworksWithoutARegistryHaveNone(t *testing.T) {
	t.Parallel()
	s := &Service{opts: Options{Network: "devnet"}}
	list, err := s.CodeSources(t.Context(), chain.Hash{1})
	require.NoError(t, err)
	require.Nil(t, list)
	for name, address := range registries {
		_, err := chain.ParseAddress(address)
		require.NoError(t, err, name)
	}
}
