package action_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/contract"
)

// renew gives the bounced messages of a trace the body that they have when their sender requested the new form, and returns
// their number.
func renew(t *testing.T, trace *action.Trace) int {
	t.Helper()
	info := cell.BeginCell().MustStoreCoins(1).MustStoreBoolBit(false).MustStoreUInt(5, 64).MustStoreUInt(6, 32).EndCell()
	changed := map[*action.Message]bool{}
	rewrite := func(m *action.Message) {
		if m == nil || !m.Bounced || changed[m] || m.Opcode == nil || *m.Opcode != contract.OpBounce {
			return
		}
		original, err := m.Body.Cell().BeginParse()
		require.NoError(t, err)
		original.MustLoadUInt(32)
		m.Opcode = new(uint32(contract.OpNewBounce))
		m.Body = action.Parsed(op(contract.OpNewBounce).MustStoreRef(original.MustToCell()).MustStoreRef(info).MustStoreUInt(1, 8).
			MustStoreInt(9, 32).MustStoreBoolBit(true).MustStoreUInt(1000, 32).MustStoreUInt(20, 32).EndCell())
		changed[m] = true
	}
	for _, tx := range trace.Transactions {
		rewrite(tx.In)
		for _, m := range tx.Out {
			rewrite(m)
		}
	}
	return len(changed)
}

// The form of a bounced message changes nothing but the opcode of a call that no kind contains.
func TestRecordedTraces_BouncesInTheNewFormHaveTheSameActions(t *testing.T) {
	t.Parallel()
	bounces := 0
	for _, name := range traceFiles(t) {
		trace, records := readTrace(t, name)
		want, err := action.Classify(trace, records)
		require.NoError(t, err)
		trace, records = readTrace(t, name)
		renewed := renew(t, trace)
		if renewed == 0 {
			continue
		}
		bounces += renewed
		got, err := action.Classify(trace, records)
		require.NoError(t, err)
		wanted, err := json.Marshal(want)
		require.NoError(t, err)
		have, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, strings.ReplaceAll(string(wanted), "4294967295", "4294967294"), string(have), name)
	}
	require.Greater(t, bounces, 5)
}

// Kinds in whose state machine a bounce is a transition, in both forms.
func TestBounces_BothFormsEndTheSameStates(t *testing.T) {
	t.Parallel()
	refused := func() *exchange {
		m := newExchange()
		m.dedustCreate(m.dedustCoins(40), 40, 100)
		pool := m.dedustAll(m.dedustCreate(m.dedustJettons(100), 40, 100), 40, 100)
		m.dedustReturn(m.bounce(m.abort(pool)), 40, 100)
		return m
	}
	want := refused().rows(t, "dex_deposit_liquidity")
	require.Len(t, want, 1)
	m := refused()
	require.Equal(t, 1, renew(t, m.trace))
	got := m.rows(t, "dex_deposit_liquidity")
	require.Equal(t, want, got)
}

// Only the protocol sends the new form: a contract that imitates it makes an ordinary call.
func TestBounces_ImitationOfTheNewFormIsACall(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		bounced bool
		body    *cell.Cell
		rows    int
	}{
		"bounced":               {true, op(contract.OpNewBounce).MustStoreRef(op(7).EndCell()).EndCell(), 1},
		"bounced and malformed": {true, op(contract.OpNewBounce).EndCell(), 1},
		"imitated":              {false, op(contract.OpNewBounce).MustStoreRef(op(7).EndCell()).EndCell(), 2},
	} {
		b, root := external(1)
		item := b.send(root, 4, 1000, op(0x4eb1f0f9).MustStoreUInt(1, 64).MustStoreSlice(make([]byte, 32), 256).EndCell())
		item.Aborted = true
		b.send(item, 1, 900, tc.body).In.Bounced = tc.bounced
		actions, err := action.Classify(b.trace, allRecords{})
		require.NoError(t, err)
		require.Len(t, actions, tc.rows, name)
	}
}
