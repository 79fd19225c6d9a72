package genesis

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/layout"
)

// Options configure the first state of a chain.
type Options struct {
	Seed      [32]byte
	Time      uint32 // unix time of the zerostates
	GlobalID  int32
	Consensus Consensus // empty = Ordinary
	// GlobalVersion is the protocol version, MinGlobalVersion to MaxGlobalVersion; 0 means
	// DefaultGlobalVersion.
	GlobalVersion uint32
	// Special lists fundamental contracts besides those that tick or tock. They need not exist yet.
	Special  []*address.Address
	Accounts []Account        // masterchain and basechain; the fundamental contracts need not be listed
	DNSRoot  *address.Address // config parameter 4; nil leaves it out
	Minter   *address.Address // config parameter 2; nil = MinterAddress
	// Mint has the amounts of extra currencies that the chain mints for the minter, config parameter 7. What accounts of
	// the zerostate have counts.
	Mint map[uint32]*big.Int
}

// specialAddresses are Options.Special and the listed masterchain accounts that tick or tock.
func (o Options) specialAddresses() []*address.Address {
	out := slices.Clone(o.Special)
	for _, a := range o.Accounts {
		if a.Address.Workchain() == layout.Masterchain && (a.Tick || a.Tock) {
			out = append(out, a.Address)
		}
	}
	return out
}

func (o Options) minter() *address.Address {
	if o.Minter == nil {
		return MinterAddress
	}
	return o.Minter
}

// zerostate is a state with its serialized form.
type zerostate struct {
	Root *cell.Cell
	Data []byte
}

// FileHash is the SHA-256 of the serialized state.
func (z zerostate) FileHash() []byte {
	sum := sha256.Sum256(z.Data)
	return sum[:]
}

// Zerostate is an initial state, ready to serve.
type Zerostate struct {
	Root               *cell.Cell
	Data               []byte // BoC
	RootHash, FileHash []byte
}

// Zerostates has the first states of both workchains.
type Zerostates struct{ Masterchain, Basechain Zerostate }

// Build builds the zerostates of a chain.
func Build(o Options) (*Zerostates, error) {
	if o.GlobalVersion == 0 {
		o.GlobalVersion = DefaultGlobalVersion
	}
	if o.GlobalVersion < MinGlobalVersion || o.GlobalVersion > MaxGlobalVersion {
		return nil, &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("global version should be %d to %d, not %d", MinGlobalVersion, MaxGlobalVersion, o.GlobalVersion)}
	}
	seen := map[string]bool{}
	var base, master []Account
	for _, a := range o.Accounts {
		if a.Address == nil || a.Address.Type() != address.StdAddress {
			return nil, fmt.Errorf("genesis account without a standard address")
		}
		key := a.Address.StringRaw()
		if seen[key] {
			return nil, fmt.Errorf("genesis account %s is listed twice", key)
		}
		seen[key] = true
		switch a.Address.Workchain() {
		case layout.Basechain:
			base = append(base, a)
		case layout.Masterchain:
			master = append(master, a)
		default:
			return nil, fmt.Errorf("genesis account %s is in an unknown workchain", key)
		}
	}
	baseState, err := build(o, layout.Basechain, base, nil)
	if err != nil {
		return nil, fmt.Errorf("basechain zerostate: %w", err)
	}
	params, err := buildParams(o, *baseState)
	if err != nil {
		return nil, err
	}
	own, err := fundamental(o.Seed, params)
	if err != nil {
		return nil, err
	}
	for _, a := range own {
		if !seen[a.Address.StringRaw()] {
			master = append(master, a)
		}
	}
	total := layout.Currencies{}
	for _, a := range append(append([]Account(nil), base...), master...) {
		total = layout.Total(total, a.currencies())
	}
	extra, err := mcExtra(o, params, total)
	if err != nil {
		return nil, err
	}
	mcState, err := build(o, layout.Masterchain, master, extra)
	if err != nil {
		return nil, fmt.Errorf("masterchain zerostate: %w", err)
	}
	return &Zerostates{Masterchain: mcState.export(), Basechain: baseState.export()}, nil
}

func (z zerostate) export() Zerostate {
	return Zerostate{Root: z.Root, Data: z.Data, RootHash: z.Root.Hash(), FileHash: z.FileHash()}
}

// mcExtra is the masterchain part of the zerostate. No shard is listed: the
// first masterchain block registers the basechain's first block.
func mcExtra(o Options, params *cell.Cell, total layout.Currencies) (*cell.Cell, error) {
	prev, err := cell.NewAugDict(32, layout.OldMcBlocks{})
	if err != nil {
		return nil, err
	}
	listHash, err := ValidatorListHash(validatorSet(o.Seed))
	if err != nil {
		return nil, err
	}
	x := layout.McExtra{
		ConfigAddr:        ConfigAddress.Data(),
		Config:            params,
		ValidatorListHash: listHash,
		CatchainSeqno:     CatchainSeqno,
		PrevBlocks:        prev,
		AfterKeyBlock:     true, // a zerostate counts as key block
		GlobalBalance:     total,
	}
	return x.Cell()
}

func build(o Options, wc int32, accounts []Account, extra *cell.Cell) (*zerostate, error) {
	dict, err := tlb.NewShardAccountsAugDict()
	if err != nil {
		return nil, err
	}
	total := layout.Currencies{}
	libraries := cell.NewDict(256)
	for _, a := range accounts {
		special := wc == layout.Masterchain && (a.Tick || a.Tock || bytes.Equal(a.Address.Data(), MinterAddress.Data()))
		c, err := a.cell(o.Time, special)
		if err != nil {
			return nil, err
		}
		record := cell.BeginCell().MustStoreRef(c).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 64).EndCell()
		if err := dict.Set(cell.BeginCell().MustStoreSlice(a.Address.Data(), 256).EndCell(), record); err != nil {
			return nil, fmt.Errorf("account %s: %w", a.Address, err)
		}
		total = layout.Total(total, a.currencies())
		if wc == layout.Masterchain {
			if err := layout.Publish(libraries, a.Address.Data(), nil, a.Libraries); err != nil {
				return nil, fmt.Errorf("libraries of %s: %w", a.Address, err)
			}
		}
	}
	accountsCell, err := dict.ToCell()
	if err != nil {
		return nil, err
	}
	queue, err := layout.NewOutQueue()
	if err != nil {
		return nil, err
	}
	queueCell, err := queue.Cell()
	if err != nil {
		return nil, err
	}
	st := layout.State{
		GlobalID: o.GlobalID, Workchain: wc, Shard: layout.FullShard,
		GenUtime: o.Time, MinRefMcSeqno: 0xffffffff,
		OutQueue: queueCell, Accounts: accountsCell,
		TotalBalance: total, Libraries: libraries.AsCell(), Extra: extra,
	}
	root, err := st.Cell()
	if err != nil {
		return nil, err
	}
	data, err := layout.Serialize(root)
	if err != nil {
		return nil, err
	}
	return &zerostate{Root: root, Data: data}, nil
}
