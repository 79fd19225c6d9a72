package node_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/node"
)

// BenchmarkMasterBlock fetches and proves masterchain blocks with their shard blocks, one after the other and many at
// once, from a liteserver on loopback.
func BenchmarkMasterBlock(b *testing.B) {
	d := newDevnet(b, 200)
	for name, parallel := range map[string]int{"sequential": 1, "parallel": 16} {
		b.Run(name, func(b *testing.B) {
			c := open(b, d.config)
			var next atomic.Uint32
			b.SetParallelism(parallel)
			b.ReportAllocs()
			if parallel == 1 {
				for b.Loop() {
					_, err := c.MasterBlock(d.ctx, 2+next.Add(1)%198)
					require.NoError(b, err)
				}
				return
			}
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					if _, err := c.MasterBlock(d.ctx, 2+next.Add(1)%198); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

// BenchmarkCheckResponse_OneLink checks a link of the main network, signed in the ordinary form and under Simplex.
func BenchmarkCheckResponse_OneLink(b *testing.B) {
	for _, l := range recordedLinks {
		b.Run(l.file, func(b *testing.B) {
			raw, q := l.read(b)
			b.ReportAllocs()
			for b.Loop() {
				_, err := node.CheckResponse(raw, q)
				require.NoError(b, err)
			}
		})
	}
}
