package action_test

import (
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
)

// message makes an internal message in the form of wallet requests, its body in a reference.
func message(to byte, value uint64, body *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b0110, 4).MustStoreUInt(0, 2).MustStoreAddr(std(to)).MustStoreCoins(value).
		MustStoreBoolBit(false).MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 64+32).MustStoreBoolBit(false).
		MustStoreBoolBit(true).MustStoreRef(body).EndCell()
}

func signed() *cell.Builder { return cell.BeginCell().MustStoreSlice(make([]byte, 64), 512) }

func jettonOrder() *cell.Cell {
	return op(0x0f8a7ea5).MustStoreUInt(42, 64).MustStoreCoins(77).MustStoreAddr(std(5)).MustStoreAddr(std(1)).
		MustStoreMaybeRef(nil).MustStoreCoins(3).MustStoreBoolBit(true).MustStoreRef(textBody("hi")).EndCell()
}

// requests returns the signed request to send one message, for each version of wallet.
func requests(m *cell.Cell) map[string]*cell.Cell {
	send := func(prev *cell.Cell) *cell.Cell {
		return cell.BeginCell().MustStoreRef(prev).MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(3, 8).MustStoreRef(m).EndCell()
	}
	queue := cell.NewDict(16)
	if err := queue.Set(cell.BeginCell().MustStoreUInt(0, 16).EndCell(), cell.BeginCell().MustStoreUInt(3, 8).MustStoreRef(m).EndCell()); err != nil {
		panic(err)
	}
	telegram := func(code uint64) *cell.Builder {
		return signed().MustStoreUInt(code, 32).MustStoreUInt(1, 64).MustStoreUInt(1, 32)
	}
	return map[string]*cell.Cell{
		"Telegram": telegram(0x63896e75).MustStoreUInt(3, 8).MustStoreRef(m).EndCell(),
		"Telegram, many": telegram(0x73896e75).MustStoreUInt(1, 8).MustStoreMaybeRef(
			cell.BeginCell().MustStoreMaybeRef(nil).MustStoreUInt(3, 8).MustStoreRef(m).EndCell()).EndCell(),
		"v1": signed().MustStoreUInt(1, 32).MustStoreUInt(3, 8).MustStoreRef(m).EndCell(),
		"v2": signed().MustStoreUInt(1, 64).MustStoreUInt(3, 8).MustStoreRef(m).EndCell(),
		"v3": signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(3, 8).MustStoreRef(m).EndCell(),
		"v4": signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(0, 8).MustStoreUInt(3, 8).MustStoreRef(m).EndCell(),
		"v5": op(0x7369676e).MustStoreUInt(1, 32).MustStoreUInt(1, 64).MustStoreMaybeRef(send(cell.BeginCell().EndCell())).
			MustStoreBoolBit(false).MustStoreSlice(make([]byte, 64), 512).EndCell(),
		"highload v1": signed().MustStoreUInt(1, 32).MustStoreUInt(1, 32).MustStoreUInt(1, 32).MustStoreDict(queue).EndCell(),
		"highload v2": signed().MustStoreUInt(1, 32).MustStoreUInt(1, 64).MustStoreDict(queue).EndCell(),
		"preprocessed v2": signed().MustStoreRef(
			cell.BeginCell().MustStoreUInt(1, 64).MustStoreUInt(1, 16).MustStoreRef(send(cell.BeginCell().EndCell())).EndCell()).EndCell(),
		"highload v3": signed().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 32).MustStoreRef(m).MustStoreUInt(3, 8).EndCell()).EndCell(),
	}
}

// failedWallet builds a trace in which a wallet received a request and sent nothing.
func failedWallet(body *cell.Cell) *builder {
	b, root := external(1)
	root.In.Body, root.ExitCode = action.Parsed(body), 35
	return b
}

func TestUnsentMessages_BecomeFailedActions(t *testing.T) {
	t.Parallel()
	contracts := records{wallets: map[chain.Address]*action.JettonWallet{account(3): {Owner: account(1), Jetton: account(9)}}}
	for version, body := range requests(message(3, 100, jettonOrder())) {
		got := requireOne(t, failedWallet(body), contracts)
		require.Equal(t, "jetton_transfer", got["type"], version)
		require.Equal(t, false, got["success"], version)
		require.Equal(t, account(1).String(), got["source"])
		require.Equal(t, account(3).String(), got["source_secondary"])
		require.Equal(t, account(5).String(), got["destination"])
		require.Equal(t, account(9).String(), got["asset"])
		require.InDelta(t, 77, got["amount"], 0)
		require.Equal(t, "hi", got["jetton_transfer_data"].(map[string]any)["comment"])
		require.ElementsMatch(t, []any{account(1).String(), account(3).String()}, got["accounts"], "the destination was not reached")
		require.NotContains(t, requireOne(t, failedWallet(body), records{}), "asset")
		require.Equal(t, []chain.Address{account(3)}, action.Named(failedWallet(body).trace), "the record of the wallet is needed")
	}
	for version, body := range requests(message(3, 100, textBody("hello"))) {
		got := requireOne(t, failedWallet(body), contracts)
		require.Equal(t, "ton_transfer", got["type"], version)
		require.Equal(t, false, got["success"], version)
		require.InDelta(t, 100, got["value"], 0)
		require.Equal(t, account(3).String(), got["destination"])
		require.Equal(t, "hello", got["ton_transfer_data"].(map[string]any)["content"])
		require.Equal(t, []any{account(1).String()}, got["accounts"])
	}
	for version, body := range requests(message(3, 100, op(7).EndCell())) {
		got := requireOne(t, failedWallet(body), contracts)
		require.Equal(t, "call_contract", got["type"], version)
		require.InDelta(t, 7, got["opcode"], 0)
	}
}

func TestUnsentMessages_EqualOnesAreSeparateActions(t *testing.T) {
	t.Parallel()
	body := signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(0x0303, 16).
		MustStoreRef(message(3, 100, textBody("a"))).MustStoreRef(message(3, 100, textBody("a"))).EndCell()
	actions, err := action.Classify(failedWallet(body).trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 2)
	require.NotEqual(t, actions[0].ID, actions[1].ID, "equal messages are two actions")
}

// The positions in ids are those of the cells: the list of v5 begins with its last message.
func TestUnsentMessages_IDsHaveThePositionInTheRequest(t *testing.T) {
	t.Parallel()
	first, second := message(3, 100, textBody("a")), message(3, 200, textBody("b"))
	send := func(prev, m *cell.Cell) *cell.Cell {
		return cell.BeginCell().MustStoreRef(prev).MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(3, 8).MustStoreRef(m).EndCell()
	}
	list := send(send(cell.BeginCell().EndCell(), first), second)
	for name, tc := range map[string]struct {
		body  *cell.Cell
		order []*cell.Cell
	}{
		"v3": {
			signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(0x0303, 16).MustStoreRef(first).MustStoreRef(second).EndCell(),
			[]*cell.Cell{first, second},
		},
		"v5": {
			op(0x7369676e).MustStoreUInt(1, 32).MustStoreUInt(1, 64).MustStoreMaybeRef(list).MustStoreBoolBit(false).
				MustStoreSlice(make([]byte, 64), 512).EndCell(),
			[]*cell.Cell{second, first},
		},
	} {
		actions, err := action.Classify(failedWallet(tc.body).trace, records{})
		require.NoError(t, err)
		require.Len(t, actions, 2, name)
		ids := map[string]bool{actions[0].ID: true, actions[1].ID: true}
		for i, m := range tc.order {
			name := base64.StdEncoding.EncodeToString(m.Hash()) + strconv.Itoa(i)
			sum := sha256.Sum256([]byte(base64.StdEncoding.EncodeToString([]byte(name)) + "ton_transfer"))
			require.True(t, ids[base64.StdEncoding.EncodeToString(sum[:])], "%s: message %d", name, i)
		}
	}
}

func TestUnsentMessages_OtherTracesHaveNone(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]*cell.Cell{
		"a signature alone":      signed().EndCell(),
		"no message":             signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).EndCell(),
		"a message cut short":    signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(3, 8).MustStoreRef(op(5).EndCell()).EndCell(),
		"a list without end":     op(0x7369676e).MustStoreUInt(1, 32).MustStoreUInt(1, 64).MustStoreMaybeRef(op(1).MustStoreRef(op(2).EndCell()).EndCell()).EndCell(),
		"a message to everybody": signed().MustStoreUInt(1, 32).MustStoreUInt(3, 8).MustStoreRef(cell.BeginCell().MustStoreUInt(0b1100, 4).EndCell()).EndCell(),
		"one of two messages cut short": signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(0x0303, 16).
			MustStoreRef(message(3, 100, textBody("a"))).MustStoreRef(op(5).EndCell()).EndCell(),
		"another contract's body": op(7).EndCell(),
		"chunks without messages": signed().MustStoreUInt(0x73896e75, 32).MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(9, 8).MustStoreMaybeRef(
			cell.BeginCell().MustStoreMaybeRef(cell.BeginCell().MustStoreUInt(0, 1).EndCell()).EndCell()).EndCell(),
	} {
		require.Equal(t, "unknown", requireOne(t, failedWallet(body), records{})["type"], name)
	}
	// A log and a message to nobody are not actions; the other message is.
	for _, other := range []*cell.Cell{
		cell.BeginCell().MustStoreUInt(0b1100, 4).EndCell(),
		cell.BeginCell().MustStoreUInt(0b0110, 4).MustStoreUInt(0, 4).MustStoreCoins(5).MustStoreUInt(0, 1+4+4+64+32+2).EndCell(),
	} {
		body := signed().MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(0x0303, 16).
			MustStoreRef(other).MustStoreRef(message(3, 100, textBody("a"))).EndCell()
		require.Equal(t, "ton_transfer", requireOne(t, failedWallet(body), records{})["type"])
	}
	// After a wallet has sent a message, the others are not reported.
	b := failedWallet(requests(message(3, 100, textBody("a")))["v4"])
	b.send(b.trace.Transactions[0], 3, 100, textBody("a"))
	require.Equal(t, true, requireOne(t, b, records{})["success"])
}

// Many messages of a request may share one body: actions are made of the first messages, up to a bound.
func TestUnsentMessages_SharedLargeBodiesAreBounded(t *testing.T) {
	t.Parallel()
	queue := cell.NewDict(16)
	for i := range uint64(250) {
		m := message(3, 100+i, cellgraphtest.Chain(500, nil))
		require.NoError(t, queue.Set(cell.BeginCell().MustStoreUInt(i, 16).EndCell(), cell.BeginCell().MustStoreUInt(3, 8).MustStoreRef(m).EndCell()))
	}
	body := signed().MustStoreUInt(1, 32).MustStoreUInt(1, 64).MustStoreDict(queue).EndCell()
	actions, err := action.Classify(failedWallet(body).trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 32_768/501)
}

// Dictionaries of a request may share branches and so have 2^n entries.
func TestUnsentMessages_SharedBranchesAreBounded(t *testing.T) {
	t.Parallel()
	amounts := cellgraphtest.Dict(32, cell.BeginCell().MustStoreBigVarUInt(big.NewInt(1), 32))
	m := cell.BeginCell().MustStoreUInt(0b0110, 4).MustStoreUInt(0, 2).MustStoreAddr(std(2)).MustStoreCoins(5).
		MustStoreMaybeRef(amounts).MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 64+32).MustStoreBoolBit(false).
		MustStoreBoolBit(true).MustStoreRef(cellgraphtest.Shared(100, nil)).EndCell()
	for name, body := range requests(m) {
		require.NotEmpty(t, requireOne(t, failedWallet(body), records{})["type"], name)
	}
	unreadable := signed().MustStoreUInt(1, 32).MustStoreUInt(1, 64).MustStoreMaybeRef(cellgraphtest.Dict(16, cell.BeginCell()))
	require.Equal(t, "unknown", requireOne(t, failedWallet(unreadable.EndCell()), records{})["type"])
}

// A bulk request to Telegram's wallet is a chain of cells, each with up to three messages.
func TestUnsentMessages_ChainsOfChunksAreBounded(t *testing.T) {
	t.Parallel()
	var chunk *cell.Cell
	for range 100 {
		b := cell.BeginCell().MustStoreMaybeRef(chunk)
		for range 3 {
			b.MustStoreUInt(3, 8).MustStoreRef(message(3, 100, op(7).EndCell()))
		}
		chunk = b.EndCell()
	}
	body := signed().MustStoreUInt(0x73896e75, 32).MustStoreUInt(1, 64).MustStoreUInt(1, 32).MustStoreUInt(255, 8).MustStoreMaybeRef(chunk).EndCell()
	actions, err := action.Classify(failedWallet(body).trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 255)
}
