package lite

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
	"tonql/internal/pacetest"
)

func TestServer_UnknownQueryKeepsTheConnection(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	unknown := tl.Raw(binary.LittleEndian.AppendUint32(nil, 0xdeadbeef))
	for range 3 {
		require.Contains(t, n.refused(unknown, codeProtocol), "unknown query")
	}
	cut, err := tl.Serialize(ton.GetBlockData{ID: &n.chain.Head().ID}, true)
	require.NoError(t, err)
	n.refused(tl.Raw(cut[:len(cut)-8]), codeProtocol)
	n.refused(ton.NonfinalGetValidatorGroups{}, codeBadRequest)
	require.Equal(t, protocolVersion, int(call[ton.Version](n, ton.GetVersion{}).Version))
}

func TestServer_InvalidArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	head := n.chain.Head()
	shard := n.shardBlocks()[0]
	zeroes := &ton.BlockIDExt{Workchain: -1, Shard: rootShard, SeqNo: 1, RootHash: make([]byte, 32), FileHash: make([]byte, 32)}
	alien := head.ID.Copy()
	alien.RootHash[5] ^= 0xff
	acc := ton.AccountID{Workchain: 0, ID: absent.Data()}
	one := &ton.BlockInfoShort{Workchain: 0, Shard: rootShard, Seqno: 1}

	cases := map[string]struct {
		query tl.Serializable
		code  int32
	}{
		"block id of zeroes":       {ton.GetBlockData{ID: zeroes}, codeBadRequest},
		"unknown block":            {ton.GetBlockData{ID: alien}, codeNotReady},
		"unknown block's state":    {ton.GetState{ID: alien}, codeNotReady},
		"unknown block's header":   {ton.GetBlockHeader{ID: alien}, codeNotReady},
		"account at shard block":   {ton.GetAccountState{ID: &shard.ID, Account: ton.AccountID{Workchain: -1, ID: acc.ID}}, codeBadRequest},
		"account at unknown block": {ton.GetAccountState{ID: alien, Account: acc}, codeNotReady},
		"shards of a shard block":  {ton.GetAllShardsInfo{ID: &shard.ID}, codeBadRequest},
		"config of a shard block":  {ton.GetConfigAll{BlockID: &shard.ID}, codeBadRequest},
		"look-up in two ways":      {ton.LookupBlock{Mode: 3, ID: one}, codeBadRequest},
		"look-up in no way":        {ton.LookupBlock{Mode: 0, ID: one}, codeBadRequest},
		"seqno of the future":      {ton.LookupBlock{Mode: 1, ID: &ton.BlockInfoShort{Workchain: 0, Shard: rootShard, Seqno: 1 << 20}}, codeNotReady},
		"LT of the future":         {ton.LookupBlock{Mode: 2, ID: one, LT: 1 << 60}, codeNotReady},
		"time of the future":       {ton.LookupBlock{Mode: 4, ID: one, UTime: 1 << 31}, codeNotReady},
		"unknown workchain":        {ton.LookupBlock{Mode: 1, ID: &ton.BlockInfoShort{Workchain: 9, Shard: rootShard, Seqno: 1}}, codeNotReady},
		"history that is not":      {ton.GetTransactions{Limit: 5, AccID: &acc, LT: 1 << 60, TxHash: make([]byte, 32)}, codeBadRequest},
		"history without the LT":   {ton.GetTransactions{Limit: 5, AccID: &acc, LT: int64(shard.EndLT), TxHash: make([]byte, 32)}, codeBadRequest},
		"transaction elsewhere":    {ton.GetOneTransaction{ID: &head.ID, AccID: &acc, LT: 1}, codeBadRequest},
		"mode of the method":       {ton.RunSmcMethod{Mode: 1 << 9, ID: &head.ID, Account: acc}, codeBadRequest},
		"parameters as junk":       {ton.RunSmcMethod{Mode: 4, ID: &head.ID, Account: acc, Params: []byte("junk")}, codeBadRequest},
		"parameters in megabytes":  {ton.RunSmcMethod{Mode: 4, ID: &head.ID, Account: acc, Params: make([]byte, 70_000)}, codeBadRequest},
		"mode of the info":         {ton.GetMasterchainInfoExt{Mode: 1}, codeBadRequest},
		"dispatch of no account":   {ton.GetDispatchQueueInfo{ID: &shard.ID}, codeBadRequest},
		"dispatch of no message":   {ton.GetDispatchQueueMessages{ID: &shard.ID, Addr: make([]byte, 32)}, codeBadRequest},
		"no statistics":            {ton.GetValidatorStats{ID: &head.ID}, codeBadRequest},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response := n.query(c.query)
			ls, ok := response.(ton.LSError)
			require.True(t, ok, "%T", response)
			require.Equal(t, c.code, ls.Code, ls.Text)
			require.NotEmpty(t, ls.Text)
		})
	}
}

func TestGetState_ReturnsTheStateOfEachBlock(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.mine(2)
	for _, wc := range []int32{-1, 0} {
		zero := n.chain.ZerostateID(wc)
		s := call[ton.BlockState](n, ton.GetState{ID: &zero})
		require.Equal(t, zero.RootHash, mustBOC(t, s.Data).Hash())
		require.Equal(t, zero.FileHash, s.FileHash)
	}
	for _, b := range append(n.shardBlocks(), n.chain.Head()) {
		s := call[ton.BlockState](n, ton.GetState{ID: &b.ID})
		hash, err := stateHash(b.Root)
		require.NoError(t, err)
		require.Equal(t, hash, mustBOC(t, s.Data).Hash())
	}
	info := call[ton.MasterchainInfoExt](n, ton.GetMasterchainInfoExt{})
	require.Equal(t, n.chain.Head().GenUtime, info.LastUTime)
	require.EqualValues(t, capabilities, info.Capabilities)
}

func TestWaitMasterchainSeqno_WaitsForTheBlock(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	next := n.chain.Head().ID.SeqNo + 1

	ctx, cancel := context.WithTimeout(n.ctx, 300*time.Millisecond)
	defer cancel()
	_, err := n.client(ton.ProofCheckPolicyFast).WaitForBlock(next).GetMasterchainInfo(ctx)
	require.Error(t, err, "no block is mined meanwhile")

	done := make(chan error, 1)
	var got *ton.BlockIDExt
	go func() {
		var err error
		got, err = n.client(ton.ProofCheckPolicyFast).WaitForBlock(next).GetMasterchainInfo(n.ctx)
		done <- err
	}()
	n.mine(1)
	require.NoError(t, <-done)
	require.GreaterOrEqual(t, got.SeqNo, next)

	_, err = n.client(ton.ProofCheckPolicyFast).WaitForBlock(next + 10_000).GetMasterchainInfo(n.ctx)
	var ls ton.LSError
	require.ErrorAs(t, err, &ls)
	require.EqualValues(t, codeNotReady, ls.Code, "not worth waiting for")
}

// TestServer_InvalidHandshakesAreDisconnected checks that the server disconnects clients of other protocols and keeps
// running.
func TestServer_InvalidHandshakesAreDisconnected(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	for _, hello := range [][]byte{
		make([]byte, adnl.HandshakeSize),
		append(append([]byte{}, n.server.keyID[:]...), make([]byte, adnl.HandshakeSize-32)...),
		[]byte("GET / HTTP/1.1\r\n\r\n"),
	} {
		nc, err := net.Dial("tcp", n.server.Addr().String())
		require.NoError(t, err)
		_, err = nc.Write(hello)
		require.NoError(t, err)
		require.NoError(t, nc.(*net.TCPConn).CloseWrite())
		require.NoError(t, nc.SetReadDeadline(time.Now().Add(10*time.Second)))
		got := make([]byte, 1)
		_, err = nc.Read(got)
		require.Error(t, err, "the server disconnects without a response")
		require.NoError(t, nc.Close())
	}
	call[ton.CurrentTime](n, ton.GetTime{})
}

func TestWithMiddleware_FalsifiesStallsAndHangsUp(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	var mu sync.Mutex
	plan := "pass"
	set := func(p string) { mu.Lock(); plan = p; mu.Unlock() }
	n := newNetwork(t, WithQueryTimeout(300*time.Millisecond), WithMiddleware(func(next Handler) Handler {
		return func(ctx context.Context, q tl.Serializable) tl.Serializable {
			mu.Lock()
			defer mu.Unlock()
			switch plan {
			case "lie":
				return ton.CurrentTime{Now: 42}
			case "stall":
				<-ctx.Done()
				return next(ctx, q)
			case "drop":
				return nil
			case "hang up":
				return HangUp{}
			default:
				return next(ctx, q)
			}
		}
	}))
	require.NotEqual(t, uint32(42), call[ton.CurrentTime](n, ton.GetTime{}).Now)
	set("lie")
	require.Equal(t, uint32(42), call[ton.CurrentTime](n, ton.GetTime{}).Now)
	set("stall")
	n.refused(ton.GetTime{}, codeTimeout)
	for _, p := range []string{"drop", "hang up"} {
		set(p)
		ctx, cancel := context.WithTimeout(n.ctx, 500*time.Millisecond)
		var response tl.Serializable
		require.Error(t, n.pool.QueryLiteserver(ctx, ton.GetTime{}, &response), p)
		cancel()
	}
}

func TestWriteGlobalConfig_ClientsConnect(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	path := filepath.Join(t.TempDir(), "global.config.json")
	require.NoError(t, n.server.WriteGlobalConfig(path))

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(data), "null", "other clients expect lists, also empty ones")
	cfg, err := liteclient.GetConfigFromFile(path)
	require.NoError(t, err)
	want, err := n.server.GlobalConfig()
	require.NoError(t, err)
	require.Equal(t, mustJSON(t, want), mustJSON(t, cfg))

	pool := liteclient.NewConnectionPool()
	pool.SetOnDisconnect(nil) // its reconnection would continue after Stop
	defer pool.Stop()
	require.NoError(t, pool.AddConnectionsFromConfigFile(path))
	c := ton.NewAPIClient(pool, ton.ProofCheckPolicySecure)
	c.SetTrustedBlockFromConfig(cfg)
	head, err := c.GetMasterchainInfo(n.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, head.SeqNo)
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

func TestServer_ListensOnceUntilClosed(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	require.Error(t, n.server.Listen("127.0.0.1:0"), "the server listens already")

	full, err := New(n.chain, seedKey("full"), WithMaxConnections(1))
	require.NoError(t, err)
	require.Nil(t, full.Addr())
	_, err = full.GlobalConfig()
	require.Error(t, err, "nothing to advertise yet")
	require.NoError(t, full.Listen("127.0.0.1:0"))
	first, err := net.Dial("tcp", full.Addr().String())
	require.NoError(t, err)
	defer func() { require.NoError(t, first.Close()) }()
	second, err := net.Dial("tcp", full.Addr().String())
	require.NoError(t, err)
	defer func() { require.NoError(t, second.Close()) }()
	require.NoError(t, second.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err = second.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "a client above the limit is disconnected at once")

	require.NoError(t, full.Close())
	require.NoError(t, full.Close())
	require.ErrorIs(t, full.Listen("127.0.0.1:0"), net.ErrClosed)
}

// TestServer_ConcurrentClientsWhileMining queries over several connections at once while blocks are made.
func TestServer_ConcurrentClientsWhileMining(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := newNetwork(t)
	n.pay(address.NewAddress(0, 0, bytes.Repeat([]byte{9}, 32)), 1_000_000_000, "load")
	ctx, stop := context.WithCancel(n.ctx)
	defer stop()
	var miner sync.WaitGroup
	miner.Go(func() {
		for ctx.Err() == nil {
			if _, err := n.chain.Mine(ctx); err != nil {
				return
			}
		}
	})
	const clients, rounds = 4, 25
	errs := make(chan error, clients*8)
	var wg sync.WaitGroup
	for range clients {
		c := ton.NewAPIClient(n.connect(), ton.ProofCheckPolicyFast)
		for range 8 {
			wg.Go(func() { errs <- load(ctx, n, c, rounds) })
		}
	}
	wg.Wait()
	stop()
	miner.Wait()
	for range cap(errs) {
		require.NoError(t, <-errs)
	}
}

// load sends one of each common query per round.
func load(ctx context.Context, n *network, c *ton.APIClient, rounds int) error {
	for range rounds {
		head, err := c.GetMasterchainInfo(ctx)
		if err != nil {
			return fmt.Errorf("info: %w", err)
		}
		if _, err := c.GetBlockShardsInfo(ctx, head); err != nil {
			return fmt.Errorf("shards: %w", err)
		}
		if _, err := c.GetAccount(ctx, head, n.faucet.Address); err != nil {
			return fmt.Errorf("account: %w", err)
		}
		if _, err := c.RunGetMethod(ctx, head, n.faucet.Address, "seqno"); err != nil {
			return fmt.Errorf("method: %w", err)
		}
		if _, _, err := c.GetBlockTransactionsV2(ctx, head, 10); err != nil {
			return fmt.Errorf("transactions: %w", err)
		}
	}
	return nil
}
