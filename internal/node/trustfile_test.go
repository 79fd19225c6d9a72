package node_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
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

// The first start proves a chain of 40 key blocks. The second finds everything in the file: it requests no proof and no
// configuration, and is ready at once.
func TestTrustFile_SecondStartRequestsNoProof(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	d.keyBlocks(t, 0, 40)
	file := filepath.Join(t.TempDir(), "trust.json")
	start := func() (*nodetest.Proxy, time.Duration) {
		p := d.proxy(t)
		began := time.Now()
		c := open(t, d.through(p), func(o *node.Options) { o.TrustFile, o.Anchor = file, node.Anchor{Zerostate: true} })
		head, err := c.Head(within(t, time.Minute))
		took := time.Since(began)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
		c.Close()
		return p, took
	}
	p, _ := start()
	require.Greater(t, p.QueryCount("GetBlockProof"), 1)
	p, took := start()
	require.Zero(t, p.QueryCount("GetBlockProof"))
	require.Zero(t, p.QueryCount("GetConfigAll"))
	require.Zero(t, p.QueryCount("GetBlockHeader"))
	require.Less(t, took, pacetest.Slow*time.Second)
}

// A digit of the file that changed would be a block that no server can link to its head. The checksum detects it, and
// the chain is proven again.
func TestTrustFile_DamagedFileIsNotBelieved(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 1)
	d.keyBlocks(t, 0, 3)
	folder := t.TempDir()
	good := filepath.Join(folder, "good.json")
	anchored := func(file string, log *recorder) func(*node.Options) {
		return func(o *node.Options) {
			o.TrustFile, o.Anchor, o.Logger = file, node.Anchor{Zerostate: true}, slog.New(log)
		}
	}
	log := &recorder{}
	c := open(t, d.config, anchored(good, log))
	_, err := c.Head(within(t, time.Minute))
	require.NoError(t, err)
	c.Close()
	content, err := os.ReadFile(good)
	require.NoError(t, err)
	require.Empty(t, log.about("continue from saved blocks"))

	for name, change := range map[string]func([]byte) []byte{
		"hash of the key block": func(b []byte) []byte { return flip(t, b, `"key"`, `"root_hash": "`) },
		"hash of the head":      func(b []byte) []byte { return flip(t, b, `"head"`, `"root_hash": "`) },
		"file hash of the head": func(b []byte) []byte { return flip(t, b, `"head"`, `"file_hash": "`) },
		"seqno of the head":     func(b []byte) []byte { return flip(t, b, `"head"`, `"seqno": `) },
		"checksum":              func(b []byte) []byte { return flip(t, b, `"sha256"`, `: "`) },
		"cut off":               func(b []byte) []byte { return b[:len(b)/2] },
		"empty":                 func([]byte) []byte { return nil },
		"another key block at the seqno of the head": func(b []byte) []byte {
			b = bytes.Replace(b, []byte(`"sha256"`), []byte(`"other"`), 1) // no checksum, as in files of older releases
			return flip(t, b, `"key"`, `"root_hash": "`)
		},
	} {
		file := filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+".json")
		require.NoError(t, os.WriteFile(file, change(bytes.Clone(content)), 0o600))
		p := d.proxy(t)
		var fromZerostate atomic.Bool
		p.Break(nodetest.Only[ton.GetBlockProof](func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
			if q, ok := query.(ton.GetBlockProof); ok && q.KnownBlock.SeqNo == 0 {
				fromZerostate.Store(true)
			}
			return next(ctx, query)
		}))
		c := open(t, d.through(p), anchored(file, &recorder{}))
		head, err := c.Head(within(t, time.Minute))
		require.NoError(t, err, name)
		require.Equal(t, d.head(), head, name)
		require.True(t, fromZerostate.Load(), name)
		c.Close()
		repaired, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, content, repaired, name)
	}

	// What somebody wrote on purpose is believed, as the folder is: then no server can prove its head, and no block of
	// the true chain is served.
	forged := filepath.Join(folder, "forged.json")
	fork := newDevnet(t, 2) // with the same zerostate
	fork.keyBlocks(t, 0, 2)
	c = open(t, fork.config, anchored(forged, log))
	_, err = c.Head(within(t, time.Minute))
	require.NoError(t, err)
	c.Close()
	c = open(t, d.config, anchored(forged, log))
	_, err = c.Head(within(t, time.Minute))
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Len(t, log.about("proofs continue from saved blocks file="+forged), 1)
	_, err = c.MasterBlockID(within(t, 5*time.Second), 1)
	require.Error(t, err)
}

// flip changes the first character of a value behind two texts.
func flip(t *testing.T, b []byte, section, field string) []byte {
	t.Helper()
	at := bytes.Index(b, []byte(section))
	require.Positive(t, at)
	n := bytes.Index(b[at:], []byte(field))
	require.GreaterOrEqual(t, n, 0)
	i := at + n + len(field)
	if b[i] == '1' {
		b[i] = '2'
	} else {
		b[i] = '1'
	}
	return b
}
