package lite

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/wallet"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"go.uber.org/goleak"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
	"tonql/internal/pacetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// network is a chain in memory behind a server, mined by hand, and a client.
type network struct {
	t      testing.TB
	ctx    context.Context
	chain  *ledger.Chain
	server *Server
	pool   *liteclient.ConnectionPool
	faucet *contracts.Wallet
}

// seedKey derives a key for a wallet of a test.
func seedKey(name string) ed25519.PrivateKey {
	sum := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(sum[:])
}

// testSeed is the seed of all chains of the tests.
var testSeed = sha256.Sum256([]byte("lite tests"))

// newNetwork starts a chain with a funded wallet and mines its first block.
func newNetwork(t testing.TB, opts ...Option) *network {
	t.Helper()
	return newNetworkWith(t, nil, opts...)
}

// newNetworkWith adds accounts that exist from the beginning.
func newNetworkWith(t testing.TB, accounts []genesis.Account, opts ...Option) *network {
	t.Helper()
	return newNetworkOn(t, ledger.Options{Genesis: accounts}, opts...)
}

// newNetworkOn also configures the chain.
func newNetworkOn(t testing.TB, on ledger.Options, opts ...Option) *network {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)

	faucet, err := contracts.NewWallet(contracts.V3R2, 0, seedKey("faucet"), 0)
	require.NoError(t, err)
	on.Genesis = append(on.Genesis, genesis.Account{
		Address: faucet.Address, Balance: 1_000_000_000_000_000, Code: faucet.Init.Code, Data: faucet.Init.Data,
	})
	on.Seed = testSeed
	chain, err := ledger.Open(ctx, on)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	_, err = chain.Mine(ctx)
	require.NoError(t, err)

	server, err := New(chain, seedKey("server"), opts...)
	require.NoError(t, err)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })

	n := &network{t: t, ctx: ctx, chain: chain, server: server, faucet: faucet}
	n.pool = n.connect()
	return n
}

// connect opens a client's connection through the global config.
func (n *network) connect() *liteclient.ConnectionPool {
	n.t.Helper()
	cfg, err := n.server.GlobalConfig()
	require.NoError(n.t, err)
	pool := liteclient.NewConnectionPool()
	pool.SetOnDisconnect(nil) // its reconnection would continue after Stop
	n.t.Cleanup(pool.Stop)
	require.NoError(n.t, pool.AddConnectionsFromConfig(n.ctx, cfg))
	return pool
}

// client returns a new API client, with an empty cache.
func (n *network) client(policy ton.ProofCheckPolicy) *ton.APIClient {
	n.t.Helper()
	cfg, err := n.server.GlobalConfig()
	require.NoError(n.t, err)
	c := ton.NewAPIClient(n.pool, policy)
	c.SetTrustedBlockFromConfig(cfg)
	return c
}

// query sends a query and returns the response, which may be an error.
func (n *network) query(q tl.Serializable) tl.Serializable {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.ctx, 20*time.Second)
	defer cancel()
	var response tl.Serializable
	require.NoError(n.t, n.pool.QueryLiteserver(ctx, q, &response))
	return response
}

// refused sends a query that must fail with an error of this code.
func (n *network) refused(q tl.Serializable, code int32) string {
	n.t.Helper()
	response := n.query(q)
	ls, ok := response.(ton.LSError)
	require.True(n.t, ok, "%T", response)
	require.Equal(n.t, code, ls.Code, ls.Text)
	return ls.Text
}

// call is query for a response of a given type.
func call[T any](n *network, q tl.Serializable) T {
	n.t.Helper()
	response := n.query(q)
	v, ok := response.(T)
	require.True(n.t, ok, "%T: %v", response, response)
	return v
}

func (n *network) mine(times int) *ledger.Block {
	n.t.Helper()
	var b *ledger.Block
	for range times {
		var err error
		b, err = n.chain.Mine(n.ctx)
		require.NoError(n.t, err)
	}
	return b
}

// mineUntil mines until the condition holds.
func (n *network) mineUntil(what string, cond func() bool) {
	n.t.Helper()
	for range 50 {
		if cond() {
			return
		}
		n.mine(1)
	}
	require.Fail(n.t, what)
}

// wallet returns a wallet of tonutils-go with a new client.
func (n *network) wallet(key ed25519.PrivateKey, version wallet.VersionConfig) *wallet.Wallet {
	n.t.Helper()
	w, err := wallet.FromPrivateKey(n.client(ton.ProofCheckPolicySecure), key, version)
	require.NoError(n.t, err)
	return w
}

// pay sends coins from the faucet and mines until they arrive.
func (n *network) pay(to *address.Address, nano uint64, comment string) {
	n.t.Helper()
	seqno := n.faucetSeqno()
	msg, err := n.faucet.External(
		contracts.Ticket{Seqno: seqno, ValidUntil: n.chain.Now() + 600},
		contracts.Order{Message: contracts.Transfer(to, nano, comment)},
	)
	require.NoError(n.t, err)
	status := call[ton.SendMessageStatus](n, ton.SendMessage{Body: msg.ToBOC()})
	require.EqualValues(n.t, 1, status.Status)
	n.mineUntil("the faucet's transfer is executed", func() bool { return n.faucetSeqno() > seqno })
	n.mine(2)
}

func (n *network) faucetSeqno() uint32 {
	n.t.Helper()
	acc := n.account(n.faucet.Address)
	seqno, err := n.faucet.Seqno(acc.Data)
	require.NoError(n.t, err)
	return seqno
}

// account reads an account after the newest block and checks the proofs.
func (n *network) account(addr *address.Address) *tlb.Account {
	n.t.Helper()
	c := n.client(ton.ProofCheckPolicySecure)
	head, err := c.GetMasterchainInfo(n.ctx)
	require.NoError(n.t, err)
	acc, err := c.GetAccount(n.ctx, head, addr)
	require.NoError(n.t, err)
	return acc
}

// absentBOC is a valid bag of cells without a message.
func absentBOC() []byte { return cell.BeginCell().EndCell().ToBOC() }

func mustBOC(t testing.TB, data []byte) *cell.Cell {
	t.Helper()
	c, err := cell.FromBOC(data)
	require.NoError(t, err)
	return c
}

func roots(t testing.TB, data []byte) []*cell.Cell {
	t.Helper()
	c, err := cell.FromBOCMultiRoot(data)
	require.NoError(t, err)
	return c
}

// requireRoot reports whether c is a Merkle proof of a tree with this root.
func requireRoot(c *cell.Cell, hash []byte) error {
	_, err := cell.UnwrapProof(c, hash)
	return err
}
