package genesis

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/devnet/layout"
)

const (
	// DefaultGlobalVersion is the protocol version, as on mainnet since June 2026.
	DefaultGlobalVersion = 14
	// MinGlobalVersion is the oldest version that a chain can have: since it the blocks of
	// one second need not be one.
	MinGlobalVersion = 13
	// MaxGlobalVersion is the newest version that the virtual machine supports.
	MaxGlobalVersion = vm.MaxSupportedGlobalVersion
	// Capabilities are those of mainnet: create-stats, bounce body, report version, short
	// dequeue, out-queue size, message metadata and deferred messages.
	Capabilities = 0x02 | 0x04 | 0x08 | 0x20 | 0x40 | 0x80 | CapDeferMessages
	// CapDeferMessages lets a block put messages into the dispatch queue.
	CapDeferMessages = 0x100

	// MaxSplit is the deepest shard split of the basechain.
	MaxSplit = 8

	targetRate = 1000 // milliseconds between two blocks

	mcBlockReward   = 1_700_000_000 // nanotons created per masterchain block
	baseBlockReward = 1_000_000_000 // per basechain round, shared by its shards
)

// params collects config parameters; the first error sticks.
type params struct {
	dict *cell.Dictionary
	err  error
}

func (p *params) set(id int32, c *cell.Cell) {
	if p.err != nil {
		return
	}
	key := cell.BeginCell().MustStoreInt(int64(id), 32).EndCell()
	if err := p.dict.Set(key, cell.BeginCell().MustStoreRef(c).EndCell()); err != nil {
		p.err = fmt.Errorf("config parameter %d: %w", id, err)
	}
}

func (p *params) tlb(id int32, v any) {
	if p.err != nil {
		return
	}
	c, err := tlb.ToCell(v)
	if err != nil {
		p.err = fmt.Errorf("config parameter %d: %w", id, err)
		return
	}
	p.set(id, c)
}

func (p *params) address(id int32, a *address.Address) {
	p.set(id, cell.BeginCell().MustStoreSlice(a.Data(), 256).EndCell())
}

// buildParams makes the parameter dictionary. The basechain's zerostate is part
// of it (parameter 12), so that one is built first.
func buildParams(o Options, basechain zerostate) (*cell.Cell, error) {
	p := &params{dict: cell.NewDict(32)}
	p.address(0, ConfigAddress)
	p.address(1, ElectorAddress)
	p.address(2, o.minter())
	if o.DNSRoot != nil {
		p.address(4, o.DNSRoot)
	}
	p.set(7, cell.BeginCell().MustStoreMaybeRef(layout.Currencies{Extra: o.Mint}.ExtraCell()).EndCell())
	p.tlb(8, tlb.GlobalVersion{Version: o.GlobalVersion, Capabilities: Capabilities})
	p.set(9, paramSet(0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34))
	p.set(10, paramSet(-999, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36))
	p.tlb(11, tlb.ConfigVotingSetup{
		NormalParams:   &tlb.ConfigProposalSetup{MinTotRounds: 2, MaxTotRounds: 6, MinWins: 2, MaxLosses: 5, MinStoreSec: 1_000_000, MaxStoreSec: 10_000_000, BitPrice: 1, CellPrice: 500},
		CriticalParams: &tlb.ConfigProposalSetup{MinTotRounds: 4, MaxTotRounds: 7, MinWins: 3, MaxLosses: 5, MinStoreSec: 5_000_000, MaxStoreSec: 20_000_000, BitPrice: 2, CellPrice: 1000},
	})
	p.workchains(o, basechain)
	p.tlb(13, tlb.ComplaintPricing{Deposit: nano(1e9), BitPrice: nano(1), CellPrice: nano(500)})
	p.tlb(14, tlb.BlockCreateFees{MasterchainBlockFee: nano(mcBlockReward), BasechainBlockFee: nano(baseBlockReward)})
	p.tlb(15, tlb.ValidatorElectionTimings{ValidatorsElectedFor: 65536, ElectionsStartBefore: 32768, ElectionsEndBefore: 8192, StakeHeldFor: 32768})
	p.tlb(16, tlb.ValidatorCountLimits{MaxValidators: 400, MaxMainValidators: 100, MinValidators: 1})
	p.tlb(17, tlb.ValidatorStakeLimits{MinStake: nano(300_000e9), MaxStake: nano(10_000_000e9), MinTotalStake: nano(300_000e9), MaxStakeFactor: 3 << 16})
	p.prices()
	p.tlb(19, tlb.GlobalIDConfig{GlobalID: o.GlobalID})
	p.limits()
	p.sizes(o)
	p.tlb(28, tlb.CatchainConfigV2{McCatchainLifetime: 250, ShardCatchainLifetime: 250, ShardValidatorsLifetime: 1000, ShardValidatorsNum: 1})
	p.tlb(29, tlb.ConsensusConfigV4{NewCatchainIds: true, RoundCandidates: 3, NextCandidateDelayMs: 2000, ConsensusTimeoutMs: 16000, FastAttempts: 3, AttemptDuration: 8, CatchainMaxDeps: 4, MaxBlockBytes: 8 << 20, MaxCollatedBytes: 8 << 20, ProtoVersion: 5, CatchainMaxBlocksCoff: 10000})
	p.consensus(o)
	p.special(o)
	p.validators(o)
	p.tlb(40, tlb.MisbehaviourPunishmentConfig{DefaultFlatFine: nano(101e9), DefaultProportionalFine: 0, SeverityFlatMult: 128, SeverityProportionalMult: 128, UnpunishableInterval: 1000, LongInterval: 80, LongFlatMult: 512, LongProportionalMult: 512, MediumInterval: 60, MediumFlatMult: 256, MediumProportionalMult: 256})
	p.tlb(44, tlb.SuspendedAddressList{Addresses: cell.NewDict(288)})
	p.tlb(45, tlb.PrecompiledContractsConfig{List: cell.NewDict(256)})
	if p.err != nil {
		return nil, p.err
	}
	return p.dict.AsCell(), nil
}

// paramSet is a Hashmap 32 True.
func paramSet(ids ...int64) *cell.Cell {
	d := cell.NewDict(32)
	for _, id := range ids {
		// Storing an empty value under a 32-bit key cannot fail.
		_ = d.Set(cell.BeginCell().MustStoreInt(id, 32).EndCell(), cell.BeginCell().EndCell())
	}
	return d.AsCell()
}

func (p *params) workchains(o Options, basechain zerostate) {
	descr, err := tlb.ToCell(tlb.WorkchainDescrV1{WorkchainDescrFields: tlb.WorkchainDescrFields{
		EnabledSince:      o.Time,
		MaxSplit:          MaxSplit,
		Basic:             true,
		Active:            true,
		AcceptMsgs:        true,
		ZeroStateRootHash: basechain.Root.Hash(),
		ZeroStateFileHash: basechain.FileHash(),
		Format:            tlb.WorkchainFormatBasic{VMVersion: -1},
	}})
	if err != nil {
		p.err = fmt.Errorf("workchain description: %w", err)
		return
	}
	list := cell.NewDict(32)
	if err := list.SetIntKey(big.NewInt(0), descr); err != nil {
		p.err = err
		return
	}
	p.tlb(12, tlb.WorkchainsConfig{Workchains: list})
}

// prices are those of mainnet.
func (p *params) prices() {
	storage, err := tlb.ToCell(tlb.ConfigStoragePrices{BitPrice: 1, CellPrice: 500, MCBitPrice: 1000, MCCellPrice: 500_000})
	if err != nil {
		p.err = err
		return
	}
	list := cell.NewDict(32)
	if err := list.SetIntKey(big.NewInt(0), storage); err != nil {
		p.err = err
		return
	}
	p.set(18, list.AsCell())
	p.tlb(20, tlb.ConfigGasLimitsPrices{
		HasFlatPricing: true, FlatGasLimit: 100, FlatGasPrice: 1_000_000,
		HasSeparateSpecialLimit: true, GasPrice: 10_000 << 16, GasLimit: 1_000_000, SpecialGasLimit: 70_000_000, GasCredit: 10_000,
		BlockGasLimit: 2_500_000, FreezeDueLimit: 100_000_000, DeleteDueLimit: 1_000_000_000,
	})
	p.tlb(21, tlb.ConfigGasLimitsPrices{
		HasFlatPricing: true, FlatGasLimit: 100, FlatGasPrice: 40_000,
		HasSeparateSpecialLimit: true, GasPrice: 400 << 16, GasLimit: 1_000_000, SpecialGasLimit: 1_000_000, GasCredit: 10_000,
		BlockGasLimit: 10_000_000, FreezeDueLimit: 100_000_000, DeleteDueLimit: 1_000_000_000,
	})
	p.tlb(24, tlb.ConfigMsgForwardPrices{LumpPrice: 10_000_000, BitPrice: 10_000 << 16, CellPrice: 1_000_000 << 16, IHRFactor: 98304, FirstFrac: 21845, NextFrac: 21845})
	p.tlb(25, tlb.ConfigMsgForwardPrices{LumpPrice: 400_000, BitPrice: 400 << 16, CellPrice: 40_000 << 16, IHRFactor: 98304, FirstFrac: 21845, NextFrac: 21845})
}

// limits are mainnet's for the masterchain; basechain blocks may be larger, so
// that bursts of thousands of transactions fit.
func (p *params) limits() {
	p.tlb(22, tlb.BlockLimitsV1{
		Bytes:   tlb.ParamLimits{Underload: 131072, SoftLimit: 524288, HardLimit: 1048576},
		Gas:     tlb.ParamLimits{Underload: 200_000, SoftLimit: 1_000_000, HardLimit: 2_500_000},
		LTDelta: tlb.ParamLimits{Underload: 1000, SoftLimit: 5000, HardLimit: 10000},
	})
	p.tlb(23, tlb.BlockLimitsV1{
		Bytes:   tlb.ParamLimits{Underload: 262144, SoftLimit: 4 << 20, HardLimit: 8 << 20},
		Gas:     tlb.ParamLimits{Underload: 2_000_000, SoftLimit: 20_000_000, HardLimit: 40_000_000},
		LTDelta: tlb.ParamLimits{Underload: 1000, SoftLimit: 10_000, HardLimit: 20_000},
	})
}

// consensus writes parameter 30, which ordinary networks do not have.
func (p *params) consensus(o Options) {
	if o.Consensus != Simplex || p.err != nil {
		return
	}
	c, err := ConsensusParam(o.Consensus, targetRate)
	if err != nil {
		p.err = err
		return
	}
	p.set(ParamConsensus, c)
}

// special lists the fundamental contracts: free of rent and gas.
func (p *params) special(o Options) {
	list := cell.NewDict(256)
	empty := cell.BeginCell().EndCell()
	for _, a := range append([]*address.Address{MinterAddress, ElectorAddress, ConfigAddress}, o.specialAddresses()...) {
		if err := list.Set(cell.BeginCell().MustStoreSlice(a.Data(), 256).EndCell(), empty); err != nil {
			p.err = err
			return
		}
	}
	p.tlb(31, tlb.FundamentalSmartContractAddresses{Addresses: list})
}

// validators are elected for good.
func (p *params) validators(o Options) {
	set, err := ValidatorSet(o.Seed, o.Time, 0xffffffff, firstValidators)
	if err != nil {
		p.err = err
		return
	}
	p.set(34, set)
}

func nano(v uint64) tlb.Coins { return tlb.FromNanoTONU(v) }
