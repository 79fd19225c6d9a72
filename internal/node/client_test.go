package node_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/pacetest"
)

// sameBlocks compares a masterchain block of the client with the chain's.
func sameBlocks(t *testing.T, d *devnet, got *chain.RawMasterBlock, seqno uint32) {
	t.Helper()
	want, err := d.chain.BySeqno(-1, -1<<63, seqno)
	require.NoError(t, err)
	require.Equal(t, idOf(want.ID), got.Master.ID)
	require.Equal(t, want.Root.Hash(), got.Master.Root.Hash())
	committed, err := d.chain.Committed(seqno)
	require.NoError(t, err)
	wantIDs, gotIDs := map[chain.BlockIDExt]bool{}, map[chain.BlockIDExt]bool{}
	position := map[chain.BlockIDExt]int{}
	for _, b := range committed {
		wantIDs[idOf(b.ID)] = true
	}
	for i, b := range got.Shards {
		gotIDs[b.ID] = true
		position[b.ID] = i
		require.Equal(t, b.ID.RootHash[:], b.Root.Hash())
	}
	require.Equal(t, wantIDs, gotIDs)
	require.Len(t, got.Shards, len(committed))
	for _, b := range committed {
		for _, p := range b.Prev {
			if at, ok := position[idOf(p)]; ok {
				require.Less(t, at, position[idOf(b.ID)], "parents come first")
			}
		}
	}
	require.NotEmpty(t, got.Top)
}

func TestMasterBlock_EqualsTheChainThroughSplitAndMerge(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	to := addresses(8)
	d.pay(t, to...)
	d.mine(t, 2)
	require.NoError(t, d.chain.RequestSplit(0, -1<<63))
	d.mine(t, 4)
	d.pay(t, to...)
	d.mine(t, 3)
	require.NoError(t, d.chain.RequestMerge(0, -1<<63))
	d.mine(t, 5)
	head := d.head()

	widest := 0
	for _, proofs := range []node.Proofs{node.Secure, node.Fast} {
		c := open(t, d.config, func(o *node.Options) { o.Proofs = proofs })
		ctx := within(t, time.Minute)
		got, err := c.Head(ctx)
		require.NoError(t, err)
		require.Equal(t, head, got)
		for seqno := head.Seqno; seqno > 0; seqno-- { // backwards, against the cache of ids
			b, err := c.MasterBlock(ctx, seqno)
			require.NoError(t, err)
			sameBlocks(t, d, b, seqno)
			widest = max(widest, len(b.Top))
		}
		c = open(t, d.config, func(o *node.Options) { o.Proofs = proofs })
		var group errgroup.Group
		for seqno := uint32(1); seqno <= head.Seqno; seqno++ { // all at once, nothing cached
			group.Go(func() error {
				b, err := c.MasterBlock(ctx, seqno)
				if err == nil {
					sameBlocks(t, d, b, seqno)
				}
				return err
			})
		}
		require.NoError(t, group.Wait())
	}
	require.Equal(t, 2, widest, "the chain was split")
}

func TestOpen_ReturnsWithAUsableServer(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 1)
	for range 200 { // the head is set shortly before the server becomes usable
		c := open(t, d.config)
		_, err := c.Head(t.Context())
		require.NoError(t, err)
		c.Close()
	}
}

func TestHead_FollowsTheChain(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 1)
	c := open(t, d.config)
	ctx := within(t, time.Minute)
	var slowest time.Duration
	for range 20 {
		next := d.head().Seqno + 1
		done := make(chan time.Time, 1)
		go func() {
			_, err := c.Wait(ctx, next)
			if err == nil {
				_, err = c.MasterBlock(ctx, next)
			}
			if err == nil {
				done <- time.Now()
			}
			close(done)
		}()
		d.mine(t, 1)
		mined := time.Now()
		arrived, ok := <-done
		require.True(t, ok)
		slowest = max(slowest, arrived.Sub(mined))
		head, err := c.Head(ctx)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
	}
	t.Logf("slowest of 20 blocks arrived %s after it was mined", slowest)
	require.Less(t, slowest, pacetest.Slow*time.Second)

	_, err := c.MasterBlock(ctx, d.head().Seqno+1)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	short := within(t, 50*time.Millisecond)
	_, err = c.Wait(short, d.head().Seqno+1)
	require.ErrorIs(t, err, short.Err())
}

func TestAccount_PresentAndAbsentAreProven(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 1)
	to := addresses(4)
	d.pay(t, to...)
	d.mine(t, 3)
	c := open(t, d.config)
	ctx := within(t, time.Minute)
	head := d.head()
	block, err := c.MasterBlock(ctx, head.Seqno)
	require.NoError(t, err)

	for _, at := range []chain.BlockIDExt{head, block.Top[0]} {
		for _, a := range append(to, d.faucet.Address) {
			got, err := c.Account(ctx, at, addressOf(a))
			require.NoError(t, err)
			require.NotNil(t, got.Root)
			var state tlb.AccountState
			require.NoError(t, tlb.Parse(&state, got.Root))
			require.Equal(t, a.StringRaw(), state.Address.StringRaw())
			require.NotZero(t, got.LastTxLT)
			require.False(t, got.LastTxHash.IsZero())
		}
		absent, err := c.Account(ctx, at, chain.Address{ID: chain.Hash{1, 2, 3}})
		require.NoError(t, err)
		require.Equal(t, &chain.RawAccount{}, absent)
	}
	elector, err := c.Account(ctx, head, chain.Address{Workchain: -1, ID: configParamHash(t, d, 1)})
	require.NoError(t, err)
	require.NotNil(t, elector.Root)

	_, err = c.Account(ctx, block.Top[0], chain.Address{Workchain: -1})
	require.Equal(t, chain.Invalid, chain.KindOf(err))

	zero := idOf(d.chain.ZerostateID(0))
	before, err := c.Account(ctx, zero, addressOf(d.faucet.Address))
	require.NoError(t, err)
	require.NotNil(t, before.Root)
	require.Zero(t, before.LastTxLT)
	before, err = c.Account(ctx, zero, addressOf(to[0]))
	require.NoError(t, err)
	require.Nil(t, before.Root)
}

func TestConfig_IsReadAtMasterchainBlocksOnly(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 4)
	c := open(t, d.config)
	ctx := within(t, time.Minute)
	for _, at := range []chain.BlockIDExt{d.head(), idOf(d.chain.ZerostateID(-1))} {
		root, err := c.Config(ctx, at)
		require.NoError(t, err)
		require.Equal(t, d.chain.Config().Hash(), root.Hash())
	}
	block, err := c.MasterBlock(ctx, 4)
	require.NoError(t, err)
	_, err = c.Config(ctx, block.Top[0])
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestSendMessage_RefusalIsNoServerFault(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 1)
	c := open(t, d.config)
	ctx := within(t, time.Minute)
	to := addresses(1)[0]
	good := d.transfer(t, 0, to)
	require.NoError(t, c.SendMessage(ctx, good.ToBOC()))
	head := d.mine(t, 2)
	_, err := c.Wait(ctx, head.ID.SeqNo)
	require.NoError(t, err)
	got, err := c.Account(ctx, d.head(), addressOf(to))
	require.NoError(t, err)
	require.NotNil(t, got.Root)

	err = c.SendMessage(ctx, d.transfer(t, 0, to, to).ToBOC()) // the wallet is past this seqno
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "external message")
	err = c.SendMessage(ctx, chain.BOC("not a bag of cells"))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.True(t, c.States()[0].Usable, "refusing a message is no fault of the server")
}

func TestOpen_ReadsTheGlobalConfigFromFileAndURL(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	data, err := json.Marshal(d.config)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "global.config.json")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	mux := http.NewServeMux()
	mux.HandleFunc("/global.config.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	web := httptest.NewServer(mux)
	defer web.Close()
	ctx := within(t, time.Minute)
	for _, where := range []string{path, web.URL + "/global.config.json"} {
		c, err := node.Open(ctx, node.Options{GlobalConfig: where})
		require.NoError(t, err)
		head, err := c.Head(ctx)
		c.Close()
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
	}
	for name, o := range map[string]node.Options{
		"file":    {GlobalConfig: filepath.Join(t.TempDir(), "missing.json")},
		"network": {Network: "fakenet"},
		"devnet":  {Network: "devnet"},
		"empty":   {GlobalConfig: write(t, "{}")},
		"text":    {GlobalConfig: write(t, "no json")},
	} {
		_, err := node.Open(ctx, o)
		require.Equal(t, chain.Invalid, chain.KindOf(err), name)
	}
	_, err = node.Open(ctx, node.Options{GlobalConfig: web.URL + "/missing"})
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
}

// A global config that is too long is refused with its limit, not with the error of JSON that was cut.
func TestOpen_LongGlobalConfigIsRefusedByItsSize(t *testing.T) {
	t.Parallel()
	data := `{"x":"` + strings.Repeat("x", 8<<20) + `"}`
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(data)) }))
	defer web.Close()
	for _, where := range []string{write(t, data), web.URL} {
		_, err := node.Open(within(t, time.Minute), node.Options{GlobalConfig: where})
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", err)
		require.Equal(t, where+": a global config has at most 8388608 bytes", chain.PublicMessage(err))
	}
}

func TestTrustFile_ProvenBlocksSurviveARestart(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	file := filepath.Join(t.TempDir(), "trust.json")
	keep := func(o *node.Options) { o.TrustFile = file }
	c := open(t, d.config, keep)
	_, err := c.MasterBlock(within(t, time.Minute), 2)
	require.NoError(t, err)
	c.Close()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(data), d.head().RootHash.String())

	// Blocks in the file are not proven again; a wrong one is refused.
	p := d.proxy(t)
	c = open(t, d.through(p), keep)
	_, err = c.Head(within(t, time.Minute))
	require.NoError(t, err)
	require.Zero(t, p.QueryCount("GetBlockProof"))
	c.Close()

	other := newDevnet(t, 5)
	other.config.Validator.InitBlock.RootHash = make([]byte, 32) // another anchor: its zerostate
	c = open(t, other.config, keep)
	head, err := c.Head(within(t, time.Minute))
	require.NoError(t, err)
	require.Equal(t, other.head(), head)
}

// configParamHash reads a parameter that is an address on the masterchain (0 config, 1 elector).
func configParamHash(t *testing.T, d *devnet, n int64) chain.Hash {
	t.Helper()
	value, err := d.chain.Config().AsDict(32).LoadValueByIntKey(big.NewInt(n))
	require.NoError(t, err)
	id, err := value.MustLoadRef().LoadSlice(256)
	require.NoError(t, err)
	return chain.HashFrom(id)
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
