package node_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"go.uber.org/goleak"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
	"tonql/internal/devnet/lite"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// devnet is a chain in memory, mined by hand, behind a real liteserver.
type devnet struct {
	ctx    context.Context
	chain  *ledger.Chain
	config *liteclient.GlobalConfig
	server string // address and port
	faucet *contracts.Wallet
	seqno  uint32 // of the faucet's next external
}

func key(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

const genesisTime = 1_800_000_000

// devnetSeed is the seed of the test devnets: their validators' keys derive from it.
var devnetSeed = sha256.Sum256([]byte("node tests"))

// newDevnet starts a chain and mines its first blocks.
func newDevnet(t testing.TB, blocks int) *devnet {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	faucet, err := contracts.NewWallet(contracts.V3R2, 0, key("faucet"), 0)
	require.NoError(t, err)
	publisher, err := contracts.NewWallet(contracts.V3R2, -1, key("publisher"), 0)
	require.NoError(t, err)
	var seconds atomic.Uint32
	clock := func() uint32 { return genesisTime + seconds.Add(1) } // two devnets are equal until their messages differ
	c, err := ledger.Open(ctx, ledger.Options{Seed: devnetSeed, Clock: clock, GenesisTime: genesisTime, Genesis: []genesis.Account{
		{Address: faucet.Address, Balance: 1e15, Code: faucet.Init.Code, Data: faucet.Init.Data},
		{Address: publisher.Address, Balance: 1e10, Code: publisher.Init.Code, Data: publisher.Init.Data, Libraries: libraries(t)},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	d := &devnet{ctx: ctx, chain: c, faucet: faucet}
	d.mine(t, blocks)

	server, err := lite.New(c, key("liteserver"))
	require.NoError(t, err)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	d.server = server.Addr().String()
	d.config, err = server.GlobalConfig()
	require.NoError(t, err)
	return d
}

// library returns the i-th public library of the test devnets.
func library(i int) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(uint64(i), 64).MustStoreRef(cell.BeginCell().MustStoreUInt(7, 8).EndCell()).EndCell()
}

// libraryCount exceeds the number of libraries that liteservers return at once.
const libraryCount = 20

func libraries(t testing.TB) *cell.Dictionary {
	t.Helper()
	dict := cell.NewDict(256)
	for i := range libraryCount {
		public := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(library(i)).EndCell()
		require.NoError(t, dict.Set(cell.BeginCell().MustStoreSlice(library(i).Hash(), 256).EndCell(), public))
	}
	return dict
}

func (d *devnet) mine(t testing.TB, n int) *ledger.Block {
	t.Helper()
	var b *ledger.Block
	for range n {
		var err error
		b, err = d.chain.Mine(d.ctx)
		require.NoError(t, err)
	}
	return b
}

// pay sends a coin from the faucet to each address and mines the blocks that process the messages.
func (d *devnet) pay(t testing.TB, to ...*address.Address) {
	t.Helper()
	for part := range slices.Chunk(to, d.faucet.Version.MaxMessages()) {
		require.NoError(t, d.chain.SendExternal(d.ctx, d.transfer(t, d.seqno, part...)))
		d.seqno++
		d.mine(t, 1)
	}
}

// transfer returns an external message with which the faucet pays.
func (d *devnet) transfer(t testing.TB, seqno uint32, to ...*address.Address) *cell.Cell {
	t.Helper()
	var orders []contracts.Order
	for _, a := range to {
		orders = append(orders, contracts.Order{Message: contracts.Transfer(a, 1e9, "")})
	}
	ext, err := d.faucet.External(contracts.Ticket{Seqno: seqno, ValidUntil: d.chain.Now() + 600}, orders...)
	require.NoError(t, err)
	return ext
}

// addresses returns addresses without accounts, spread over all shards.
func addresses(n int) []*address.Address {
	list := make([]*address.Address, n)
	for i := range list {
		id := sha256.Sum256([]byte{byte(i)})
		list[i] = address.NewAddress(0, 0, id[:])
	}
	return list
}

func addressOf(a *address.Address) chain.Address {
	return chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
}

// head returns the id of the chain's newest masterchain block.
func (d *devnet) head() chain.BlockIDExt { return idOf(d.chain.Head().ID) }

func idOf(id ton.BlockIDExt) chain.BlockIDExt {
	return chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: id.Workchain, Shard: chain.Shard(id.Shard), Seqno: id.SeqNo},
		RootHash: chain.HashFrom(id.RootHash),
		FileHash: chain.HashFrom(id.FileHash),
	}
}

// proxy starts a proxy in front of the devnet's liteserver.
func (d *devnet) proxy(t testing.TB) *nodetest.Proxy {
	t.Helper()
	return nodetest.NewProxy(t, d.config.Liteservers[0])
}

// through returns the devnet's configuration with proxies as its liteservers.
func (d *devnet) through(proxies ...*nodetest.Proxy) *liteclient.GlobalConfig {
	list := make([]liteclient.LiteserverConfig, len(proxies))
	for i, p := range proxies {
		list[i] = p.Liteserver()
	}
	return nodetest.Config(d.config, list...)
}

// open starts a client with short timeouts and pauses.
func open(t testing.TB, config *liteclient.GlobalConfig, change ...func(*node.Options)) *node.Client {
	t.Helper()
	o := node.Options{
		Config: config, Timeout: pacetest.Slow * time.Second, BrokenPause: 50 * time.Millisecond, LiarPause: 400 * time.Millisecond,
		Logger: logger(),
	}
	for _, f := range change {
		f(&o)
	}
	c, err := node.Open(context.Background(), o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func fast(o *node.Options) { o.Proofs = node.Fast }

// logger prints the client's log when NODE_TEST_LOG is set.
func logger() *slog.Logger {
	out := io.Discard
	if os.Getenv("NODE_TEST_LOG") != "" {
		out = os.Stderr
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// within returns a context that limits one step of a test.
func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), pacetest.Slow*d)
	t.Cleanup(cancel)
	return ctx
}

// eventually tries a condition, in the test's own goroutine, until it holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(pacetest.Slow * time.Minute)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		require.True(t, time.Now().Before(deadline), what)
		<-tick.C
	}
}

// accountHash returns the hash of the faucet's account after a masterchain block, from the chain's state.
func (d *devnet) accountHash(t testing.TB, seqno uint32) cell.Hash {
	t.Helper()
	committed, err := d.chain.Committed(seqno)
	require.NoError(t, err)
	require.Len(t, committed, 1)
	root, err := d.chain.State(committed[0].ID)
	require.NoError(t, err)
	var state tlb.ShardStateUnsplit
	require.NoError(t, tlb.Parse(&state, root))
	key := cell.BeginCell().MustStoreSlice(d.faucet.Address.Data(), 256).EndCell()
	value, _, err := state.Accounts.ShardAccounts.LoadValueExtra(key)
	require.NoError(t, err)
	var account tlb.ShardAccount
	require.NoError(t, tlb.LoadFromCell(&account, value))
	return account.Account.HashKey()
}

// keyBlocks mines key blocks by changing a config parameter, which the config contract has changed before so many times.
func (d *devnet) keyBlocks(t testing.TB, before uint32, n int) {
	t.Helper()
	for i := range n {
		d.setParam(t, before+uint32(i), -1001, cell.BeginCell().MustStoreUInt(uint64(i), 32).EndCell())
	}
}

// setParam sets a config parameter; the last block that it mines is the key block with the new value.
func (d *devnet) setParam(t testing.TB, seqno uint32, param int32, value *cell.Cell) {
	t.Helper()
	change, err := genesis.ConfigChange(sha256.Sum256([]byte("node tests")), seqno, genesisTime+1<<20, param, value)
	require.NoError(t, err)
	require.NoError(t, d.chain.SendExternal(d.ctx, change))
	for range 5 {
		if d.mine(t, 1).KeyBlock {
			return
		}
	}
	require.Fail(t, "no key block")
}
