package devnet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
	// DefaultInterval is no shorter because clients cache the newest block for a second.
	DefaultInterval = time.Second
	DefaultListen   = "127.0.0.1:0"
)

// ByHand is an interval: no block is made unless somebody asks for it.
const ByHand time.Duration = -1

// genesisTime is when every deterministic chain begins: 15 June 2025, 15:06:40 UTC.
const genesisTime = 1_750_000_000

// Names inside the folder of a network.
const (
	chainDir   = "chain"
	configName = "global.config.json"
)

// Options choose a network.
type Options struct {
	// Dir keeps the chain, the seed and the global config; empty = nothing outlives Close.
	Dir string
	// Listen is the liteserver's address; empty = a free port on loopback.
	Listen string
	// Admin is the address of the administration door, on loopback only; empty = none.
	Admin string
	// Seed gives all keys and all randomness; zero = the folder's own, or a random one.
	Seed [32]byte
	// Interval between blocks; 0 = DefaultInterval, ByHand = only by Advance.
	Interval time.Duration
	// Instant makes a block also as soon as there is something to put in.
	Instant bool
	// Deterministic replaces the wall clock: it moves by one interval per block.
	Deterministic bool
	// Clock is unix time for chains that are not deterministic; nil = the wall clock.
	Clock func() uint32
	// GlobalID of the network; 0 = ledger.DefaultGlobalID.
	GlobalID int32
	// InitialSplit is the split depth the basechain goes to at first; 0 = one shard.
	InitialSplit int
	// Scenario gives the chain traffic, ActionsPerMinute and ShardPeriod its measure
	// (0 = the scenario's defaults).
	Scenario         bool
	ActionsPerMinute int
	ShardPeriod      int
	// Lite adds to the liteserver's own options.
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
	if o.GlobalID == 0 {
		o.GlobalID = ledger.DefaultGlobalID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// driven says that blocks and traffic are made by Advance and by nothing else.
func (o *Options) driven() bool { return o.Deterministic || o.Interval < 0 }

// Devnet is a running network. Start makes it, Close ends it.
type Devnet struct {
	Chain    *ledger.Chain
	Lite     *lite.Server
	Faucet   *Faucet
	Scenario *scenario.Scenario // nil without traffic

	opts       Options
	configPath string
	lock       *os.File // of Options.Dir; nil without one
	tempDir    string   // removed on Close; empty with a folder of one's own
	clock      atomic.Uint32
	admin      *admin // nil without the door

	advancing sync.Mutex // one Advance at a time
	closing   sync.Once
	closed    error
}

// Start brings a network up: when it returns, the liteserver answers and the
// global config is written. ctx bounds the start only.
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
	if d.lock != nil {
		if err := filelock.Note(d.lock, listening); err != nil {
			return fmt.Errorf("lock of devnet folder: %w", err)
		}
	}
	if d.opts.Admin != "" {
		d.admin, err = openAdmin(ctx, d, d.opts.Admin)
	}
	return err
}

// prepareDir makes the folder and settles the seed.
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
	opts := ledger.Options{
		Seed:         d.opts.Seed,
		Clock:        d.opts.Clock,
		GlobalID:     d.opts.GlobalID,
		Genesis:      accounts.Accounts,
		DNSRoot:      accounts.DNSRoot,
		InitialSplit: d.opts.InitialSplit,
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
	d.clock.Store(d.Chain.Now()) // a chain from the folder goes on where it stopped
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
		Log:              d.opts.Log,
	}
	if d.opts.Instant && !d.opts.driven() {
		opts.Nudge = d.opts.Interval // an instant chain would otherwise wait for the scenario, and it for the chain
	}
	d.Scenario, err = scenario.New(d.Chain, opts)
	return err
}

// GlobalConfigPath is the file that clients start from.
func (d *Devnet) GlobalConfigPath() string { return d.configPath }

// GlobalConfig is what that file says.
func (d *Devnet) GlobalConfig() (*liteclient.GlobalConfig, error) { return d.Lite.GlobalConfig() }

// Seed is the seed in use, also when it was drawn at random.
func (d *Devnet) Seed() [32]byte { return d.opts.Seed }

// AdminAddr is where the administration door is; empty without one.
func (d *Devnet) AdminAddr() string {
	if d.admin == nil {
		return ""
	}
	return d.admin.addr()
}

// Close ends the network and waits for all it started. The chain in a folder
// stays. It may be called more than once.
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

// FaucetAddress is where the faucet's wallet of a seed lives.
func FaucetAddress(seed [32]byte) (*address.Address, error) { return scenario.FaucetAddress(seed) }

// FaucetWallet is the wallet itself, for those who sign on their own. Whoever uses
// it beside [Faucet.Send] must expect to meet its seqno.
func FaucetWallet(seed [32]byte) (*contracts.Wallet, error) { return scenario.Faucet(seed) }
