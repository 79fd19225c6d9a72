package lite

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// dispatchDict builds a dispatch queue: for each account its messages by LT. The
// forks of the dictionary lack their augmentation, which the reader does not use.
func dispatchDict(t *testing.T, accounts map[byte][]uint64) (*cell.Cell, map[uint64][]byte) {
	t.Helper()
	root, hashes := cell.NewDict(256), map[uint64][]byte{}
	for account, lts := range accounts {
		messages := cell.NewDict(64)
		for _, lt := range lts {
			msg, err := tlb.ToCell(&tlb.InternalMessage{
				IHRDisabled: true,
				SrcAddr:     address.NewAddress(0, 0, bytes.Repeat([]byte{account}, 32)),
				DstAddr:     absent,
				CreatedLT:   lt,
				Body:        cell.BeginCell().EndCell(),
			})
			require.NoError(t, err)
			hashes[lt] = msg.Hash()
			// msg_envelope#4 cur_addr and next_addr of 96 bits, fee 0
			env := cell.BeginCell().MustStoreUInt(4, 4).MustStoreUInt(96, 8).MustStoreUInt(96, 8).
				MustStoreCoins(0).MustStoreRef(msg).EndCell()
			require.NoError(t, messages.Set(uintKey(lt, 64), cell.BeginCell().MustStoreUInt(lt, 64).MustStoreRef(env).EndCell()))
		}
		value := cell.BeginCell().MustStoreUInt(lts[0], 64).MustStoreDict(messages).MustStoreUInt(uint64(len(lts)), 48).EndCell()
		require.NoError(t, root.Set(bytesKey(bytes.Repeat([]byte{account}, 32)), value))
	}
	return root.AsCell(), hashes
}

func TestDispatchQueue_ListsMessagesInOrder(t *testing.T) {
	t.Parallel()
	root, hashes := dispatchDict(t, map[byte][]uint64{1: {10, 20, 30}, 2: {15}, 7: {5, 50}})
	account := func(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }
	for name, c := range map[string]struct {
		from  byte
		after uint64
		walk  dispatchWalk
		want  []uint64
		done  bool
	}{
		"all":                      {0, 0, dispatchWalk{limit: 64}, []uint64{10, 20, 30, 15, 5, 50}, true},
		"behind an LT":             {1, 10, dispatchWalk{limit: 64}, []uint64{20, 30, 15, 5, 50}, true},
		"one account":              {1, 0, dispatchWalk{limit: 64, one: true}, []uint64{10, 20, 30}, true},
		"an account without":       {3, 0, dispatchWalk{limit: 64, one: true}, nil, true},
		"a page":                   {0, 0, dispatchWalk{limit: 2}, []uint64{10, 20}, false},
		"a page to an account end": {0, 0, dispatchWalk{limit: 3}, []uint64{10, 20, 30}, false},
		"behind the last account":  {8, 0, dispatchWalk{limit: 64}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := c.walk
			require.NoError(t, w.run(root, account(c.from), c.after))
			require.Equal(t, c.done, w.complete)
			require.Len(t, w.messages, len(c.want))
			for i, lt := range c.want {
				require.Equal(t, lt, w.messages[i].LT)
				require.Equal(t, hashes[lt], w.messages[i].Hash)
				require.Equal(t, hashes[lt], w.roots[i].Hash())
				require.EqualValues(t, -1, w.messages[i].Metadata.Depth, "this envelope records nothing")
				require.Equal(t, uint64(math.MaxUint64), w.messages[i].Metadata.InitiatorLT)
			}
		})
	}
}

func TestDispatchQueue_AccountHasItsRangeOfLTs(t *testing.T) {
	t.Parallel()
	root, _ := dispatchDict(t, map[byte][]uint64{1: {10, 20, 30}})
	key, v, err := nearest(root, bytesKey(make([]byte, 32)), 256, true, true)
	require.NoError(t, err)
	info, err := openDispatchAccount(key, v)
	require.NoError(t, err)
	require.EqualValues(t, 3, info.Size)
	require.EqualValues(t, 10, info.MinLT)
	require.EqualValues(t, 30, info.MaxLT)
}
