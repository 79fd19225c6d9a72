package chain_test

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestCursor_RoundTripsForEveryList(t *testing.T) {
	t.Parallel()
	block := &chain.Block{GenUtime: 1_700_000_000}
	block.BlockID = chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: 7}
	tx := &chain.Transaction{Account: chain.Address{Workchain: -1, ID: chain.Hash{9}}, LT: 1 << 62}
	key := chain.MessageKey{Account: tx.Account, LT: 7}
	external := &chain.Message{Key: key}
	internal := &chain.Message{Key: key, CreatedLT: &key.LT}
	changed := &chain.Message{Key: key, CreatedLT: new(uint64(5))}
	for _, m := range []*chain.Message{external, internal, changed} {
		require.Equal(t, key, m.Cursor().MessageKey())
	}
	require.Equal(t, external.Cursor(), internal.Cursor())
	require.Equal(t, uint64(5), changed.Cursor().Major, "the list is in the order of the LTs at which messages were created")
	for _, c := range []chain.Cursor{block.Cursor(), tx.Cursor(), external.Cursor(), changed.Cursor()} {
		c.McSeqno = 42
		got, err := chain.ParseCursor(c.String(), c.ListKind)
		require.NoError(t, err)
		require.Equal(t, c, got)
	}
	require.Equal(t, block.BlockID, block.Cursor().BlockID())
}

func TestParseCursor_RefusesMalformedText(t *testing.T) {
	t.Parallel()
	good := (&chain.Transaction{LT: 5}).Cursor().String()
	changed := []byte(good)
	changed[5] ^= 3
	later, err := base64.RawURLEncoding.DecodeString(good)
	require.NoError(t, err)
	later = later[:len(later)-4]
	later[0]++
	for name, text := range map[string]string{
		"empty":              "",
		"changed":            string(changed),
		"cut":                good[:len(good)-2],
		"with a line break":  good[:9] + "\n" + good[9:],
		"long":               strings.Repeat("A", 200),
		"of another list":    (&chain.Message{}).Cursor().String(),
		"no cursor":          "page=2",
		"of another length":  chain.Cursor{ListKind: chain.TransactionList, Minor: strings.Repeat("x", chain.AddressSize+1)}.String(),
		"of a later version": base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(later, crc32.ChecksumIEEE(later))),
		"of no length":       chain.Cursor{ListKind: chain.TransactionList}.String(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := chain.ParseCursor(text, chain.TransactionList)
			require.Equal(t, chain.Invalid, chain.KindOf(err))
		})
	}
}

func TestConnect_FlagsTheNextAndThePreviousPage(t *testing.T) {
	t.Parallel()
	rows := func(lts ...uint64) (out []*chain.Transaction) {
		for _, lt := range lts {
			out = append(out, &chain.Transaction{LT: lt})
		}
		return out
	}
	lts := func(c *chain.TransactionConnection) (out []uint64) {
		for _, n := range c.Nodes() {
			out = append(out, n.LT)
		}
		return out
	}
	position := (&chain.Transaction{LT: 9}).Cursor()

	first := chain.Connect(rows(5, 4, 3), chain.Page{Limit: 2}, 1)
	require.Equal(t, []uint64{5, 4}, lts(first))
	require.True(t, first.PageInfo.HasNextPage)
	require.False(t, first.PageInfo.HasPreviousPage)

	next := chain.Connect(rows(3), chain.Page{Limit: 2, After: &position}, 1)
	require.False(t, next.PageInfo.HasNextPage)
	require.True(t, next.PageInfo.HasPreviousPage)

	before := chain.Connect(rows(12, 11, 10), chain.Page{Limit: 2, Before: &position, Last: true}, 1)
	require.Equal(t, []uint64{11, 10}, lts(before))
	require.True(t, before.PageInfo.HasPreviousPage)
	require.True(t, before.PageInfo.HasNextPage)

	empty := chain.Connect(rows(), chain.Page{Limit: 2}, 1)
	require.Nil(t, empty.PageInfo.EndCursor)
	require.False(t, empty.PageInfo.HasNextPage)
}

func FuzzParseCursor_RoundTrips(f *testing.F) {
	f.Add((&chain.Transaction{LT: 5}).Cursor().String())
	f.Add((&chain.Block{}).Cursor().String())
	f.Add("")
	f.Add("\r\n" + (&chain.Transaction{LT: 5}).Cursor().String())
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []chain.ListKind{chain.BlockList, chain.TransactionList, chain.MessageList, chain.AccountList} {
			c, err := chain.ParseCursor(s, kind)
			if err != nil {
				require.Equal(t, chain.Invalid, chain.KindOf(err))
				continue
			}
			require.Equal(t, s, c.String())
		}
	})
}
