package disassembly_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/disassembly"
)

func nameOf(id int32) string {
	for _, name := range []string{"seqno", "get_public_key"} {
		if contract.MethodID(name) == id {
			return name
		}
	}
	return ""
}

func text(t *testing.T, code *cell.Cell) string {
	t.Helper()
	d := disassembly.Disassemble(code, nameOf, disassembly.DefaultLimits)
	require.True(t, d.Complete)
	return d.Text
}

func asm(t *testing.T, instructions string, refs ...*cell.Cell) *cell.Cell {
	t.Helper()
	raw, err := hex.DecodeString(instructions)
	require.NoError(t, err)
	b := cell.BeginCell().MustStoreSlice(raw, uint(len(raw))*8)
	for _, ref := range refs {
		b.MustStoreRef(ref)
	}
	return b.EndCell()
}

func TestDisassemble_NamesMethodsAndTheirInstructions(t *testing.T) {
	t.Parallel()
	got := text(t, contracttest.Code(map[string]*cell.Cell{"seqno": contracttest.Asm("30ed44d0d31f30")}))
	require.Equal(t, `0 SETCP
{
  0 => // recv_internal
  <{
    DROP
  }>
  85143 => // seqno
  <{
    DROP
    c4 PUSH
    CTOS
    32 LDU
    DROP
  }>
} 19 DICTPUSHCONST
DICTIGETJMPZ
11 THROWARG
`, got)
}

func TestDisassemble_WritesOperands(t *testing.T) {
	t.Parallel()
	body := asm(t, "30")
	for name, c := range map[string]struct {
		code *cell.Cell
		want string
	}{
		"small continuation":               {asm(t, "913071"), "<{\n  DROP\n}> PUSHCONT\n1 PUSHINT\n"},
		"large continuation":               {asm(t, "8e0330db31"), "<{\n  DROP\n  RETALT\n}> PUSHCONT\n"},
		"continuation by reference":        {asm(t, "8a31", body), "<{\n  DROP\n}> PUSHREFCONT\nNIP\n"},
		"branch by reference":              {asm(t, "e300", body), "<{\n  DROP\n}> IFREF\n"},
		"both branches":                    {asm(t, "e30f", body, asm(t, "31")), "<{\n  DROP\n}>\n<{\n  NIP\n}> IFREFELSEREF\n"},
		"slice":                            {asm(t, "8b1c08"), "x{C0} PUSHSLICE\n"},
		"cell":                             {asm(t, "88", body), fmt.Sprintf("x{30} // cell %x\nPUSHREF\n", body.Hash())},
		"rest in a reference":              {asm(t, "30", asm(t, "31")), "DROP\n// continues in the next cell\nNIP\n"},
		"no instruction":                   {asm(t, "f500"), "x{F500} // not an instruction\n"},
		"bits of an instruction that ends": {asm(t, "82"), "x{82} // not an instruction\n"},
		"prefix":                           {asm(t, "d72801"), "x{2_} SDBEGINS\n"},
	} {
		require.Equal(t, c.want, text(t, c.code), name)
	}
}

// Each contract of a block of the main network is written completely.
func TestDisassemble_ContractsOfTheMainNetworkAreInstructions(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	seen := map[string]bool{}
	for _, address := range fat.Accounts() {
		raw, err := fat.Account(t.Context(), chain.BlockIDExt{BlockID: fat.Parent}, address)
		require.NoError(t, err)
		var account tlb.AccountState
		if raw.Root == nil || account.LoadFromCell(raw.Root.MustBeginParse()) != nil || account.StateInit == nil || account.StateInit.Code == nil {
			continue
		}
		code := account.StateInit.Code
		if seen[string(code.Hash())] {
			continue
		}
		seen[string(code.Hash())] = true
		d := disassembly.Disassemble(code, nameOf, disassembly.DefaultLimits)
		require.True(t, d.Complete, "%s", address)
		require.NotContains(t, d.Text, "not an instruction", "%s", address)
	}
	require.Greater(t, len(seen), 10)
}

func TestDisassemble_HostileCodeEndsAtTheLimits(t *testing.T) {
	t.Parallel()
	// Four branches each to the next cell, 60 levels deep: 4^60 instructions.
	branches := asm(t, "30")
	for range 60 {
		branches = asm(t, "db3cdb3cdb3cdb3c", branches, branches, branches, branches)
	}
	endless := cell.BeginCell().MustStoreSlice([]byte{0xF4, 0xA4, 0x13, 0xF4, 0xBC}, 40).
		MustStoreRef(cellgraphtest.Dict(19, cell.BeginCell().MustStoreUInt(0x30, 8))).EndCell()
	for name, code := range map[string]*cell.Cell{
		"shared branches":   branches,
		"endless methods":   endless,
		"a chain of cells":  cellgraphtest.Chain(900, cell.BeginCell().MustStoreUInt(0x30, 8)),
		"shared constants":  asm(t, "88", branches),
		"shared dictionary": asm(t, "f4a420", branches),
	} {
		start := time.Now()
		d := disassembly.Disassemble(code, nil, disassembly.DefaultLimits)
		require.Less(t, time.Since(start), 5*time.Second, name)
		require.LessOrEqual(t, d.Instructions, disassembly.DefaultLimits.Instructions, name)
		require.Less(t, len(d.Text), disassembly.DefaultLimits.Bytes+1024, name)
	}
	require.False(t, disassembly.Disassemble(branches, nil, disassembly.DefaultLimits).Complete)
	require.False(t, disassembly.Disassemble(endless, nil, disassembly.DefaultLimits).Complete)
	short := disassembly.Disassemble(asm(t, "303030"), nil, disassembly.Limits{Instructions: 2, Depth: 1, Bytes: 100})
	require.Equal(t, strings.Repeat("DROP\n", 2)+"// the code continues\n", short.Text)
}

func FuzzDisassemble_EndsAtTheLimits(f *testing.F) {
	f.Add([]byte{0x91, 0x30, 0x71}, uint8(0))
	f.Add([]byte{0xF4, 0xA4, 0x13, 0xF4, 0xBC}, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, refs uint8) {
		b := cell.BeginCell().MustStoreSlice(data[:min(len(data), 127)], uint(min(len(data), 127))*8)
		for range refs % 5 {
			b.MustStoreRef(cell.BeginCell().MustStoreSlice(data[:min(len(data), 9)], uint(min(len(data), 9))*8).EndCell())
		}
		limits := disassembly.Limits{Instructions: 2000, Depth: 16, Bytes: 1 << 16}
		d := disassembly.Disassemble(b.EndCell(), nil, limits)
		require.LessOrEqual(t, d.Instructions, limits.Instructions)
	})
}
