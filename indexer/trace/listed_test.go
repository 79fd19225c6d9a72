package trace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/action/recording"
	"tonql/internal/chain"
)

// listedRecords has the records of the accounts that a reading listed, and the other accounts whose records the classifier used.
type listedRecords struct {
	action.Records

	listed chain.TraceRecords
	missed []chain.Address
}

func (r *listedRecords) look(a chain.Address, present bool) {
	if present && r.listed[a] == nil {
		r.missed = append(r.missed, a)
	}
}

func (r *listedRecords) JettonWallet(a chain.Address) *action.JettonWallet {
	found := r.Records.JettonWallet(a)
	r.look(a, found != nil)
	return found
}

func (r *listedRecords) NFTItem(a chain.Address) *action.NFTItem {
	found := r.Records.NFTItem(a)
	r.look(a, found != nil)
	return found
}

func (r *listedRecords) NFTSale(a chain.Address) *action.NFTSale {
	found := r.Records.NFTSale(a)
	r.look(a, found != nil)
	return found
}

func (r *listedRecords) NFTAuction(a chain.Address) *action.NFTAuction {
	found := r.Records.NFTAuction(a)
	r.look(a, found != nil)
	return found
}

func (r *listedRecords) MultisigOrder(a chain.Address) *action.MultisigOrder {
	found := r.Records.MultisigOrder(a)
	r.look(a, found != nil)
	return found
}

func (r *listedRecords) JVaultPool(a chain.Address) *chain.Address {
	found := r.Records.JVaultPool(a)
	r.look(a, found != nil)
	return found
}

func (r *listedRecords) JVaultLockWallet(a chain.Address) *chain.Address {
	found := r.Records.JVaultLockWallet(a)
	r.look(a, found != nil)
	return found
}

// recordIn returns the record of an account in the form of the index.
func recordIn(r action.Records, a chain.Address) *chain.TraceRecord {
	out := &chain.TraceRecord{}
	if w := r.JettonWallet(a); w != nil {
		out.JettonWallet = &chain.JettonWallet{Owner: w.Owner, Jetton: w.Jetton}
	}
	if s := r.NFTAuction(a); s != nil {
		out.NFTSale = &chain.NFTSale{Kind: chain.AuctionSale, NFT: s.Item, Auction: &chain.NFTAuction{LastBid: s.LastBid}}
	}
	std := func(a *chain.Address) *address.Address {
		return address.NewAddress(0, byte(a.Workchain), a.ID[:])
	}
	none, empty := std(&chain.Address{}), cell.BeginCell().EndCell()
	if pool := r.JVaultPool(a); pool != nil {
		out.Data = cell.BeginCell().MustStoreAddr(std(pool)).MustStoreAddr(none).MustStoreAddr(none).MustStoreRef(empty).EndCell().ToBOC()
	}
	if lock := r.JVaultLockWallet(a); lock != nil {
		out.Data = cell.BeginCell().MustStoreUInt(0, 33).MustStoreAddr(none).MustStoreAddr(none).MustStoreAddr(std(lock)).
			MustStoreBoolBit(false).MustStoreRef(empty).MustStoreRef(empty).MustStoreRef(empty).EndCell().ToBOC()
	}
	return out
}

// The index reads the records of listed accounts alone, so the classifier may use no others.
func TestReading_ListsAllAccountsWhoseRecordsAreUsed(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TONQL_ACTION_FIXTURES")
	if folder == "" {
		t.Skip("TONQL_ACTION_FIXTURES does not name a folder of recorded traces")
	}
	files, err := filepath.Glob(filepath.Join(folder, "traces", "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		content, contracts, err := recording.Read(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		r := &reading{trace: content}
		all := &listedRecords{Records: contracts, listed: chain.TraceRecords{}}
		for range chain.RecordRounds {
			for _, a := range r.Accounts(all.listed) {
				all.listed[a] = recordIn(contracts, a)
			}
		}
		_, err = action.Classify(content, all)
		require.NoError(t, err)
		require.Empty(t, all.missed, name)
	}
}
