package action_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/recording"
)

// BenchmarkClassify classifies every recorded trace in turn. traces/cpu-s counts CPU time, including garbage
// collection, and so does not depend on other processes, as traces/s does.
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

// processorTime returns the CPU time of the process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkGiant classifies the largest possible traces: one long chain, and one transaction that sends all messages.
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
