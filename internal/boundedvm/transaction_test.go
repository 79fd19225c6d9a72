package boundedvm_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// mainnetConfig returns the configuration of the main network at a recorded block.
func mainnetConfig(tb testing.TB) *tvm.PreparedBlockchainConfig {
	tb.Helper()
	fat := mainnet.OpenFatBlock(tb)
	root, err := fat.Config(tb.Context(), chain.BlockIDExt{BlockID: fat.Parent})
	require.NoError(tb, err)
	prepared, err := tvm.PrepareBlockchainConfig(root)
	require.NoError(tb, err)
	return prepared
}

// deployed executes the transaction that deploys an account with the code, and an external-in message to it.
func deployed(tb testing.TB, run *boundedvm.Run, code *cell.Cell, external bool) (*tvm.TransactionExecutionResult, error) {
	tb.Helper()
	block, err := mainnetConfig(tb).NewBlockContext(tvm.BlockOptions{Now: 1_778_630_400, BlockLT: 70_000_000_000_000, RandSeed: make([]byte, 32), Libraries: run.Libraries(nil)})
	require.NoError(tb, err)
	init, err := tlb.ToCell(&tlb.StateInit{Code: code, Data: cell.BeginCell().EndCell()})
	require.NoError(tb, err)
	to := address.NewAddress(0, 0, init.Hash())
	none := &tlb.ShardAccount{Account: cell.BeginCell().MustStoreBoolBit(false).EndCell(), LastTransHash: make([]byte, 32)}
	account, err := tvm.PrepareAccount(none, to)
	require.NoError(tb, err)
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddress(0, 0, make([]byte, 32)), DstAddr: to, Amount: tlb.FromNanoTON(big.NewInt(10_000_000_000)),
		StateInit: &tlb.StateInit{Code: code, Data: cell.BeginCell().EndCell()}, Body: cell.BeginCell().EndCell(),
	})
	require.NoError(tb, err)
	prepared, err := tvm.PrepareMessage(message)
	require.NoError(tb, err)
	options := tvm.TransactionOptions{LogicalTime: 70_000_000_000_001}
	res, err := boundedvm.New().EmulateTransaction(block, account, prepared, options)
	if err != nil || !external {
		return res, err
	}
	message, err = tlb.ToCell(&tlb.ExternalMessage{DstAddr: to, Body: cell.BeginCell().EndCell()})
	require.NoError(tb, err)
	prepared, err = tvm.PrepareMessage(message)
	require.NoError(tb, err)
	if _, err = boundedvm.New().CheckExternalMessageAccepted(block, res.NextAccount, prepared, options); err != nil {
		return nil, err
	}
	return boundedvm.New().EmulateTransaction(block, res.NextAccount, prepared, options)
}

func TestTransaction_DebugOpcodesAreExecuted(t *testing.T) {
	t.Parallel()
	run := startRun(t, t.Context(), boundedvm.Limits{Time: time.Minute, Memory: 1 << 30})
	start := time.Now()
	for _, external := range []bool{false, true} {
		res, err := deployed(t, run, codeOf(t, "F8005F055F00C8C9800E99202020C8CCCCCCCCC9E4FE00"), external)
		require.NoError(t, err)
		require.NotNil(t, res.TransactionCell)
	}
	require.Less(t, time.Since(start), maxDuration)
	require.NoError(t, run.Err())
}

func TestTransaction_ExceededLimitsAreReturned(t *testing.T) {
	t.Parallel()
	shared := cell.BeginCell().MustStoreUInt(0x18, 6).MustStoreRef(sharedOf(200)).EndCell()
	run := startRun(t, t.Context(), boundedvm.Limits{})
	_, err := deployed(t, run, codeOf(t, "F8008870FB00", shared), false)
	var exceeded *boundedvm.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "cells", exceeded.Resource)

	run = startRun(t, t.Context(), boundedvm.Limits{Time: time.Nanosecond})
	require.Eventually(t, func() bool { return run.Err() != nil }, time.Minute, time.Millisecond)
	_, err = deployed(t, run, codeOf(t, "F800"+"93203000EA"), false)
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "time", exceeded.Resource)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run = startRun(t, ctx, boundedvm.Limits{})
	_, err = deployed(t, run, codeOf(t, "F800"+"93203000EA"), false)
	require.ErrorIs(t, err, context.Canceled)
}

// A child VM that exceeds a limit ends its parents; TRY does not catch it.
func TestTransaction_LimitsOfAChildEndItsParents(t *testing.T) {
	t.Parallel()
	child := codeOf(t, "7193203000EA")
	body := codeOf(t, "70"+"88"+"D0"+"DB4000", child)
	run := startRun(t, t.Context(), boundedvm.Limits{Time: 50 * time.Millisecond})
	_, err := execute(t, boundedvm.New(), program{code: codeOf(t, "8A"+"90"+"F2FF", body), gas: 1 << 50, run: run})
	var exceeded *boundedvm.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "time", exceeded.Resource)
}
