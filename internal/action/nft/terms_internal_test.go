package nft

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/nft"
)

// Accounts of the contracts' data.
const (
	item, seller, place byte = 2, 3, 20
)

func account(n byte) chain.Address { return chain.Address{ID: chain.Hash{n}} }
func name(n byte) string           { return account(n).String() }

func std(n byte) *address.Address {
	id := chain.Hash{n}
	return address.NewAddress(0, 0, id[:])
}

func readSale(code string, data *cell.Cell) (*chain.Address, ListingData) {
	return read(saleTerms(action.MustHash(code), contract.Load(data)))
}

func readAuction(code string, data *cell.Cell) (*chain.Address, ListingData) {
	return read(auctionTerms(action.MustHash(code), contract.Load(data)))
}

func read(t *terms) (*chain.Address, ListingData) {
	if t == nil {
		return nil, ListingData{}
	}
	return t.market, t.ListingData
}

// requireTerms compares the members of want with those of the terms as JSON.
func requireTerms(t *testing.T, want map[string]any, got ListingData, code string) {
	t.Helper()
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &members))
	for name, value := range want {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		require.JSONEq(t, string(text), string(members[name]), "%s of %s", name, code)
	}
}

// saleV4 and auctionV3 make data in the layouts that unrecognized code is read with.
func saleV4() *cell.Cell {
	return cell.BeginCell().MustStoreBoolBit(false).MustStoreAddr(std(place)).MustStoreAddr(std(seller)).MustStoreCoins(1000).
		MustStoreUInt(0, 96).MustStoreRef(cell.BeginCell().MustStoreAddr(std(21)).MustStoreAddr(std(22)).
		MustStoreUInt(5000, 17).MustStoreUInt(100, 17).EndCell()).EndCell()
}

func auctionV3() *cell.Cell {
	return cell.BeginCell().MustStoreRef(auctionFees()).MustStoreRef(
		cell.BeginCell().MustStoreAddr(std(place)).MustStoreCoins(100).MustStoreCoins(5000).EndCell()).EndCell()
}

func auctionFees() *cell.Cell {
	return cell.BeginCell().MustStoreAddr(std(21)).MustStoreUInt(5, 32).MustStoreUInt(100, 32).
		MustStoreAddr(std(22)).MustStoreUInt(10, 32).MustStoreUInt(1000, 32).EndCell()
}

// The storage of contracts of every version at their deployment.
func TestTerms_AreReadForEveryCodeVersion(t *testing.T) {
	t.Parallel()
	older := func() *cell.Cell {
		return cell.BeginCell().MustStoreBoolBit(false).MustStoreUInt(1, 32).MustStoreAddr(std(place)).MustStoreAddr(std(item)).
			MustStoreAddr(std(seller)).MustStoreCoins(1000).MustStoreRef(cell.BeginCell().MustStoreAddr(std(21)).MustStoreCoins(50).
			MustStoreAddr(std(22)).MustStoreCoins(10).EndCell()).EndCell()
	}
	priced := map[string]any{
		"full_price": 1000, "marketplace_fee": 50, "royalty_amount": 10, "marketplace_fee_address": name(21), "royalty_address": name(22),
	}
	bids := map[string]any{
		"min_bid": 100, "max_bid": 5000, "mp_fee_factor": 5, "mp_fee_base": 100, "royalty_fee_base": 1000,
		"marketplace_fee_address": name(21), "royalty_address": name(22),
	}
	withGas := cell.BeginCell().MustStoreUInt(8449000, 32).MustStoreAddr(std(place)).MustStoreCoins(100).MustStoreCoins(5000).EndCell()
	for code, tc := range map[string]struct {
		read func(string, *cell.Cell) (*chain.Address, ListingData)
		data *cell.Cell
		want map[string]any
		from *chain.Address
	}{
		"2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=": {
			readSale, cell.BeginCell().MustStoreAddr(std(place)).MustStoreAddr(std(item)).MustStoreAddr(std(seller)).
				MustStoreCoins(1000).MustStoreRef(cell.BeginCell().MustStoreCoins(50).MustStoreAddr(std(21)).MustStoreAddr(std(22)).
				MustStoreCoins(10).EndCell()).EndCell(), priced, new(account(place)),
		},
		"gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=": {readSale, older(), priced, new(account(place))},
		"MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=": {readSale, older(), priced, new(account(place))},
		"3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=": {readSale, older(), priced, new(account(place))},
		"JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=": {readSale, older(), priced, new(account(place))},
		nft.LocalSale: {readSale, older(), priced, new(account(place))},
		"a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=": {
			readSale, saleV4(), map[string]any{"full_price": 1000, "marketplace_fee": nil, "royalty_address": name(22)}, new(account(place)),
		},
		"/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=": {
			readAuction, cell.BeginCell().MustStoreRef(auctionFees()).MustStoreRef(
				cell.BeginCell().MustStoreCoins(100).MustStoreCoins(5000).EndCell()).EndCell(), bids, nil,
		},
		"ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=": {
			readAuction, cell.BeginCell().MustStoreRef(auctionFees()).MustStoreRef(withGas).EndCell(), bids, new(account(place)),
		},
		"G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=": {
			readAuction, cell.BeginCell().MustStoreRef(auctionFees()).MustStoreRef(withGas).EndCell(), bids, new(account(place)),
		},
		"u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=": {readAuction, auctionV3(), bids, new(account(place))},
		"zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=": {
			readAuction, cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreAddr(std(21)).MustStoreAddr(std(22)).
				MustStoreUInt(5, 32).MustStoreUInt(100, 32).MustStoreUInt(10, 32).MustStoreUInt(1000, 32).EndCell()).MustStoreRef(
				cell.BeginCell().MustStoreAddr(std(place)).MustStoreCoins(100).MustStoreCoins(5000).EndCell()).EndCell(),
			bids, new(account(place)),
		},
	} {
		from, got := tc.read(code, tc.data)
		require.Equal(t, tc.from, from, code)
		requireTerms(t, tc.want, got, code)
		from, got = tc.read(code, cell.BeginCell().MustStoreUInt(5, 3).EndCell())
		require.Nil(t, from, "unreadable storage has no terms")
		require.Zero(t, got)
	}
}
