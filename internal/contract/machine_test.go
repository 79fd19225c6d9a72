package contract_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

// endless is more gas than a run uses in hours, so that only the machine ends it. (The TVM checks for cancellation at
// most opcodes, not at all: a loop of the others ends with its gas, in practice within seconds.)
const endless = 1 << 50

// endlessRunner has one slot, and a method of each kind of loop.
func endlessRunner(t *testing.T, timeout time.Duration) (*contract.Runner, contract.State, []string) {
	t.Helper()
	loops := map[string]*cell.Cell{
		"again": contracttest.Asm("9100ea"),           // CONT:<{ NOP }> AGAIN
		"while": contracttest.Asm("91719100e8"),       // CONT:<{ 1 PUSHINT }> CONT:<{ NOP }> WHILE
		"hash":  contracttest.Asm("c8c99420f90030ea"), // NEWC ENDC CONT:<{ DUP HASHCU DROP }> AGAIN
		"seven": contracttest.Asm("77"),
	}
	st := contracttest.Account("endless", loops)
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{
		Parallel: 1, Budget: contract.Budget{Gas: endless, TotalGas: endless, Time: timeout},
	})
	return r, st, []string{"again", "while", "hash"}
}

// A run that exceeds its time ends and frees its slot; otherwise the next run would never start.
func TestMachine_RunsOverTheirTimeFreeTheirSlot(t *testing.T) {
	t.Parallel()
	r, st, loops := endlessRunner(t, 20*time.Millisecond)
	for range 10 {
		for _, method := range loops {
			_, err := r.Run(t.Context(), &st, method)
			var f *contract.Fault
			require.ErrorAs(t, err, &f, method)
			require.Equal(t, contract.TooLong, f.Reason, method)
		}
	}
	// The last loop may still be about to end: waiting for its slot is part of the test.
	_, err := r.Run(t.Context(), &st, "seven")
	require.NoError(t, err)
}

func TestMachine_CancelledRunsFreeTheirSlot(t *testing.T) {
	t.Parallel()
	r, st, loops := endlessRunner(t, time.Hour)
	for range 10 {
		for _, method := range loops {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
			_, err := r.Run(ctx, &st, method)
			require.ErrorIs(t, err, context.DeadlineExceeded, method)
			require.False(t, contract.IsFault(err))
			cancel()
		}
	}
	_, err := r.Run(t.Context(), &st, "seven")
	require.NoError(t, err)
}

// Close ends all runs; goleak fails the package otherwise.
func TestMachine_CloseEndsRuns(t *testing.T) {
	t.Parallel()
	r, st, loops := endlessRunner(t, time.Hour)
	failed := make(chan error, len(loops))
	for _, method := range loops { // one runs, the others wait for its slot
		go func() {
			_, err := r.Run(t.Context(), &st, method)
			failed <- err
		}()
	}
	r.Machine().Close()
	for range loops {
		require.ErrorIs(t, <-failed, context.Canceled)
	}
	_, err := r.Run(t.Context(), &st, "seven")
	require.ErrorIs(t, err, context.Canceled)
}

// Tuples are arguments, as they are results: what a method without instructions is given stays on the stack.
func TestRun_TuplesAreArguments(t *testing.T) {
	t.Parallel()
	st := contracttest.Account("echo", map[string]*cell.Cell{"echo": contracttest.Asm("")})
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	one, two := big.NewInt(1), big.NewInt(2)
	want := []any{nil, []any{one, []any{two, nil}}}
	result, err := r.Run(t.Context(), &st, "echo", want...)
	require.NoError(t, err)
	require.Equal(t, want, result.Stack)
	_, err = r.Run(t.Context(), &st, "echo", []any{"text"})
	require.ErrorContains(t, err, "argument 0 has a type that get-methods do not take")
}
