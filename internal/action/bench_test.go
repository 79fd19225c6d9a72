package action_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/recording"
)

// BenchmarkClassify classifies every recorded trace in turn, on one core.
func BenchmarkClassify(b *testing.B) {
	type recorded struct {
		trace *action.Trace
		known *recording.Records
	}
	var all []recorded
	for _, name := range traceFiles(b) {
		trace, known := readTrace(b, name)
		all = append(all, recorded{trace, known})
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r := all[n%len(all)]
		if _, err := action.Classify(r.trace, r.known); err != nil {
			require.NoError(b, err)
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "traces/s")
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
