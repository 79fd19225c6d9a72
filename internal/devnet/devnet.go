package devnet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
	"tonql/internal/devnet/lite"
	"tonql/internal/devnet/scenario"
	"tonql/internal/filelock"
)

// Defaults of [Options].
const (
	// DefaultInterval is a second, because clients cache the newest block for as long.
	DefaultInterval = time.Second
	DefaultListen   = "127.0.0.1:0"
)

// ByHand is the interval of networks that make blocks only by Advance.
const ByHand time.Duration = -1

// genesisTime is the genesis time of deterministic chains: 15 June 2025, 15:06:40 UTC.
const genesisTime = 1_750_000_000

// Names in the folder of a network.
const (
	chainDir   = "chain"
	configName = "global.config.json"
)

// Options configure a network.
type Options struct {
	// Dir stores the chain, the seed and the global config; empty = a temporary folder that Close removes.
	Dir string
	// Listen is the liteserver's address; empty = a free port on loopback.
	Listen string
	// Admin is the address of the administration API, on loopback only; empty = none.
	Admin string
	// Seed is the source of all keys and random numbers; zero = the folder's seed, or a random one.
	Seed [32]byte
	// Interval between blocks; 0 = DefaultInterval, ByHand = only by Advance.
	Interval time.Duration
	// Instant makes a block also as soon as messages wait for one.
	Instant bool
	// Deterministic replaces the wall clock with one that advances by the interval per block.
	Deterministic bool
	// ClockStep is the time by which the deterministic clock advances per block; 0 = Interval, or a second for blocks
	// made by Advance only. Below a second several blocks have the same time.
	ClockStep time.Duration
	// Clock is unix time for chains that are not deterministic; nil = the wall clock.
	Clock func() uint32
	// GlobalID of the network; 0 = ledger.DefaultGlobalID.
	GlobalID int32
	// GlobalVersion is the protocol version of a new chain; 0 = genesis.DefaultGlobalVersion.
	GlobalVersion uint32
	// Consensus of the validators; empty = Simplex for a new chain, no change of a stored one. A stored chain with
	// another consensus switches with its next block, a key block.
	Consensus Consensus
	// InitialSplit is the split depth of the basechain at the start; 0 = one shard.
	InitialSplit int
	// ShardBlocks is the number of blocks that each shard makes between two masterchain blocks; 0 = 1, at most
	// ledger.MaxShardBlocks.
	ShardBlocks int
	// Accounts are further accounts of the zerostate.
	Accounts []genesis.Account
	// Mint has the amounts of extra currencies that the chain mints for Minter, config parameters 7 and 2.
	Mint   map[uint32]*big.Int
	Minter *address.Address
	// Scenario generates traffic. ActionsPerMinute and ShardPeriod configure it
	// (0 = the scenario's defaults). Protocol adds its flows of the protocol; a stored chain must have been started with it.
	Scenario         bool
	Protocol         bool
	ActionsPerMinute int
	ShardPeriod      int
	// Lite has further options of the liteserver.
	Lite []lite.Option
	Log  *slog.Logger // nil = silent
}

func (o *Options) fill() {
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	if o.Interval == 0 {
		o.Interval = DefaultInterval
	}
	if o.ClockStep == 0 {
		o.ClockStep = max(o.Interval, 0)
	}
	if o.ClockStep == 0 {
		o.ClockStep = time.Second
	}
	if o.GlobalID == 0 {
		o.GlobalID = ledger.DefaultGlobalID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// driven reports whether only Advance makes blocks and traffic.
func (o *Options) driven() bool { return o.Deterministic || o.Interval < 0 }

// Devnet is a running network. Create it with [Start] and end it with [Devnet.Close].
type Devnet struct {
	Chain    *ledger.Chain
	Lite     *lite.Server
	Faucet   *Faucet
	Scenario *scenario.Scenario // nil without traffic

	opts       Options
	configPath string
	lock       *os.File // of Options.Dir; nil without one
	tempDir    string   // removed on Close; empty with Options.Dir
	clock      atomic.Uint32
	admin      *admin // nil without Options.Admin

	advancing sync.Mutex // one Advance at a time
	closing   sync.Once
	closed    error
}

// Start starts a network. When it returns, the liteserver is listening and the global
// config is written. ctx bounds Start only.
func Start(ctx context.Context, opts Options) (*Devnet, error) {
	opts.fill()
	d := &Devnet{opts: opts}
	if err := d.start(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *Devnet) start(ctx context.Context) error {
	if err := d.prepareDir(); err != nil {
		return err
	}
	if err := d.openChain(ctx); err != nil {
		return err
	}
	if err := d.openScenario(); err != nil {
		return err
	}
	if err := d.begin(ctx); err != nil {
		return err
	}
	server, err := lite.New(d.Chain, genesis.DeriveKey(d.opts.Seed, "liteserver"),
		append([]lite.Option{lite.WithLogger(d.opts.Log)}, d.opts.Lite...)...)
	if err != nil {
		return err
	}
	d.Lite = server
	if err := server.Listen(d.opts.Listen); err != nil {
		return err
	}
	if err := server.WriteGlobalConfig(d.configPath); err != nil {
		return err
	}
	if d.opts.Admin != "" {
		if d.admin, err = openAdmin(ctx, d, d.opts.Admin); err != nil {
			return err
		}
	}
	if d.lock != nil {
		if err := filelock.Note(d.lock, listening+" "+d.AdminAddr()); err != nil {
			return fmt.Errorf("lock of devnet folder: %w", err)
		}
	}
	return nil
}

// prepareDir creates the folder and determines the seed.
func (d *Devnet) prepareDir() (err error) {
	dir := d.opts.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "tonql-devnet-*"); err != nil {
			return fmt.Errorf("devnet folder: %w", err)
		}
		d.tempDir = dir
	} else {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("devnet folder: %w", err)
		}
		if d.lock, err = lockDir(dir); err != nil {
			return err
		}
	}
	d.configPath = filepath.Join(dir, configName)
	d.opts.Seed, err = settleSeed(dir, d.opts.Seed)
	return err
}

func (d *Devnet) openChain(ctx context.Context) error {
	accounts, err := scenario.GenesisAccounts(d.opts.Seed, d.opts.GlobalID)
	if err != nil {
		return err
	}
	if d.opts.Protocol {
		accounts.Accounts = append(accounts.Accounts, scenario.ProtocolAccounts()...)
	}
	opts := ledger.Options{
		Seed:         d.opts.Seed,
		Clock:        d.opts.Clock,
		GlobalID:     d.opts.GlobalID,
		Consensus:    d.opts.Consensus,
		Genesis:      append(accounts.Accounts, d.opts.Accounts...),
		Mint:         d.opts.Mint,
		Minter:       d.opts.Minter,
		DNSRoot:      accounts.DNSRoot,
		InitialSplit: d.opts.InitialSplit,

		GlobalVersion: d.opts.GlobalVersion,
		ShardBlocks:   d.opts.ShardBlocks,
		DeferExempt:   accounts.DeferExempt,
	}
	if d.opts.GlobalVersion >= 15 {
		opts.Special = []*address.Address{accounts.Librarian}
	}
	if d.opts.Dir != "" {
		opts.Dir = filepath.Join(d.opts.Dir, chainDir)
	}
	if d.opts.Deterministic {
		d.clock.Store(genesisTime)
		opts.GenesisTime, opts.Clock = genesisTime, d.clock.Load
	}
	if d.Chain, err = ledger.Open(ctx, opts); err != nil {
		return fmt.Errorf("devnet chain: %w", err)
	}
	d.clock.Store(d.Chain.Now()) // a stored chain continues at its last time
	wallet, err := scenario.Faucet(d.opts.Seed)
	if err != nil {
		return err
	}
	d.Faucet = &Faucet{chain: d.Chain, wallet: wallet}
	return nil
}

func (d *Devnet) openScenario() (err error) {
	if !d.opts.Scenario {
		return nil
	}
	opts := scenario.Options{
		Seed:             d.opts.Seed,
		GlobalID:         d.opts.GlobalID,
		ActionsPerMinute: d.opts.ActionsPerMinute,
		ShardPeriod:      d.opts.ShardPeriod,
		Protocol:         d.opts.Protocol,
		Log:              d.opts.Log,
	}
	if d.opts.Instant && !d.opts.driven() {
		opts.Nudge = d.opts.Interval // otherwise an instant chain and the scenario would wait for each other
	}
	d.Scenario, err = scenario.New(d.Chain, opts)
	return err
}

// GlobalConfigPath returns the path of the global config.
func (d *Devnet) GlobalConfigPath() string { return d.configPath }

// GlobalConfig returns the content of the global config.
func (d *Devnet) GlobalConfig() (*liteclient.GlobalConfig, error) { return d.Lite.GlobalConfig() }

// Seed returns the seed in use, also when it is random.
func (d *Devnet) Seed() [32]byte { return d.opts.Seed }

// AdminAddr returns the address of the administration API; empty without one.
func (d *Devnet) AdminAddr() string {
	if d.admin == nil {
		return ""
	}
	return d.admin.addr()
}

// Close ends the network and waits for its goroutines. The chain stays in Options.Dir.
// Close may be called more than once.
func (d *Devnet) Close() error {
	d.closing.Do(func() {
		var errs []error
		if d.admin != nil {
			errs = append(errs, d.admin.close())
		}
		if d.Lite != nil {
			errs = append(errs, d.Lite.Close())
		}
		if d.Chain != nil {
			errs = append(errs, d.Chain.Close())
		}
		if d.lock != nil {
			errs = append(errs, d.lock.Close()) // releases the folder
		}
		if d.tempDir != "" {
			errs = append(errs, os.RemoveAll(d.tempDir))
		}
		d.closed = errors.Join(errs...)
	})
	return d.closed
}

// FaucetWallet returns the faucet's wallet for a seed, for callers that sign messages
// themselves. It shares its seqno with [Faucet.Send].
func FaucetWallet(seed [32]byte) (*contracts.Wallet, error) { return scenario.Faucet(seed) }
