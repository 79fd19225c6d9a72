package decode_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
)

// fuzzedTransactions are transactions of each kind, with each phase.
func fuzzedTransactions(tb testing.TB) []*cell.Cell {
	tb.Helper()
	const (
		storage = "1 0001 00000101 1 0001 00000111 1 0"
		credit  = "1 1 0001 00000011 0001 00000100 0"
		noFunds = "1 01 001 00000001 001 00000010 0001 00001001"
		bounced = "1 1 001 00000001 001 00000010 0001 00001001 0001 00000010"
	)
	list := smallTransactions(tb)
	compute := bits(tb, "001 00000111 001 00001001 1 01 00000001").MustStoreInt(0, 8).MustStoreInt(-14, 32).MustStoreBoolBit(true).
		MustStoreInt(5, 32).MustStoreUInt(77, 32).MustStoreSlice(make([]byte, 64), 512).EndCell()
	action := bits(tb, "1 1 0 1 1 1 0001 00000001 1 0001 00000010").MustStoreInt(37, 32).MustStoreBoolBit(true).MustStoreInt(2, 32).
		MustStoreUInt(0x0003000100010002, 64).MustStoreSlice(make([]byte, 32), 256).MustStoreBuilder(bits(tb, "001 00000001 001 00000010")).EndCell()
	addresses := bits(tb, "000001 000010").MustStoreSlice(make([]byte, 64), 512)
	ran := bits(tb, "1 1 0 1 0001 00000110") // a compute phase without its details, which are a reference
	description := func(head string, parts ...any) *cell.Cell {
		b := bits(tb, head)
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				b.MustStoreBuilder(bits(tb, p))
			case *cell.Builder:
				b.MustStoreBuilder(p)
			case *cell.Cell:
				b.MustStoreRef(p)
			}
		}
		return b.EndCell()
	}
	for _, d := range []*cell.Cell{
		description("0000 1", storage, credit, ran, compute, "1", action, "1", bounced, "0"),
		description("0000 0 0 0", "0 10", "0 1", noFunds, "1"),
		description("0001", storage[2:]),
		description("001 1", storage[2:], ran, compute, "1", action, "0 1"),
		description("0100", addresses, storage, ran, compute, "0 0 0"),
		description("0101", addresses, list[0], "1"),
		description("0110", addresses, storage[2:], "1"),
		description("0111", addresses, list[0], storage, credit, "0 110", "0 1 0"),
	} {
		list = append(list, transactionCell(900, d, nil))
	}
	return list
}

// smallTransactions are recorded ones with few cells, among them one with several messages.
func smallTransactions(tb testing.TB) []*cell.Cell {
	tb.Helper()
	var list []*cell.Cell
	for _, rec := range mainnet.Blocks(tb) {
		if rec.TxCount == 0 || rec.TxCount > 20 {
			continue
		}
		_, txs, err := decode.Block(&rec.Raw)
		require.NoError(tb, err)
		for i := range txs {
			if len(txs[i].BOC) < 1500 && len(list) < 12 {
				root, err := cell.FromBOC(txs[i].BOC)
				require.NoError(tb, err)
				list = append(list, root)
			}
		}
	}
	require.NotEmpty(tb, list)
	return list
}

// FuzzTransaction_AgreesWithTheLibrary changes the cells of transactions. What this decoder and the reflective one of tonutils-go both accept
// has the same fields.
func FuzzTransaction_AgreesWithTheLibrary(f *testing.F) {
	list := fuzzedTransactions(f)
	for i := range list {
		requireAgreement(f, list[i], true)
		f.Add(byte(i), []byte{})
		f.Add(byte(i), []byte{0, 0, 1, 0, 9})
		f.Add(byte(i), []byte{1, 0, 2, 3, 9, 0, 0, 0, 0, 40})
	}
	f.Fuzz(func(t *testing.T, seed byte, program []byte) {
		if len(program) > 10*cellgraphtest.MutationSize {
			return
		}
		requireAgreement(t, cellgraphtest.Mutate(list[int(seed)%len(list)], program), false)
	})
}

// requireAgreement compares the fields of a transaction, which both decoders must accept, or may.
func requireAgreement(tb testing.TB, root *cell.Cell, must bool) {
	tb.Helper()
	if root.Level() != 0 {
		return
	}
	got, err := decode.Transaction(root, 0)
	var want tlb.Transaction
	libraryErr := parseByLibrary(&want, root)
	if must {
		require.NoError(tb, err)
		require.NoError(tb, libraryErr)
	}
	if err != nil {
		require.NotContains(tb, err.Error(), "malformed cells", "a panic was caught")
	}
	if err == nil && libraryErr == nil {
		require.Equal(tb, libraryFields(&want), fields(&got))
		if want.IO.In != nil && got.InMessage != nil {
			require.Equal(tb, libraryMessage(want.IO.In), messageFields(got.InMessage))
		}
	}
}

// messageFields has the fields of a message that both decoders read in the same way.
func messageFields(m *chain.Message) string {
	var l lines
	l.add("message", m.Kind, m.BodyHash, pointed(m.Opcode))
	switch m.Kind {
	case chain.InternalMessage:
		l.add("internal", *m.IHRDisabled, *m.Bounce, *m.Bounced, *m.Value, *m.FwdFee, *m.CreatedLT, *m.CreatedAt, pointed(m.Source), pointed(m.Destination))
	case chain.ExternalIn:
		l.add("external-in", bigText(m.ImportFee), pointed(m.Destination), pointed(m.HashNorm))
	case chain.ExternalOut:
		l.add("external-out", pointed(m.Source), *m.CreatedLT, *m.CreatedAt)
	}
	return l.String()
}

func libraryMessage(m *tlb.Message) string {
	var l lines
	body := m.Msg.Payload()
	var opcode *uint32
	if !body.IsSpecial() && body.BitsSize() >= 32 {
		opcode = new(uint32(body.MustBeginParse().MustLoadUInt(32)))
	}
	kind := map[tlb.MsgType]chain.MessageKind{tlb.MsgTypeInternal: chain.InternalMessage, tlb.MsgTypeExternalIn: chain.ExternalIn, tlb.MsgTypeExternalOut: chain.ExternalOut}
	l.add("message", kind[m.MsgType], chain.Hash(body.HashKey()), pointed(opcode))
	switch m.MsgType {
	case tlb.MsgTypeInternal:
		in := m.AsInternal()
		l.add("internal", in.IHRDisabled, in.Bounce, in.Bounced, clipped(in.Amount.Nano()), clipped(in.FwdFee.Nano()), in.CreatedLT, in.CreatedAt,
			libraryAddress(in.SrcAddr), libraryAddress(in.DstAddr))
	case tlb.MsgTypeExternalIn:
		in := m.AsExternalIn()
		l.add("external-in", in.ImportFee.Nano(), libraryAddress(in.DstAddr), chain.HashFrom(in.NormalizedHash()))
	default:
		out := m.AsExternalOut()
		l.add("external-out", libraryAddress(out.SrcAddr), out.CreatedLT, out.CreatedAt)
	}
	return l.String()
}

// libraryAddress is an address as rows have it: without its anycast prefix, and none if no account can have it.
func libraryAddress(a *address.Address) any {
	if a == nil || a.BitsLen() != 256 || a.Workchain() < -128 || a.Workchain() > 127 || a.Type() != address.StdAddress && a.Type() != address.VarAddress {
		return "none"
	}
	made := chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
	if cast := a.Anycast(); cast != nil {
		for i := range cast.Depth() {
			mask := byte(0x80) >> (i % 8)
			made.ID[i/8] = made.ID[i/8]&^mask | cast.Prefix()[i/8]&mask
		}
	}
	return made
}

// parseByLibrary parses by the library, which panics for some cells.
func parseByLibrary(into *tlb.Transaction, root *cell.Cell) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return tlb.Parse(into, root)
}

// lines collects fields as text.
type lines struct{ strings.Builder }

func (l *lines) add(name string, values ...any) {
	_, _ = fmt.Fprintln(l, append([]any{name}, values...)...)
}

func pointed[T any](v *T) any {
	if v == nil {
		return "none"
	}
	return *v
}

func bigText(v *big.Int) string {
	if v == nil {
		return "none"
	}
	return v.String()
}

// clipped is an amount as rows have it.
func clipped(v *big.Int) any {
	if v.BitLen() > 63 {
		return chain.Coins(1<<63 - 1)
	}
	return chain.Coins(v.Int64())
}

func clippedCoins(c *tlb.Coins) any {
	if c == nil {
		return "none"
	}
	return clipped(c.Nano())
}

func fields(s *decode.Single) string {
	var l lines
	t, d := &s.Transaction, &s.Description
	l.add("head", t.Account.ID, t.LT, t.PrevHash, t.PrevLT, t.Now, t.OutMsgCount, t.OrigStatus, t.EndStatus, t.TotalFees, t.StateHashBefore, t.StateHashAfter)
	l.add("kind", d.Kind)
	if d.Kind == chain.Ordinary {
		l.add("ordinary", d.CreditFirst)
	}
	if s := d.Split; s != nil {
		l.add("split", s.CurShardPfxLen, s.AccSplitDepth, s.ThisAddr, s.SiblingAddr)
	}
	if p := d.Storage; p != nil {
		l.add("storage", p.FeesCollected, pointed(p.FeesDue), p.StatusChange)
	}
	if p := d.Credit; p != nil {
		l.add("credit", pointed(p.DueFeesCollected), p.Credit)
	}
	if p := d.Compute; p != nil && p.Skipped {
		l.add("skipped", p.Reason)
	} else if p != nil {
		l.add("compute", p.Success, p.MsgStateUsed, p.AccountActivated, p.GasFees, p.GasUsed, p.GasLimit, pointed(p.GasCredit), p.Mode, p.ExitCode,
			pointed(p.ExitArg), p.VMSteps, p.VMInitStateHash, p.VMFinalStateHash)
	}
	if p := d.Action; p != nil {
		l.add("action", p.Success, p.Valid, p.NoFunds, p.StatusChange, pointed(p.TotalFwdFees), pointed(p.TotalFees), p.ResultCode, pointed(p.ResultArg),
			p.TotalActions, p.SpecActions, p.SkippedActions, p.MsgsCreated, p.ActionListHash, p.MsgSize.Cells, p.MsgSize.Bits)
	}
	if p := d.Bounce; p != nil {
		l.add("bounce", p.Kind, p.MsgSize.Cells, p.MsgSize.Bits, p.MsgFees, p.FwdFees, p.ReqFwdFees)
	}
	l.add("end", d.Aborted, d.Destroyed, d.IsTock, d.Installed)
	return l.String()
}

func libraryFields(t *tlb.Transaction) string {
	var l lines
	status := map[string]chain.AccountStatus{"UNINIT": 0, "FROZEN": 1, "ACTIVE": 2, "NON_EXIST": 3}
	l.add("head", chain.HashFrom(t.AccountAddr), t.LT, chain.HashFrom(t.PrevTxHash), t.PrevTxLT, t.Now, t.OutMsgCount, status[string(t.OrigStatus)], status[string(t.EndStatus)],
		clipped(t.TotalFees.Coins.Nano()), chain.HashFrom(t.StateUpdate.OldHash), chain.HashFrom(t.StateUpdate.NewHash))
	switch d := t.Description.(type) {
	case tlb.TransactionDescriptionOrdinary:
		l.add("kind", chain.Ordinary)
		l.add("ordinary", d.CreditFirst)
		l.phases(d.StoragePhase, d.CreditPhase, &d.ComputePhase, d.ActionPhase)
		l.bounce(d.BouncePhase)
		l.add("end", d.Aborted, d.Destroyed, false, false)
	case tlb.TransactionDescriptionStorage:
		l.add("kind", chain.Storage)
		l.phases(&d.StoragePhase, nil, nil, nil)
		l.add("end", false, false, false, false)
	case tlb.TransactionDescriptionTickTock:
		l.add("kind", chain.TickTock)
		l.phases(&d.StoragePhase, nil, &d.ComputePhase, d.ActionPhase)
		l.add("end", d.Aborted, d.Destroyed, d.IsTock, false)
	case tlb.TransactionDescriptionSplitPrepare:
		l.add("kind", chain.SplitPrepare)
		l.split(d.SplitInfo)
		l.phases(d.StoragePhase, nil, &d.ComputePhase, d.ActionPhase)
		l.add("end", d.Aborted, d.Destroyed, false, false)
	case tlb.TransactionDescriptionSplitInstall:
		l.add("kind", chain.SplitInstall)
		l.split(d.SplitInfo)
		l.add("end", false, false, false, d.Installed)
	case tlb.TransactionDescriptionMergePrepare:
		l.add("kind", chain.MergePrepare)
		l.split(d.SplitInfo)
		l.phases(&d.StoragePhase, nil, nil, nil)
		l.add("end", d.Aborted, false, false, false)
	case tlb.TransactionDescriptionMergeInstall:
		l.add("kind", chain.MergeInstall)
		l.split(d.SplitInfo)
		l.phases(d.StoragePhase, d.CreditPhase, &d.ComputePhase, d.ActionPhase)
		l.add("end", d.Aborted, d.Destroyed, false, false)
	}
	return l.String()
}

func (l *lines) split(s tlb.SplitMergeInfo) {
	l.add("split", s.CurShardPfxLen, s.AccSplitDepth, chain.HashFrom(s.ThisAddr), chain.HashFrom(s.SiblingAddr))
}

func statusChange(c tlb.AccStatusChange) string { return strings.ToLower(string(c.Type)) }

func (l *lines) phases(storage *tlb.StoragePhase, credit *tlb.CreditPhase, compute *tlb.ComputePhase, action *tlb.ActionPhase) {
	if p := storage; p != nil {
		l.add("storage", clippedCoins(&p.StorageFeesCollected), clippedCoins(p.StorageFeesDue), statusChange(p.StatusChange))
	}
	if p := credit; p != nil {
		l.add("credit", clippedCoins(p.DueFeesCollected), clipped(p.Credit.Coins.Nano()))
	}
	if compute != nil {
		switch p := compute.Phase.(type) {
		case tlb.ComputePhaseSkipped:
			l.add("skipped", map[tlb.ComputeSkipReasonType]chain.SkipReason{
				tlb.ComputeSkipReasonNoState: chain.SkipNoState, tlb.ComputeSkipReasonBadState: chain.SkipBadState,
				tlb.ComputeSkipReasonNoGas: chain.SkipNoGas, tlb.ComputeSkipReasonSuspended: chain.SkipSuspended,
			}[p.Reason.Type])
		case tlb.ComputePhaseVM:
			v := p.Details
			l.add("compute", p.Success, p.MsgStateUsed, p.AccountActivated, clipped(p.GasFees.Nano()), v.GasUsed, v.GasLimit, bigText(v.GasCredit), v.Mode, v.ExitCode,
				pointed(v.ExitArg), v.VMSteps, chain.HashFrom(v.VMInitStateHash), chain.HashFrom(v.VMFinalStateHash))
		}
	}
	if p := action; p != nil {
		l.add("action", p.Success, p.Valid, p.NoFunds, statusChange(p.StatusChange), clippedCoins(p.TotalFwdFees), clippedCoins(p.TotalActionFees), p.ResultCode,
			pointed(p.ResultArg), p.TotalActions, p.SpecActions, p.SkippedActions, p.MessagesCreated, chain.HashFrom(p.ActionListHash), p.TotalMsgSize.Cells, p.TotalMsgSize.Bits)
	}
}

func (l *lines) bounce(b *tlb.BouncePhase) {
	if b == nil {
		return
	}
	none := chain.Coins(0)
	switch p := b.Phase.(type) {
	case tlb.BouncePhaseOk:
		l.add("bounce", chain.BounceOK, p.MsgSize.Cells, p.MsgSize.Bits, clipped(p.MsgFees.Nano()), clipped(p.FwdFees.Nano()), none)
	case tlb.BouncePhaseNoFunds:
		l.add("bounce", chain.BounceNoFunds, p.MsgSize.Cells, p.MsgSize.Bits, none, none, clipped(p.ReqFwdFees.Nano()))
	case tlb.BouncePhaseNegFunds:
		l.add("bounce", chain.BounceNegFunds, 0, 0, none, none, none)
	}
}
