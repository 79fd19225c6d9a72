package emulate

import (
	"context"
	"log/slog"
	"testing"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// newEmulator indexes a devnet up to masterchain block seqno and returns an Emulator on the index.
func newEmulator(t *testing.T, d *devnettest.Network, seqno uint32, node chain.Node) (*Emulator, *store.DB) {
	t.Helper()
	db := testdb.New(t)
	d.Index(t, db, indexer.Options{})
	x := New(db.Reader(), Options{Node: node, Logger: slog.New(slog.DiscardHandler), Head: func(ctx context.Context) (*chain.MasterchainInfo, error) {
		info, err := db.Reader().MasterchainInfo(ctx)
		return &info, err
	}})
	t.Cleanup(x.Close)
	d.AdvanceTo(t, seqno)
	d.WaitIndexed(t, db)
	return x, db
}
