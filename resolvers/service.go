package resolvers

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/internal/emulate"
	"tonql/internal/pending"
	"tonql/internal/store"
)

// Service serves the queries of all APIs. Its methods take and return chain types and are safe for concurrent use.
type Service struct {
	index    *store.Reader
	snapshot bool       // index is a snapshot, which holds a connection
	node     chain.Node // nil when this process has no network, e.g. a read-only replica
	opts     Options
	head     *head
	emulator *emulate.Emulator // executes contracts
	// finished caches blocks by id.
	finished *blockCache
	// suspended caches the list of the block for which it was read last.
	suspended *atomic.Pointer[Suspensions]
	// pending emulates pending traces; nil when this process does not.
	pending *pending.Tracker
}

// Options configure a [Service]; the zero value of each field means its default.
type Options struct {
	Network string // shown to people: devnet, testnet, mainnet
	// SourceRegistry is the contract with the records of verified sources; nil for that of the network, if it has one.
	SourceRegistry *chain.Address
	// FetchSources fetches the files at the address of a record of verified sources. Nil: none are fetched.
	FetchSources func(ctx context.Context, uri string) (*chain.SourceFiles, error)
	TestOnly     bool          // user-friendly addresses carry the test-only flag (every network but mainnet)
	HeadTTL      time.Duration // the largest age of the cached head; default 50 ms
	Limits       Limits
	// Correct applies the operator's corrections to a token's metadata; nil changes nothing.
	Correct func(chain.Metadata) chain.Metadata
	// Reputation returns what the operator states about an account; nil states nothing. Scam flags of Correct have precedence.
	Reputation func(chain.Address) chain.Reputation
	// ImagePath returns the path at which this server serves an image of metadata in a size; empty when it does not. Nil: no
	// images are served.
	ImagePath func(account chain.Address, image string, size int) (string, error)
	// ImageLinks returns the public addresses of the same images. Nil: metadata has none.
	ImageLinks func(account chain.Address, image string) chain.Images
	// FiatRates returns prices in a currency of states; it may return nil. Nil: there are none.
	FiatRates func() *chain.FiatRates
	// Pending stores sent messages; nil: pending traces are not emulated. Classifier classifies emulated traces; nil leaves
	// them without actions.
	Pending    chain.PendingStore
	Classifier chain.TraceClassifier
	Logger     *slog.Logger
	// Charge spends tokens of the client of a request, besides the one that admitted it, for lists that read much to find their rows. Nil: nothing is
	// charged.
	Charge func(ctx context.Context, tokens float64)
	// Client identifies the client of a request, whose simulations and long get-methods wait for each other. Nil: all clients are one.
	Client func(context.Context) string
	// Executed is called with the time that a simulation, or a long get-method, of a request took. Nil: it is not measured.
	Executed func(context.Context, time.Duration)
}

// Limits bound one request. They are published.
type Limits struct {
	Rows      int // rows of a page, default 1000
	Offset    int // rows skipped by an offset, default 100,000; deeper reading needs cursors or ranges
	Addresses int // addresses, hashes or other values of one list, default 1024
	Walked    int // transactions that a page of events of pools looks at, default 50,000
	Elections int // bytes of configurations, and of states of the elector, that a list about validators looks at, default 64 MiB
}

// The default limits.
const (
	DefaultRows      = 1000
	DefaultOffset    = 100_000
	DefaultAddresses = 1024
	DefaultWalked    = 50_000   // a pool of the main network has some 3,000 a year; anyone can send it more
	DefaultElections = 64 << 20 // the configurations of some 200 validation cycles of the main network, three of each
	defaultHeadTTL   = 50 * time.Millisecond
)

// New returns a Service on an index. node may be nil; then commands are Unavailable. Close must be called after use.
func New(index *store.Reader, node chain.Node, opts Options) *Service {
	opts.HeadTTL = orDefault(opts.HeadTTL, defaultHeadTTL)
	opts.Limits.Rows = orDefault(opts.Limits.Rows, DefaultRows)
	opts.Limits.Offset = orDefault(opts.Limits.Offset, DefaultOffset)
	opts.Limits.Addresses = orDefault(opts.Limits.Addresses, DefaultAddresses)
	opts.Limits.Walked = orDefault(opts.Limits.Walked, DefaultWalked)
	opts.Limits.Elections = orDefault(opts.Limits.Elections, DefaultElections)
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	s := &Service{index: index, node: node, opts: opts, head: &head{}, finished: &blockCache{}, suspended: &atomic.Pointer[Suspensions]{}}
	s.emulator = emulate.New(index, emulate.Options{Head: s.MasterchainInfo, Node: node, Classifier: opts.Classifier, Logger: opts.Logger, Client: opts.Client, Spent: opts.Executed})
	if opts.Pending != nil {
		s.pending = pending.New(s.emulator, index, pending.Options{Store: opts.Pending, Reach: s.reach, Logger: opts.Logger})
	}
	return s
}

// Close waits for running executions. The Service must not be used afterwards.
func (s *Service) Close() {
	if s.pending != nil {
		s.pending.Close()
	}
	s.emulator.Close()
}

// Snapshot returns a Service whose index queries all read one state of the index. The first query calls asOf with the
// masterchain seqno that this state has reached, 0 while the index is empty. The snapshot holds a connection until done is
// called. It is for one goroutine, and for queries that read only the index.
func (s *Service) Snapshot(ctx context.Context, asOf func(mcSeqno uint32)) (at *Service, done func()) {
	snapshot := *s
	snapshot.snapshot = true
	snapshot.index, done = s.index.Snapshot(ctx, asOf)
	return &snapshot, done
}

// Last returns a Service for the last query of a snapshot. The query also ends the snapshot, which saves a round trip. Outside
// a snapshot it returns a Service like s.
func (s *Service) Last() *Service {
	last := *s
	last.index = s.index.Last()
	return &last
}

// Limits are the limits in force.
func (s *Service) Limits() Limits { return s.opts.Limits }

// Network is the network's name as configured.
func (s *Service) Network() string { return s.opts.Network }

// TestOnly says whether user-friendly addresses carry the test-only flag.
func (s *Service) TestOnly() bool { return s.opts.TestOnly }

func orDefault[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}
