package action_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/recording"
)

// BenchmarkClassify classifies every recorded trace in turn. Traces per second of the processor's time, with the garbage
// collector's share, are what one core does; traces per second of the clock are less where others use it, too.
func BenchmarkClassify(b *testing.B) {
	type recorded struct {
		trace     *action.Trace
		contracts *recording.Records
	}
	var all []recorded
	for _, name := range traceFiles(b) {
		trace, contracts := readTrace(b, name)
		all = append(all, recorded{trace, contracts})
	}
	b.ReportAllocs()
	n, before := 0, processorTime(b)
	for b.Loop() {
		r := all[n%len(all)]
		if _, err := action.Classify(r.trace, r.contracts); err != nil {
			require.NoError(b, err)
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "traces/s")
	b.ReportMetric(float64(n)/(processorTime(b)-before).Seconds(), "traces/cpu-s")
}

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkGiant classifies the largest traces there are: one long chain, and one transaction that sends all messages.
func BenchmarkGiant(b *testing.B) {
	for name, trace := range map[string]*action.Trace{"chain": longChain().trace, "star": wideStar().trace} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := action.Classify(trace, records{}); err != nil {
					require.NoError(b, err)
				}
			}
		})
	}
}
