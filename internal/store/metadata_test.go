package store_test

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// newTokenRecord is the detection of one token with the given content.
func newTokenRecord(kind chain.TokenKind, address chain.Address, lt uint64, content chain.Content) chain.Contract {
	k := chain.Contract{Account: address, LT: lt, McSeqno: uint32(lt)}
	switch kind {
	case chain.TokenJettonMaster:
		k.JettonMaster = &chain.JettonMaster{Address: address, LastTxLT: lt, Content: content}
	case chain.TokenNFTCollection:
		k.NFTCollection = &chain.NFTCollection{Address: address, LastTxLT: lt, Content: content}
	default:
		k.NFTItem = &chain.NFTItem{Address: address, LastTxLT: lt, Content: content, Index: big.NewInt(77)}
	}
	return k
}

func TestMetadataQueue_StoresResultsOfCurrentContent(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	q, ctx := db.MetadataQueue(), t.Context()
	seqno := uint32(0)
	write := func(contracts ...chain.Contract) {
		seqno++
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{testdb.Master(seqno, func(mb *chain.MasterBlock) { mb.Contracts = contracts })})
	}
	list := storetest.Addresses(5)
	master, collection, item, wallet, other := list[0], list[1], list[2], list[3], list[4]
	read := func(of ...chain.Address) map[chain.TokenKind]chain.Metadata {
		rows, err := db.Reader().Metadata(ctx, of)
		require.NoError(t, err)
		byKind := map[chain.TokenKind]chain.Metadata{}
		for _, row := range rows {
			byKind[row.Kind] = row
		}
		require.Len(t, byKind, len(rows))
		return byKind
	}
	uri := chain.Content{"uri": "https://a/nul\x00.json"}
	stored := chain.JettonWallet{Address: wallet, Balance: big.NewInt(5), Owner: other, Jetton: master}
	write(newTokenRecord(chain.TokenJettonMaster, master, 1, uri), newTokenRecord(chain.TokenNFTCollection, collection, 1, nil),
		chain.Contract{Account: wallet, LT: 1, JettonWallet: &stored})
	write(newTokenRecord(chain.TokenNFTItem, item, 2, uri))

	none, err := db.Reader().Metadata(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, none)
	require.Empty(t, read(other))
	require.Equal(t, chain.Metadata{Address: master, Kind: chain.TokenJettonMaster}, read(master)[chain.TokenJettonMaster])
	require.Equal(t, big.NewInt(77), read(item)[chain.TokenNFTItem].NFTIndex)
	of := read(wallet)
	require.Equal(t, chain.Metadata{
		Address: wallet, Kind: chain.TokenJettonWallet, Indexed: true, Valid: true,
		Extra: map[string]any{"owner": other.String(), "jetton": master.String(), "balance": "5"},
	}, of[chain.TokenJettonWallet])
	require.Equal(t, master, of[chain.TokenJettonMaster].Address, "the master of a wallet is included")

	jobs := map[chain.TokenKind]chain.MetadataJob{}
	for len(jobs) < 3 {
		taken, err := q.Next(ctx, 2)
		require.NoError(t, err)
		require.NotEmpty(t, taken)
		for _, j := range taken {
			require.NotContains(t, jobs, j.Kind, "taken twice")
			jobs[j.Kind] = j
		}
	}
	require.Equal(t, chain.MetadataJob{Address: master, Kind: chain.TokenJettonMaster, Content: uri}, jobs[chain.TokenJettonMaster])
	require.Equal(t, chain.Content{}, jobs[chain.TokenNFTCollection].Content)
	taken, err := q.Next(ctx, 9)
	require.NoError(t, err)
	require.Empty(t, taken, "taken jobs are not due")

	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	good := &chain.Metadata{
		Indexed: true, Valid: true, Name: "N\x00", Symbol: "S", Description: "D", Image: "https://i", NSFW: new(true), FetchedAt: at,
		Extra: map[string]any{"decimals": "9", "n": json.Number("12345678901234567890"), "list": []any{nil, true}},
	}
	require.NoError(t, q.Store(ctx, chain.MetadataResult{Job: jobs[chain.TokenJettonMaster], Metadata: good}))
	want := *good
	want.Address, want.Kind = master, chain.TokenJettonMaster
	require.Equal(t, want, read(master)[chain.TokenJettonMaster])

	// A failed fetch retains the earlier metadata; the next try is due at the time it sets.
	bad := &chain.Metadata{Reason: "timeout", Error: "no response\x00", FetchedAt: at}
	job := jobs[chain.TokenJettonMaster]
	require.NoError(t, q.Store(ctx, chain.MetadataResult{Job: job, Metadata: bad, Tries: 1, NextTry: new(time.Now().Add(-time.Second))}))
	got := read(master)[chain.TokenJettonMaster]
	require.True(t, got.Valid)
	require.Equal(t, "S", got.Symbol)
	require.Equal(t, []string{"timeout", "no response\uFFFD"}, []string{got.Reason, got.Error})
	taken, err = q.Next(ctx, 9)
	require.NoError(t, err)
	job.Tries = 1
	require.Equal(t, []chain.MetadataJob{job}, taken)
	require.NoError(t, q.Store(ctx, chain.MetadataResult{Job: job, Tries: 2, NextTry: new(time.Now().Add(time.Hour))}), "postponed")
	require.Equal(t, got, read(master)[chain.TokenJettonMaster])

	// Without metadata, only the URI is returned.
	require.NoError(t, q.Store(ctx, chain.MetadataResult{Job: jobs[chain.TokenNFTItem], Metadata: bad, Tries: 1}))
	require.Equal(t, map[string]any{"uri": uri["uri"]}, read(item)[chain.TokenNFTItem].Extra)
	require.False(t, read(item)[chain.TokenNFTItem].Valid)
	n, err := q.Len(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 2, n, "the item is not tried again")

	// The same content in a newer state changes nothing; other content is due at once, and late results are dropped.
	write(newTokenRecord(chain.TokenJettonMaster, master, 3, uri))
	require.Equal(t, "S", read(master)[chain.TokenJettonMaster].Symbol)
	write(newTokenRecord(chain.TokenJettonMaster, master, 4, chain.Content{"uri": "https://b"}))
	require.Equal(t, chain.Metadata{Address: master, Kind: chain.TokenJettonMaster}, read(master)[chain.TokenJettonMaster])
	require.NoError(t, q.Store(ctx, chain.MetadataResult{Job: job, Metadata: good}))
	require.False(t, read(master)[chain.TokenJettonMaster].Indexed)
	taken, err = q.Next(ctx, 9)
	require.NoError(t, err)
	require.Equal(t, []chain.MetadataJob{{Address: master, Kind: chain.TokenJettonMaster, Content: chain.Content{"uri": "https://b"}}}, taken)

	// An account that is no longer a token has no metadata.
	write(chain.Contract{Account: master, LT: 5})
	require.NotContains(t, read(wallet), chain.TokenJettonMaster)
	write(newTokenRecord(chain.TokenJettonMaster, master, 4, uri))
	require.Empty(t, read(master))
}
