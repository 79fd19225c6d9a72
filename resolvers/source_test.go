package resolvers

import (
	"context"
	"crypto/sha256"
	"errors"
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

// A get-method that ends in the alternative way of the TVM succeeded, too.
func TestSucceeded_CodesZeroAndOne(t *testing.T) {
	t.Parallel()
	for code, want := range map[int32]bool{0: true, 1: true, 2: false, 11: false, -14: false} {
		require.Equal(t, want, succeeded(&MethodResult{Exit: code}), code)
	}
}

// A failure of the list or the gateways is shown beside the record; the cause, which may name this network, is not.
func TestSourceFiles_FailuresArePartOfTheResult(t *testing.T) {
	t.Parallel()
	result, err := (&Service{}).SourceFiles(t.Context(), &chain.CodeSource{})
	require.NoError(t, err)
	require.Nil(t, result, "this process fetches none")
	cause := errors.New("dial 10.0.0.1")
	for _, test := range []struct {
		err   error
		shown string
	}{
		{chain.Invalidf("no list"), "no list"},
		{chain.Unavailablef(cause, "no response"), "no response"},
		{cause, ""},
	} {
		s := &Service{opts: Options{FetchSources: func(_ context.Context, uri string) (*chain.SourceFiles, error) {
			require.Equal(t, "ipfs://a", uri)
			return nil, test.err
		}}}
		result, err := s.SourceFiles(t.Context(), &chain.CodeSource{URI: "ipfs://a"})
		if test.shown == "" {
			require.ErrorIs(t, err, cause)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, &chain.SourceFiles{Files: []*chain.SourceFile{}, Error: &test.shown}, result)
	}
}
