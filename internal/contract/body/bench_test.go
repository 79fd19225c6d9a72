package body

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// BenchmarkAppendContent decodes serialized bodies as the records of messages do.
func BenchmarkAppendContent(b *testing.B) {
	transfer := empty().MustStoreUInt(0x0f8a7ea5, 32).MustStoreUInt(5, 64).MustStoreCoins(1000).MustStoreAddr(alice).MustStoreAddr(bob).
		MustStoreBoolBit(false).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(comment("hi")).EndCell()
	wallet := signed().MustStoreUInt(1, 32).MustStoreUInt(2, 32).MustStoreUInt(3, 32).MustStoreUInt(0, 8).MustStoreUInt(3, 8).MustStoreRef(message()).EndCell()
	w5 := w5Request(b, empty().MustStoreUInt(0x7369676e, 32)).EndCell()
	swap := empty().MustStoreUInt(0xea06185d, 32).MustStoreUInt(5, 64).MustStoreCoins(1000).MustStoreAddr(alice).MustStoreUInt(0, 1).MustStoreCoins(1).MustStoreUInt(0, 1).
		MustStoreRef(empty().MustStoreUInt(8, 32).MustStoreAddr(bob).MustStoreUInt(0, 2).MustStoreUInt(0, 2).EndCell()).EndCell()
	for _, c := range []struct {
		name  string
		root  *cell.Cell
		place Place
		read  bool
	}{
		{"comment", comment("a text of usual length"), Inside, true},
		{"excess", empty().MustStoreUInt(0xd53276db, 32).MustStoreUInt(1, 64).EndCell(), Inside, true},
		{"jetton transfer", transfer, Inside, true},
		{"wallet v4", wallet, Incoming, true},
		{"wallet v5", w5, Incoming, true},
		{"swap", swap, Inside, true},
		{"unknown opcode", empty().MustStoreUInt(0x12345678, 32).MustStoreUInt(1, 64).EndCell(), Inside, false},
		{"hostile", branching(9), Inside, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			boc := c.root.ToBOC()
			buf := make([]byte, 0, 8<<10)
			b.ReportAllocs()
			for b.Loop() {
				_, ok := AppendContent(buf, boc, c.place)
				require.Equal(b, c.read, ok)
			}
		})
	}
}
