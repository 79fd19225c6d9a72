package detect

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
)

// counting is a snapshot that counts its reads.
type counting struct {
	contracttest.Snapshot
	calls int
}

func (c *counting) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	c.calls++
	return c.Snapshot.State(ctx, a)
}

// withRoot returns mainnet's configuration with another DNS root.
func withRoot(t *testing.T, root *address.Address) *tvm.PreparedBlockchainConfig {
	t.Helper()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	params := config.AsDict(32)
	value := cell.BeginCell().MustStoreSlice(root.Data(), 256).EndCell()
	key := cell.BeginCell().MustStoreUInt(4, 32).EndCell()
	require.NoError(t, params.Set(key, cell.BeginCell().MustStoreRef(value).EndCell()))
	prepared, err := tvm.PrepareBlockchainConfig(params.AsCell())
	require.NoError(t, err)
	return prepared
}

func TestZones_FollowDelegationsAndChanges(t *testing.T) {
	t.Parallel()
	d := New(nil, nil, Options{Workers: 1})
	t.Cleanup(d.Close)
	owner := contracttest.Party("owner")
	deployed := func(c contracts.Contract) contract.State { return contracttest.Deployed(c.Address, c.Init) }
	ton := contracts.DNSCollection(contracts.OffchainContent("https://ton"))
	names := contracts.DNSCollection(contracts.OffchainContent("https://t.me"))
	below := contracts.DNSTopLevel(owner, map[string]*address.Address{"t": names.Address})
	root := contracts.DNSRoot(owner, map[string]*address.Address{"ton": ton.Address, "me": below.Address})
	env := contract.Env{Config: withRoot(t, root.Address), Now: 1_800_000_000}
	snapshot := &counting{Snapshot: contracttest.Snapshot{}.Add(deployed(root)).Add(deployed(below))}

	var z zones
	found, err := z.find(t.Context(), d, snapshot, env)
	require.NoError(t, err)
	want := map[chain.Address]string{deployed(ton).Address: ".ton", deployed(names).Address: ".t.me"}
	require.Equal(t, want, found)

	// While no resolver on the path changes, their states are read, but no get-method runs.
	snapshot.calls = 0
	again, err := z.find(t.Context(), d, snapshot, env)
	require.NoError(t, err)
	require.Equal(t, want, again)
	require.Equal(t, 2, snapshot.calls)

	// A changed resolver changes its zone; without the resolver the zone is gone.
	moved := deployed(below)
	moved.Data = contracts.DNSTopLevel(owner, map[string]*address.Address{"t": ton.Address}).Init.Data
	snapshot.Add(moved)
	found, err = z.find(t.Context(), d, snapshot, env)
	require.NoError(t, err)
	require.Equal(t, map[chain.Address]string{deployed(ton).Address: ".t.me"}, found, "the last zone of a collection counts")
	delete(snapshot.Snapshot, moved.Address)
	found, err = z.find(t.Context(), d, snapshot, env)
	require.NoError(t, err)
	require.Equal(t, map[chain.Address]string{deployed(ton).Address: ".ton"}, found)

	// Without a root there are no zones.
	var none zones
	found, err = none.find(t.Context(), d, contracttest.Snapshot{}, env)
	require.NoError(t, err)
	require.Empty(t, found)
}
