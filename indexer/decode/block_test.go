package decode_test

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

func TestMasterBlock_MainnetBlocksEqualOtherParsers(t *testing.T) {
	t.Parallel()
	for _, rec := range mainnet.Blocks(t) {
		t.Run(rec.Name, func(t *testing.T) {
			t.Parallel()
			m, err := decode.MasterBlock(t.Context(), rec.Master(t))
			require.NoError(t, err)
			require.Len(t, m.Transactions, rec.TxCount)
			require.Len(t, m.BOCs, rec.TxCount)
			require.Len(t, m.Cells, rec.TxCount)
			requireOrder(t, m)
			requireEqualsLibrary(t, rec, m)
			if rec.Expected != "" {
				requireEqualsRecording(t, rec, m)
			}
		})
	}
}

// requireOrder checks the documented order of rows, and that their keys are unique.
func requireOrder(t *testing.T, m *decode.Master) {
	t.Helper()
	keys := map[chain.MessageKey]bool{}
	for _, msg := range m.Messages {
		require.False(t, keys[msg.Key], "two rows for message %v", msg.Key)
		keys[msg.Key] = true
		require.True(t, msg.SentBy != nil || msg.ReceivedBy != nil)
	}
	for i := range m.Transactions {
		tx := &m.Transactions[i]
		if tx.InMsg != nil {
			require.True(t, keys[*tx.InMsg], "in-message of %s %d", tx.Account, tx.LT)
		}
		for n := range tx.OutMsgCount {
			require.True(t, keys[chain.MessageKey{Account: tx.Account, LT: tx.LT + 1 + uint64(n)}])
		}
		if i > 0 && m.BlockOf[i] == m.BlockOf[i-1] {
			prev := &m.Transactions[i-1]
			require.True(t, prev.LT < tx.LT || prev.LT == tx.LT && prev.Account.Compare(tx.Account) < 0)
		}
	}
}

// requireEqualsLibrary compares with tonutils-go's reflective parser, field by field.
func requireEqualsLibrary(t *testing.T, rec mainnet.Recording, m *decode.Master) {
	t.Helper()
	var b tlb.Block
	require.NoError(t, tlb.Parse(&b, rec.Raw.Root))
	row := m.Headers[len(m.Headers)-1].Block
	require.Equal(t, b.BlockInfo.SeqNo, row.Seqno)
	require.Equal(t, b.BlockInfo.GenUtime, row.GenUtime)
	require.Equal(t, b.BlockInfo.StartLt, row.StartLT)
	require.Equal(t, b.BlockInfo.EndLt, row.EndLT)
	require.Equal(t, b.BlockInfo.PrevKeyBlockSeqno, row.PrevKeyBlockSeqno)
	require.Equal(t, b.BlockInfo.MinRefMcSeqno, row.MinRefMcSeqno)
	require.Equal(t, b.Extra.RandSeed, row.RandSeed.Bytes())
	require.Equal(t, b.Extra.CreatedBy, row.CreatedBy.Bytes())
	require.Equal(t, b.BlockInfo.KeyBlock, row.KeyBlock)
	require.Equal(t, b.BlockInfo.KeyBlock, m.Config != nil)
	parents, err := parentsOf(&b.BlockInfo)
	require.NoError(t, err)
	require.Equal(t, parents, m.Headers[len(m.Headers)-1].Parents)

	txs, err := b.ListTransactions()
	require.NoError(t, err)
	byHash := map[chain.Hash]*chain.Transaction{}
	for i := range m.Transactions {
		byHash[m.Transactions[i].Hash] = &m.Transactions[i]
	}
	messages := map[chain.MessageKey]*chain.Message{}
	for i := range m.Messages {
		messages[m.Messages[i].Key] = &m.Messages[i]
	}
	for _, want := range txs {
		got := byHash[chain.HashFrom(want.Hash)]
		require.NotNil(t, got)
		requireTransaction(t, want, got)
		requireMessages(t, want, got, messages)
	}
}

func parentsOf(h *tlb.BlockHeader) ([]chain.BlockIDExt, error) {
	wc, shard := tlb.ConvertShardIdentToShard(h.Shard)
	ref := func(r tlb.ExtBlkRef, shard uint64) chain.BlockIDExt {
		return chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: wc, Shard: chain.Shard(shard), Seqno: r.SeqNo},
			RootHash: chain.HashFrom(r.RootHash), FileHash: chain.HashFrom(r.FileHash),
		}
	}
	id := tlb.ShardID(shard)
	switch {
	case h.AfterMerge:
		return []chain.BlockIDExt{
			ref(h.PrevRef.Prev1, uint64(id.GetChild(true))), ref(*h.PrevRef.Prev2, uint64(id.GetChild(false))),
		}, nil
	case h.AfterSplit:
		return []chain.BlockIDExt{ref(h.PrevRef.Prev1, uint64(id.GetParent()))}, nil
	default:
		return []chain.BlockIDExt{ref(h.PrevRef.Prev1, shard)}, nil
	}
}

func requireTransaction(t *testing.T, want *tlb.Transaction, got *chain.Transaction) {
	t.Helper()
	require.Equal(t, want.AccountAddr, got.Account.ID.Bytes())
	require.Equal(t, want.LT, got.LT)
	require.Equal(t, want.PrevTxHash, got.PrevHash.Bytes())
	require.Equal(t, want.PrevTxLT, got.PrevLT)
	require.Equal(t, want.Now, got.Now)
	require.Equal(t, want.OutMsgCount, got.OutMsgCount)
	require.EqualValues(t, want.TotalFees.Coins.Nano().Uint64(), got.TotalFees)
	require.Equal(t, want.StateUpdate.OldHash, got.StateHashBefore.Bytes())
	require.Equal(t, want.StateUpdate.NewHash, got.StateHashAfter.Bytes())
	d := &got.Description
	switch w := want.Description.(type) {
	case tlb.TransactionDescriptionOrdinary:
		require.Equal(t, chain.Ordinary, d.Kind)
		require.Equal(t, w.CreditFirst, d.CreditFirst)
		require.Equal(t, w.Aborted, d.Aborted)
		require.Equal(t, w.Destroyed, d.Destroyed)
		require.Equal(t, w.StoragePhase != nil, d.Storage != nil)
		require.Equal(t, w.CreditPhase != nil, d.Credit != nil)
		require.Equal(t, w.BouncePhase != nil, d.Bounce != nil)
		if w.StoragePhase != nil {
			require.EqualValues(t, w.StoragePhase.StorageFeesCollected.Nano().Uint64(), d.Storage.FeesCollected)
		}
		if w.CreditPhase != nil {
			require.EqualValues(t, w.CreditPhase.Credit.Coins.Nano().Uint64(), d.Credit.Credit)
		}
		requireComputePhase(t, w.ComputePhase, d.Compute)
		requireActionPhase(t, w.ActionPhase, d.Action)
	case tlb.TransactionDescriptionTickTock:
		require.Equal(t, chain.TickTock, d.Kind)
		require.Equal(t, w.IsTock, d.IsTock)
		requireComputePhase(t, w.ComputePhase, d.Compute)
		requireActionPhase(t, w.ActionPhase, d.Action)
	default:
		require.Failf(t, "unexpected kind", "%T", w)
	}
}

func requireComputePhase(t *testing.T, want tlb.ComputePhase, got *chain.ComputePhase) {
	t.Helper()
	vm, ok := want.Phase.(tlb.ComputePhaseVM)
	require.Equal(t, !ok, got.Skipped)
	if !ok {
		require.Equal(t, map[tlb.ComputeSkipReasonType]chain.SkipReason{
			tlb.ComputeSkipReasonNoState: chain.SkipNoState, tlb.ComputeSkipReasonBadState: chain.SkipBadState,
			tlb.ComputeSkipReasonNoGas: chain.SkipNoGas, tlb.ComputeSkipReasonSuspended: chain.SkipSuspended,
		}[want.Phase.(tlb.ComputePhaseSkipped).Reason.Type], got.Reason)
		return
	}
	require.Equal(t, vm.Success, got.Success)
	require.EqualValues(t, vm.GasFees.Nano().Uint64(), got.GasFees)
	require.Equal(t, vm.Details.GasUsed.Uint64(), got.GasUsed)
	require.Equal(t, vm.Details.GasLimit.Uint64(), got.GasLimit)
	require.Equal(t, vm.Details.GasCredit != nil, got.GasCredit != nil)
	require.Equal(t, vm.Details.ExitCode, got.ExitCode)
	require.Equal(t, vm.Details.ExitArg, got.ExitArg)
	require.Equal(t, vm.Details.VMSteps, got.VMSteps)
	require.Equal(t, vm.Details.VMInitStateHash, got.VMInitStateHash.Bytes())
	require.Equal(t, vm.Details.VMFinalStateHash, got.VMFinalStateHash.Bytes())
}

func requireActionPhase(t *testing.T, want *tlb.ActionPhase, got *chain.ActionPhase) {
	t.Helper()
	require.Equal(t, want != nil, got != nil)
	if want == nil {
		return
	}
	require.Equal(t, want.Success, got.Success)
	require.Equal(t, want.Valid, got.Valid)
	require.Equal(t, want.NoFunds, got.NoFunds)
	require.Equal(t, want.ResultCode, got.ResultCode)
	require.Equal(t, want.TotalActions, got.TotalActions)
	require.Equal(t, want.MessagesCreated, got.MsgsCreated)
	require.Equal(t, want.ActionListHash, got.ActionListHash.Bytes())
	require.Equal(t, want.TotalMsgSize.Cells.Uint64(), got.MsgSize.Cells)
	require.Equal(t, want.TotalMsgSize.Bits.Uint64(), got.MsgSize.Bits)
	require.Equal(t, want.TotalFwdFees != nil, got.TotalFwdFees != nil)
	if want.TotalFwdFees != nil {
		require.EqualValues(t, want.TotalFwdFees.Nano().Uint64(), *got.TotalFwdFees)
	}
}

// requireMessages checks every message of a transaction; normalized hashes equal those of the library.
func requireMessages(t *testing.T, want *tlb.Transaction, tx *chain.Transaction, rows map[chain.MessageKey]*chain.Message) {
	t.Helper()
	require.Equal(t, want.IO.In != nil, tx.InMsg != nil)
	if want.IO.In != nil {
		got := rows[*tx.InMsg]
		require.Equal(t, &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}, got.ReceivedBy)
		requireMessage(t, want.IO.In, got)
	}
	if want.IO.Out == nil {
		return
	}
	list, err := want.IO.Out.ToSlice()
	require.NoError(t, err)
	for i := range list {
		got := rows[chain.MessageKey{Account: tx.Account, LT: tx.LT + 1 + uint64(i)}]
		require.NotNil(t, got)
		require.Equal(t, &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}, got.SentBy)
		requireMessage(t, &list[i], got)
	}
}

func requireMessage(t *testing.T, want *tlb.Message, got *chain.Message) {
	t.Helper()
	body, err := cell.FromBOC(got.Body)
	require.NoError(t, err)
	require.Equal(t, got.BodyHash.Bytes(), body.Hash())
	require.Equal(t, want.Msg.Payload().Hash(), body.Hash())
	switch want.MsgType {
	case tlb.MsgTypeExternalIn:
		require.Equal(t, chain.ExternalIn, got.Kind)
		require.Nil(t, got.Source)
		require.Equal(t, want.AsExternalIn().NormalizedHash(), got.HashNorm.Bytes())
		require.Equal(t, want.AsExternalIn().DstAddr.Data(), got.Destination.ID.Bytes())
	case tlb.MsgTypeExternalOut:
		require.Equal(t, chain.ExternalOut, got.Kind)
		require.Nil(t, got.Destination)
		require.Equal(t, want.AsExternalOut().CreatedLT, *got.CreatedLT)
	default:
		in := want.AsInternal()
		require.Equal(t, chain.InternalMessage, got.Kind)
		require.Equal(t, in.SrcAddr.Data(), got.Source.ID.Bytes())
		require.Equal(t, in.DstAddr.Data(), got.Destination.ID.Bytes())
		require.Equal(t, in.SrcAddr.Workchain(), got.Source.Workchain)
		require.EqualValues(t, in.Amount.Nano().Uint64(), *got.Value)
		require.EqualValues(t, in.FwdFee.Nano().Uint64(), *got.FwdFee)
		require.Equal(t, in.CreatedLT, *got.CreatedLT)
		require.Equal(t, in.CreatedAt, *got.CreatedAt)
		require.Equal(t, in.Bounce, *got.Bounce)
		require.Equal(t, in.Bounced, *got.Bounced)
		require.Equal(t, in.StateInit != nil, got.InitHash != nil)
		if in.StateInit != nil {
			c, err := tlb.ToCell(in.StateInit)
			require.NoError(t, err)
			require.Equal(t, c.Hash(), got.InitHash.Bytes())
		}
	}
}

// requireEqualsRecording compares with the recorded output of tongo's parser.
func requireEqualsRecording(t *testing.T, rec mainnet.Recording, m *decode.Master) {
	t.Helper()
	data, err := os.ReadFile(rec.Expected)
	require.NoError(t, err)
	var want struct {
		Accounts map[string]struct {
			Transactions map[string]struct {
				PrevTransHash string
				PrevTransLt   uint64
				Now           uint32
				OutMsgCnt     uint16
				OrigStatus    string
				EndStatus     string
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &want))
	seen := 0
	for _, a := range want.Accounts {
		seen += len(a.Transactions)
	}
	require.Len(t, m.Transactions, seen)
	for i := range m.Transactions {
		tx := &m.Transactions[i]
		w, ok := want.Accounts[tx.Account.ID.Hex()].Transactions[strconv.FormatUint(tx.LT, 10)]
		require.True(t, ok)
		require.Equal(t, w.PrevTransHash, tx.PrevHash.Hex())
		require.Equal(t, w.PrevTransLt, tx.PrevLT)
		require.Equal(t, w.Now, tx.Now)
		require.Equal(t, w.OutMsgCnt, tx.OutMsgCount)
		require.Equal(t, w.OrigStatus, tx.OrigStatus.String())
		require.Equal(t, w.EndStatus, tx.EndStatus.String())
	}
}

func TestMasterBlock_WrongIDIsRefused(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	raw := *fat.Raw
	raw.Shards = []chain.RawBlock{fat.Raw.Shards[0]}
	raw.Shards[0].ID.Seqno++
	_, err := decode.MasterBlock(t.Context(), &raw)
	require.ErrorContains(t, err, "it names")
}

func BenchmarkDecodeFatBlock(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	b.ReportAllocs()
	for b.Loop() {
		m, err := decode.MasterBlock(b.Context(), fat.Raw)
		require.NoError(b, err)
		require.Len(b, m.Transactions, fat.TxCount)
	}
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}
