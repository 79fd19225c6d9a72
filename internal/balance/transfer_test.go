package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

func messageOf(body *cell.Cell, bounced bool) *chain.Message {
	m := &chain.Message{Bounced: &bounced, Body: body.ToBOC()}
	if s := body.MustBeginParse(); s.BitsLeft() >= 32 {
		m.Opcode = new(uint32(s.MustLoadUInt(32)))
	}
	return m
}

// A bounced message gives back the Jettons of its original body, in both forms. Bodies of these forms count only in messages
// that bounced.
func TestParseTransfer_BouncedInBothForms(t *testing.T) {
	t.Parallel()
	sent := cell.BeginCell().MustStoreUInt(jetton.OpInternalTransfer, 32).MustStoreUInt(7, 64).MustStoreCoins(5)
	other := cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).MustStoreUInt(7, 64).MustStoreCoins(5)
	info := cell.BeginCell().EndCell()
	old := func(b *cell.Builder) *cell.Cell {
		return cell.BeginCell().MustStoreUInt(contract.OpBounce, 32).MustStoreBuilder(b).EndCell()
	}
	newer := func(b *cell.Builder) *cell.Cell {
		return cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).MustStoreRef(b.EndCell()).MustStoreRef(info).EndCell()
	}
	for name, tc := range map[string]struct {
		m     *chain.Message
		moves bool
	}{
		"sent":                   {messageOf(sent.EndCell(), false), true},
		"bounced, old form":      {messageOf(old(sent), true), true},
		"bounced, new form":      {messageOf(newer(sent), true), true},
		"imitated, old form":     {messageOf(old(sent), false), false},
		"imitated, new form":     {messageOf(newer(sent), false), false},
		"flag without the form":  {messageOf(sent.EndCell(), true), false},
		"another original body":  {messageOf(newer(other), true), false},
		"no original body":       {messageOf(cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).EndCell(), true), false},
		"an empty original body": {messageOf(newer(cell.BeginCell()), true), false},
		"an empty body":          {messageOf(cell.BeginCell().EndCell(), true), false},
	} {
		move := parseTransfer(tc.m)
		require.Equal(t, tc.moves, move != nil, name)
		if move == nil {
			continue
		}
		require.EqualValues(t, jetton.OpInternalTransfer, move.opcode, name)
		require.Equal(t, "5", move.amount.String(), name)
		require.Equal(t, *tc.m.Bounced, move.bounced, name)
	}
}
