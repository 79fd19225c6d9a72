package node_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// recorder collects the messages of a log with their attributes.
type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (r *recorder) Enabled(context.Context, slog.Level) bool { return true }
func (r *recorder) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r *recorder) WithGroup(string) slog.Handler            { return r }

func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	var b strings.Builder
	b.WriteString(record.Message)
	record.Attrs(func(a slog.Attr) bool {
		if a.Key != "took" {
			b.WriteString(" " + a.String())
		}
		return true
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, b.String())
	return nil
}

// about returns the lines that contain a text.
func (r *recorder) about(text string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []string
	for _, l := range r.lines {
		if strings.Contains(l, text) {
			found = append(found, l)
		}
	}
	return found
}

// The chain has more than 40 links and a response at most 16. Three servers prove it at the same time.
func TestProofChain_IsCheckedOnceAndReported(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	d.keyBlocks(t, 0, 40)
	d.mine(t, 2)
	links, newest := 1, uint32(0) // one to each key block and one to the head
	for seqno := uint32(1); seqno < d.head().Seqno; seqno++ {
		if b, err := d.chain.BySeqno(-1, -1<<63, seqno); err == nil && b.KeyBlock {
			links, newest = links+1, seqno
		}
	}
	require.Greater(t, links, 40)
	log := &recorder{}
	file := filepath.Join(t.TempDir(), "trust.json")
	start := func(o *node.Options) {
		o.Logger, o.TrustFile, o.Anchor = slog.New(log), file, node.Anchor{Zerostate: true}
	}

	c := open(t, d.through(d.proxy(t), d.proxy(t), d.proxy(t)), start)
	ctx := within(t, time.Minute)
	_, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	eventually(t, "all servers are in use", func() bool {
		return !slices.ContainsFunc(c.States(), func(s chain.ServerState) bool { return !s.Usable })
	})
	lines := log.about("chain of signatures")
	require.Len(t, lines, 2, "%q", lines)
	require.Contains(t, lines[0], "checking the chain of signatures from=0 to=44 expected_links=4")
	require.Equal(t, fmt.Sprintf("chain of signatures checked from=0 to=44 links=%d", links), lines[1])
	saved, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(saved), fmt.Sprintf(`"seqno": %d`, newest), "the newest key block is saved before the client ends")
	c.Close()

	// A second start checks what is new, whatever was before.
	d.mine(t, 3)
	p := d.proxy(t)
	began := time.Now()
	c = open(t, d.through(p), start)
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	require.Less(t, time.Since(began), pacetest.Slow*time.Second)
	require.Equal(t, d.head(), head)
	require.Equal(t, 1, p.QueryCount("GetBlockProof"))
	require.Len(t, log.about("chain of signatures"), 2, "a short chain is not reported")
}

func TestProofChain_ContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	d.keyBlocks(t, 0, 40)
	d.mine(t, 2)
	p := d.proxy(t)
	var mu sync.Mutex
	var starts []uint32
	broken := true
	p.Break(nodetest.Only[ton.GetBlockProof](func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
		q, ok := query.(ton.GetBlockProof)
		mu.Lock()
		defer mu.Unlock()
		if ok {
			starts = append(starts, q.KnownBlock.SeqNo)
		}
		if ok && broken && q.KnownBlock.SeqNo > 0 { // after the first response
			return nodetest.HangUp{}
		}
		return next(ctx, query)
	}))
	log := &recorder{}
	start := func(o *node.Options) { o.Anchor, o.Logger = node.Anchor{Zerostate: true}, slog.New(log) }
	file := filepath.Join(t.TempDir(), "trust.json")
	keep := func(o *node.Options) { o.TrustFile = file }

	c := open(t, d.through(p), start, keep)
	ctx := within(t, time.Minute)
	_, err := c.Head(ctx)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "the chain of signatures is checked up to block 1")
	require.Contains(t, chain.PublicMessage(err), " of 44")
	eventually(t, "the server is connected again", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(starts) > 2
	})
	c.Close()
	mu.Lock()
	require.Zero(t, starts[0])
	require.NotContains(t, starts[1:], uint32(0), "links are checked once in a run")
	broken, starts = false, nil
	mu.Unlock()

	c = open(t, d.through(p), start, keep)
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	require.Equal(t, d.head(), head)
	mu.Lock()
	defer mu.Unlock()
	require.NotContains(t, starts, uint32(0), "and not again in the next run")
	_, err = c.MasterBlockID(ctx, d.head().Seqno+1)
	require.Equal(t, chain.NotFound, chain.KindOf(err), "the chain is no longer being checked")
}

func TestChainProgress_IsLoggedEveryFiveSeconds(t *testing.T) {
	t.Parallel()
	log := &recorder{}
	now := time.Unix(1_800_000_000, 0)
	p := node.NewChainProgress(slog.New(log), func() time.Time { return now })
	p.Report(0, 99, 99, 1) // one response is enough
	p.Report(99, 50, 20, 1)
	require.Empty(t, log.about(""))
	for at := uint32(0); at < 100_000; at += 100 { // 100 ms for each response of 16 links
		p.Report(at, at+100, 100_000, 16)
		now = now.Add(100 * time.Millisecond)
	}
	lines := log.about("")
	require.Len(t, lines, 21)
	require.Equal(t, "checking the chain of signatures from=0 to=100000 expected_links=16000", lines[0])
	require.Equal(t, "checking the chain of signatures mc_seqno=5100 to=100000 links=816 expected_links=16000", lines[1])
	require.Equal(t, "chain of signatures checked from=0 to=100000 links=16000", lines[20])
}

func TestBlockProof_LinksBeforeAnInvalidOneCount(t *testing.T) {
	t.Parallel()
	raw, q := recordedLinks[0].read(t)
	part := parseProof(t, raw)
	valid, ok := part.Steps[0].(ton.BlockLinkForward)
	require.True(t, ok)
	invalid := valid
	invalid.From, invalid.To = valid.To, tlID(chain.BlockIDExt{BlockID: chain.MasterBlockID(46897200), RootHash: chain.Hash{1}})
	target := idOf(*invalid.To)
	for name, steps := range map[string][]any{
		"an invalid link":           {valid, invalid, invalid},
		"a link that is none":       {valid, nil, invalid},
		"a link from another block": {valid, valid},
		"many of them":              append([]any{valid}, slices.Repeat([]any{invalid}, 200)...),
	} {
		part.Steps, part.To, part.Complete = steps, invalid.To, true
		proven, err := node.CheckPart(part, q.From, target)
		require.Error(t, err, name)
		require.Equal(t, []chain.BlockIDExt{q.To}, proven, name)
	}
	part.Steps = slices.Repeat([]any{valid}, 257)
	_, err := node.CheckPart(part, q.From, q.To)
	require.ErrorContains(t, err, "257 links")

	part.Steps, part.To, part.Complete = []any{valid}, tlID(q.To), true
	_, err = node.CheckPart(part, q.From, target)
	require.ErrorContains(t, err, "it ends at another block than it says", "it claims to be complete")
	changed := bytes.Clone(part.To.RootHash)
	changed[0] ^= 1
	part.To = &ton.BlockIDExt{Workchain: -1, Shard: part.To.Shard, SeqNo: part.To.SeqNo, RootHash: changed, FileHash: part.To.FileHash}
	_, err = node.CheckPart(part, q.From, idOf(*part.To))
	require.ErrorContains(t, err, "block 46897112 on it is not the requested one")
}
