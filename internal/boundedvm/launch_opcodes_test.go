package boundedvm_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/boundedvm"
)

// Opcodes has all opcodes while the VM of the launch rules is built from others: a disassembler that reads a part of them does not know
// the rest until the process ends.
func TestOpcodes_AreCompleteWhileLaunchRulesAreBuilt(t *testing.T) {
	t.Parallel()
	want := len(boundedvm.Opcodes())
	require.Greater(t, want, 100)
	var group sync.WaitGroup
	defer group.Wait()
	done := make(chan struct{})
	group.Go(func() {
		defer close(done)
		for range 5 {
			boundedvm.BuildLaunch()
		}
	})
	for {
		require.Len(t, boundedvm.Opcodes(), want)
		select {
		case <-done:
			return
		default:
		}
	}
}
