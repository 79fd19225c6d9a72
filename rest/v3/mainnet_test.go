package v3_test

import (
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// A block of the main network that was decoded, replayed and indexed equals the output of another parser.
func TestMainnetBlock_EqualsAnotherParser(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m, err := decode.MasterBlock(t.Context(), fat.Raw)
	require.NoError(t, err)
	stats, err := replay.New(replay.NewNetwork(fat), replay.Options{}).Run(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, fat.TxCount, stats.Replayed)
	db := testdb.New(t)
	require.NoError(t, db.Writer().Apply(t.Context(), m.MasterBlock))
	d := open(t, db)

	body := d.get(fmt.Sprintf("/transactionsByMasterchainBlock?seqno=%d&limit=1000", m.Block.Seqno))
	printed := map[string]map[string]any{}
	for _, row := range body["transactions"].([]any) {
		tx := row.(map[string]any)
		printed[tx["hash"].(string)] = tx
	}
	var parsed tlb.Block
	require.NoError(t, tlb.Parse(&parsed, fat.Raw.Shards[0].Root))
	want, err := parsed.ListTransactions()
	require.NoError(t, err)
	require.Len(t, want, fat.TxCount)
	require.Len(t, printed, fat.TxCount)
	for _, tx := range want {
		got := printed[chain.HashFrom(tx.Hash).String()]
		require.NotNil(t, got)
		sameTransaction(t, tx, got)
	}
	pinClasses(t, body["transactions"].([]any))
}

func sameTransaction(t *testing.T, want *tlb.Transaction, got map[string]any) {
	t.Helper()
	require.Equal(t, chain.Address{ID: chain.HashFrom(want.AccountAddr)}.String(), got["account"])
	require.Equal(t, strconv.FormatUint(want.LT, 10), got["lt"])
	require.EqualValues(t, want.Now, got["now"])
	require.Equal(t, want.TotalFees.Coins.Nano().String(), got["total_fees"])
	require.Equal(t, chain.HashFrom(want.PrevTxHash).String(), got["prev_trans_hash"])
	require.Equal(t, strconv.FormatUint(want.PrevTxLT, 10), got["prev_trans_lt"])
	require.Equal(t, base64.StdEncoding.EncodeToString(want.StateUpdate.OldHash), got["account_state_before"].(map[string]any)["hash"])
	require.Equal(t, base64.StdEncoding.EncodeToString(want.StateUpdate.NewHash), got["account_state_after"].(map[string]any)["hash"])
	require.NotNil(t, got["account_state_before"].(map[string]any)["account_status"], "every state of this block is indexed")
	require.NotNil(t, got["account_state_after"].(map[string]any)["account_status"])
	sameDescription(t, want.Description, got["description"].(map[string]any))
	if want.IO.In == nil {
		require.Nil(t, got["in_msg"])
	} else {
		sameMessage(t, want.IO.In, got["in_msg"].(map[string]any))
	}
	outs := got["out_msgs"].([]any)
	require.Len(t, outs, int(want.OutMsgCount))
	if want.IO.Out == nil {
		return
	}
	list, err := want.IO.Out.ToSlice()
	require.NoError(t, err)
	for i := range list {
		sameMessage(t, &list[i], outs[i].(map[string]any))
	}
}

func sameDescription(t *testing.T, want any, got map[string]any) {
	t.Helper()
	d, ok := want.(tlb.TransactionDescriptionOrdinary)
	require.True(t, ok, "%T", want)
	require.Equal(t, "ord", got["type"])
	require.Equal(t, d.Aborted, got["aborted"])
	require.Equal(t, d.Destroyed, got["destroyed"])
	require.Equal(t, d.CreditFirst, got["credit_first"])
	compute := got["compute_ph"].(map[string]any)
	if vm, ok := d.ComputePhase.Phase.(tlb.ComputePhaseVM); ok {
		require.Equal(t, false, compute["skipped"])
		require.Equal(t, vm.Success, compute["success"])
		require.Equal(t, vm.GasFees.Nano().String(), compute["gas_fees"])
		require.Equal(t, vm.Details.GasUsed.String(), compute["gas_used"])
		require.Equal(t, vm.Details.GasLimit.String(), compute["gas_limit"])
		require.EqualValues(t, vm.Details.ExitCode, compute["exit_code"])
		require.EqualValues(t, vm.Details.VMSteps, compute["vm_steps"])
	} else {
		require.Equal(t, true, compute["skipped"])
	}
	require.Equal(t, d.ActionPhase != nil, got["action"] != nil)
	if a := d.ActionPhase; a != nil {
		action := got["action"].(map[string]any)
		require.Equal(t, a.Success, action["success"])
		require.EqualValues(t, a.ResultCode, action["result_code"])
		require.EqualValues(t, a.MessagesCreated, action["msgs_created"])
		require.Equal(t, base64.StdEncoding.EncodeToString(a.ActionListHash), action["action_list_hash"])
	}
	require.Equal(t, d.BouncePhase != nil, got["bounce"] != nil)
}

func sameMessage(t *testing.T, want *tlb.Message, got map[string]any) {
	t.Helper()
	content := got["message_content"].(map[string]any)
	boc, err := base64.StdEncoding.DecodeString(content["body"].(string))
	require.NoError(t, err)
	body, err := cell.FromBOC(boc)
	require.NoError(t, err)
	require.Equal(t, want.Msg.Payload().Hash(), body.Hash())
	require.Equal(t, chain.HashFrom(body.Hash()).String(), content["hash"])
	switch msg := want.Msg.(type) {
	case *tlb.InternalMessage:
		require.Equal(t, msg.Amount.Nano().String(), got["value"])
		require.Equal(t, msg.FwdFee.Nano().String(), got["fwd_fee"])
		require.Equal(t, strconv.FormatUint(msg.CreatedLT, 10), got["created_lt"])
		require.Equal(t, msg.Bounce, got["bounce"])
		require.Equal(t, msg.Bounced, got["bounced"])
		require.Equal(t, friendlyToRaw(t, msg.DstAddr.String()), got["destination"])
		require.Equal(t, friendlyToRaw(t, msg.SrcAddr.String()), got["source"])
	case *tlb.ExternalMessage:
		require.Nil(t, got["source"])
		require.Nil(t, got["value"])
		require.Equal(t, friendlyToRaw(t, msg.DstAddr.String()), got["destination"])
	case *tlb.ExternalMessageOut:
		require.Nil(t, got["destination"])
		require.Equal(t, strconv.FormatUint(msg.CreatedLT, 10), got["created_lt"])
	default:
		t.Fatalf("message %T", want.Msg)
	}
}

func friendlyToRaw(t *testing.T, friendly string) string {
	t.Helper()
	a, err := chain.ParseAddress(friendly)
	require.NoError(t, err)
	return a.String()
}

// pinClasses compares the first transaction of every class in the block with a golden file.
func pinClasses(t *testing.T, rows []any) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range rows {
		tx := row.(map[string]any)
		if class := classOf(tx); !seen[class] {
			seen[class] = true
			pin(t, "mainnet_"+class, tx)
		}
	}
	require.Greater(t, len(seen), 3)
}

// classOf returns the class of a transaction: how it was started, and the success of its phases.
func classOf(tx map[string]any) string {
	class := "tick"
	if in, ok := tx["in_msg"].(map[string]any); ok {
		class = "internal"
		if in["source"] == nil {
			class = "external"
		}
	}
	d := tx["description"].(map[string]any)
	if compute := d["compute_ph"].(map[string]any); compute["skipped"] == true {
		class += "_" + compute["reason"].(string)
	} else if compute["success"] != true {
		class += "_failed"
	}
	if action, ok := d["action"].(map[string]any); ok && action["success"] != true {
		class += "_action_failed"
	}
	if d["bounce"] != nil {
		class += "_bounced"
	}
	if tx["orig_status"] != tx["end_status"] {
		class += "_" + tx["orig_status"].(string) + "_" + tx["end_status"].(string)
	}
	if len(tx["out_msgs"].([]any)) == 0 {
		class += "_silent"
	}
	return class
}

// pin compares a value with testdata/name.json; the flag -update rewrites it.
func pin(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	require.NoError(t, err)
	path := filepath.Join("testdata", name+".json")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(text))
}

// Blocks of several years are printed, each transaction once, and messages are found by their hashes.
func TestMainnetBlocks_EachTransactionIsPrintedOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	d := open(t, db)
	for i, rec := range mainnet.Blocks(t) {
		m, err := decode.MasterBlock(t.Context(), mainnet.Frame(t, uint32(i+1), rec.Raw))
		require.NoError(t, err)
		require.NoError(t, db.Writer().Apply(t.Context(), m.MasterBlock), rec.Name)
		path := fmt.Sprintf("/transactionsByMasterchainBlock?seqno=%d&limit=1000", m.Block.Seqno)
		hashes := map[string]bool{}
		for _, row := range d.get(path)["transactions"].([]any) {
			tx := row.(map[string]any)
			hashes[tx["hash"].(string)] = true
			for _, msg := range tx["out_msgs"].([]any) {
				require.Equal(t, tx["hash"], msg.(map[string]any)["out_msg_tx_hash"])
			}
		}
		require.Equal(t, rec.TxCount, len(hashes), rec.Name) //nolint:testifylint // Len would print them all
		for n := 0; n < len(m.Messages); n += 50 {
			rows := d.get("/messages?msg_hash=" + m.Messages[n].Hash.Hex())["messages"].([]any)
			require.NotEmpty(t, rows, rec.Name)
			require.Equal(t, m.Messages[n].Hash.String(), rows[0].(map[string]any)["hash"])
		}
	}
}
