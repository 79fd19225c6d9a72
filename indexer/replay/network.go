package replay

import (
	"context"
	"errors"
	"fmt"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/weightedlru"
)

// Network caches what all Replayers of one network share: prepared configurations by key block, ids of masterchain blocks,
// public libraries. It is safe for concurrent use.
type Network struct {
	src     chain.Source
	flights singleflight.Group
	configs *lru.Cache[uint32, *blockConfig] // by the key block that put it in force
	ids     *lru.Cache[uint32, chain.BlockIDExt]

	libraryRoots *lru.Cache[uint32, chain.Hash] // after masterchain blocks
	libraryCells *weightedlru.Cache[chain.Hash, *cell.Cell]

	mu          sync.Mutex // guards the content of the sets
	librarySets *lru.Cache[setKey, *librarySet]
}

// Capacities of the shared caches. A configuration takes about 200 kB, a library rarely more than 10 kB; mainnet has about
// 1,300 libraries.
const (
	maxConfigs     = 8
	maxIDs         = 8192
	maxRoots       = 8192
	maxLibrarySets = 64
	maxLibraries   = 16384
	// maxLibraryBytes bounds the cached libraries in memory.
	maxLibraryBytes = 128 << 20
)

// NewNetwork returns a Network with empty caches that reads from src.
func NewNetwork(src chain.Source) *Network {
	configs, _ := lru.New[uint32, *blockConfig](maxConfigs)
	ids, _ := lru.New[uint32, chain.BlockIDExt](maxIDs)
	roots, _ := lru.New[uint32, chain.Hash](maxRoots)
	sets, _ := lru.New[setKey, *librarySet](maxLibrarySets)
	cells := weightedlru.New[chain.Hash, *cell.Cell](maxLibraries, maxLibraryBytes)
	return &Network{src: src, configs: configs, ids: ids, libraryRoots: roots, librarySets: sets, libraryCells: cells}
}

// errNoConfig reports that the TVM does not support the configuration of a block.
var errNoConfig = errors.New("no usable configuration")

// config returns the configuration in force at masterchain block at, which key block epoch put in force.
func (n *Network) config(ctx context.Context, epoch uint32, at chain.BlockIDExt) (*blockConfig, error) {
	if cfg, ok := n.configs.Get(epoch); ok {
		return cfg, nil
	}
	cfg, err, _ := n.flights.Do(fmt.Sprintf("config %d", epoch), func() (any, error) {
		cfg, err := n.freshConfig(ctx, at)
		if err == nil {
			n.configs.Add(epoch, cfg)
		}
		return cfg, err
	})
	if err != nil {
		return nil, err
	}
	return cfg.(*blockConfig), nil //nolint:errcheck // the only type that is ever put there
}

// freshConfig fetches the configuration, bypassing the cache.
func (n *Network) freshConfig(ctx context.Context, at chain.BlockIDExt) (*blockConfig, error) {
	root, err := n.src.Config(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("configuration at %s: %w", at.BlockID, err)
	}
	cfg, err := newBlockConfig(root)
	if err != nil {
		return nil, fmt.Errorf("%w: at %s: %w", errNoConfig, at.BlockID, err)
	}
	return cfg, nil
}

// ConfigOf returns the dictionary that key block seqno put in force; 0 is the zero state.
func (n *Network) ConfigOf(ctx context.Context, seqno uint32) (*cell.Cell, error) {
	id, err := n.masterID(ctx, seqno)
	if err != nil {
		return nil, err
	}
	root, err := n.src.Config(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("configuration at %s: %w", id.BlockID, err)
	}
	return root, nil
}

// learn caches the id of a masterchain block from a proven header.
func (n *Network) learn(id chain.BlockIDExt) { n.ids.Add(id.Seqno, id) }

// masterID returns the full id of a masterchain block.
func (n *Network) masterID(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if id, ok := n.ids.Get(seqno); ok {
		return id, nil
	}
	id, err := n.src.MasterBlockID(ctx, seqno)
	if err != nil {
		return id, fmt.Errorf("id of masterchain block %d: %w", seqno, err)
	}
	n.ids.Add(seqno, id)
	return id, nil
}
