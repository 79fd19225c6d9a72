package metadata

import (
	"fmt"
	"math/big"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

var _ Queue = (*store.MetadataQueue)(nil)

// End to end: contracts are indexed, their content is fetched, the index returns the metadata. A server that fails
// later removes nothing, and a restarted worker repeats no finished job.
func TestWorker_StoresMetadataOfIndexedTokens(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	var requests, fails atomic.Int64
	url, at := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if fails.Load() != 0 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"name":%q,"image":"https://example.com/\u0000i.png","attributes":[{"n":1e2,"u":"\u0000"}]}`, r.URL.Path)
	})
	contents := []chain.Content{
		{"uri": url + "/master", "decimals": "9"},
		{"name": "On chain"},
		{"uri": "http://127.0.0.1:1/private"},
		{},
	}
	db := testdb.New(t)
	var addresses []chain.Address
	mb := testdb.Master(1, func(mb *chain.MasterBlock) {
		for _, content := range contents {
			addresses = append(addresses, testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
				c.NFTCollection = &chain.NFTCollection{Address: c.Account, NextItemIndex: big.NewInt(0), Content: content, LastTxLT: c.LT}
			}))
		}
	})
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	storedMetadata := func() map[chain.Address]chain.Metadata {
		rows, err := db.Reader().Metadata(t.Context(), addresses)
		require.NoError(t, err)
		require.Len(t, rows, len(addresses))
		byAddress := map[chain.Address]chain.Metadata{}
		for _, m := range rows {
			byAddress[m.Address] = m
		}
		return byAddress
	}
	for _, m := range storedMetadata() {
		require.False(t, m.Indexed)
	}

	// until runs a worker until its status has reached the point.
	until := func(reached func(Status) bool) {
		w, stop := run(t, db.MetadataQueue(), allow(at))
		require.Eventually(t, func() bool { return reached(w.Status()) }, time.Minute, 5*time.Millisecond)
		stop()
	}
	until(func(s Status) bool { return s.Fetched == 2 && len(s.Failed) == 3 && s.Running == 0 })
	m := storedMetadata()
	require.Equal(t, "/master", m[addresses[0]].Name)
	require.True(t, m[addresses[0]].Valid)
	require.Empty(t, m[addresses[0]].Image, "no address has a NUL")
	require.Equal(t, reasonImage, m[addresses[0]].Reason)
	require.Equal(t, "9", m[addresses[0]].Extra["decimals"])
	require.Equal(t, "On chain", m[addresses[1]].Name)
	require.Equal(t, "refused", m[addresses[2]].Reason)
	require.False(t, m[addresses[2]].Valid)
	require.True(t, m[addresses[2]].Indexed)
	require.Equal(t, reasonContent, m[addresses[3]].Reason)

	// The next fetch is due.
	fails.Store(1)
	again := chain.MetadataJob{Address: addresses[0], Kind: chain.TokenNFTCollection, Content: contents[0]}
	require.NoError(t, db.MetadataQueue().Store(t.Context(), chain.MetadataResult{Job: again, NextTry: new(time.Now().Add(-time.Hour))}))
	until(func(s Status) bool { return s.Failed["status"] == 1 && s.Running == 0 })
	m = storedMetadata()
	require.Equal(t, "/master", m[addresses[0]].Name, "earlier metadata stays")
	require.True(t, m[addresses[0]].Valid)
	require.Equal(t, "status", m[addresses[0]].Reason)

	jobs, err := db.MetadataQueue().Next(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, jobs, "the others are finished or not yet due")
	require.Equal(t, int64(2), requests.Load())
}

// The traits of an item are found soon after its document was fetched, and those of many items that were fetched before, in batches.
func TestWorker_ReadsTraitsOfItems(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url, at := documentServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"name":"n","attributes":[{"trait_type":"Colour","value":"red"},{"trait_type":"Level","value":7}]}`)
	})
	db, collection := testdb.New(t), testdb.Address()
	mb := testdb.Master(1)
	const earlier = 2*traitBatch + 1
	var items []chain.Address
	for i := range earlier + 1 {
		items = append(items, testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
			c.NFTItem = &chain.NFTItem{Address: c.Account, Index: big.NewInt(int64(i)), Collection: &collection, LastTxLT: c.LT, Content: chain.Content{"uri": url}}
		}))
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	for _, a := range items[:earlier] {
		m := &chain.Metadata{Indexed: true, Valid: true, Extra: map[string]any{"attributes": []any{map[string]any{"trait_type": "Colour", "value": "red"}}}}
		job := chain.MetadataJob{Address: a, Kind: chain.TokenNFTItem, Content: chain.Content{"uri": url}}
		require.NoError(t, db.MetadataQueue().Store(t.Context(), chain.MetadataResult{Job: job, Metadata: m}))
	}
	_, stop := run(t, db.MetadataQueue(), allow(at))
	defer stop()
	require.Eventually(t, func() bool {
		counts, err := db.Reader().TraitCounts(t.Context(), collection)
		require.NoError(t, err)
		return len(counts) == 2 && counts[0].Values[0].Items.Count == earlier+1 && counts[1].Values[0].Items.Count == 1
	}, 60*time.Second, 20*time.Millisecond)
}
