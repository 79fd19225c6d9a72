package v3_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
)

// Burns of one LT are ordered by their wallets in both sort directions, and pages do not overlap within a tie.
func TestJettonBurns_TiesOfOneLTAreOrderedByWallet(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for k := uint32(marketMc); k < marketMc+2; k++ {
		mb := testdb.Master(k, func(mb *chain.MasterBlock) {
			for _, wallet := range []string{"W3", "W1", "W2"} {
				mb.JettonBurns = append(mb.JettonBurns, chain.JettonBurn{
					Owner: at("A1"), JettonWallet: at(wallet), Jetton: at("M1"), Amount: big.NewInt(1),
					TxHash: chaintest.Tx.Hash(wallet[1], mb.Block.Seqno), TxLT: mb.Block.StartLT + 4, TxNow: mb.Block.GenUtime,
				})
			}
		})
		require.NoError(t, db.Writer().Apply(t.Context(), mb))
	}
	d := open(t, db)
	for _, path := range []string{"/jetton/burns?sort=asc", "/jetton/burns?sort=desc", "/jetton/burns?sort=desc&start_utime=1"} {
		burns := d.get(path)["jetton_burns"]
		require.Equal(t, "W1 W2 W3 W1 W2 W3", labels(burns, "jetton_wallet"), path)
		d.requirePages(path, "2")
		for offset, want := range map[string]string{"1": "W2 W3", "2": "W3 W1", "4": "W2 W3"} {
			require.Equal(t, want, labels(d.get(path + "&limit=2&offset=" + offset)["jetton_burns"], "jetton_wallet"), path)
		}
	}
}
