package genesis

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Consensus is the protocol by which the validators agree on blocks. It decides the form of their signatures.
type Consensus string

const (
	// Ordinary is the consensus of networks without config parameter 30: signatures over the block's id.
	Ordinary Consensus = "ordinary"
	// Simplex is the consensus of mainnet since April 2026: votes that finalize a candidate in a slot.
	Simplex Consensus = "simplex"
)

const (
	// ParamConsensus is the config parameter that switches to Simplex.
	ParamConsensus = 30
	// SlotsPerLeaderWindow is the number of consecutive slots of one leader.
	SlotsPerLeaderWindow = 4

	simplexTargetRate = 0 // key in noncritical_params: milliseconds between two blocks
)

// ParseConsensus reads the name of a consensus.
func ParseConsensus(name string) (Consensus, error) {
	switch c := Consensus(name); c {
	case Ordinary, Simplex:
		return c, nil
	default:
		return "", chain.Invalidf("consensus should be %s or %s, not %s", Ordinary, Simplex, chain.Quote(name))
	}
}

// ConsensusParam builds config parameter 30 for both the masterchain and the basechain. targetRate is the time between two
// blocks in milliseconds.
//
//	new_consensus_config_all#10 mc:(Maybe ^NewConsensusConfig) shard:(Maybe ^NewConsensusConfig) = NewConsensusConfigAll;
//	simplex_config_v2#22 flags:(## 7) use_quic:Bool slots_per_leader_window:uint32
//	  noncritical_params:(HashmapE 8 uint32) = NewConsensusConfig;
func ConsensusParam(c Consensus, targetRate uint32) (*cell.Cell, error) {
	var all tlb.NewConsensusConfigAll
	if c == Simplex {
		noncritical := cell.NewDict(8)
		if err := noncritical.SetIntKey(big.NewInt(simplexTargetRate), cell.BeginCell().MustStoreUInt(uint64(targetRate), 32).EndCell()); err != nil {
			return nil, fmt.Errorf("noncritical parameters of Simplex: %w", err)
		}
		config := tlb.NewConsensusConfigSimplexV2{SlotsPerLeaderWindow: SlotsPerLeaderWindow, NoncriticalParams: noncritical}
		all.Masterchain, all.Shard = config, config
	}
	return tlb.ToCell(all)
}

// ConsensusOf reads the masterchain's consensus from a parameter dictionary, as validators do: a parameter 30 that is absent,
// malformed or without a part for the masterchain means Ordinary.
func ConsensusOf(params *cell.Cell) Consensus {
	value, err := params.AsDict(32).LoadValueByIntKey(big.NewInt(ParamConsensus))
	if err != nil {
		return Ordinary
	}
	ref, err := value.LoadRefCell()
	if err != nil {
		return Ordinary
	}
	var all tlb.NewConsensusConfigAll
	if err := tlb.Parse(&all, ref); err != nil {
		return Ordinary
	}
	switch all.Masterchain.(type) {
	case tlb.NewConsensusConfigSimplex, tlb.NewConsensusConfigSimplexV2:
		return Simplex
	default:
		return Ordinary
	}
}
