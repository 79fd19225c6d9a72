package node

import (
	"errors"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// paramConsensus is the configuration parameter that decides the consensus.
const paramConsensus = 30

// checkForm refuses signatures of the ordinary form in a session of Simplex. Validators sign by Simplex from the block
// after a key block on whose configuration says so; the node, which checks a set by what it is, has no such rule for
// clients.
//
// It holds only where the configuration is that of the last key block before the signed one and the proof shows
// parameter 30. Liteservers of the main network prune it, and then both forms are accepted: neither is weaker, since
// under Simplex an honest validator signs no block id, and otherwise no vote. For the same reason nothing is refused
// when the parameter is absent: how validators sign then depends on their software.
func checkForm(from chain.BlockIDExt, header *tlb.BlockHeader, params *cell.Dictionary, set any) error {
	if _, ok := set.(ton.SignatureSetSimplex); ok || header.PrevKeyBlockSeqno != from.Seqno || !demandsSimplex(params) {
		return nil
	}
	return errors.New("the block has signatures of the ordinary form in a session of Simplex")
}

// Constructors of NewConsensusConfigAll and NewConsensusConfig.
const (
	consensusConfigAll = 0x10
	simplexConfig      = 0x21
	simplexConfigV2    = 0x22
)

// demandsSimplex reports whether a configuration shows that the masterchain is under Simplex. It reads parameter 30 as the
// node does, for which a malformed one does not exist.
func demandsSimplex(params *cell.Dictionary) bool {
	value, err := params.LoadValueByUintKey(paramConsensus)
	if err != nil || value.BitsLeft() != 0 || value.RefsNum() != 1 {
		return false
	}
	all, err := openRef(value)
	if err != nil {
		return false
	}
	tag, err := all.LoadUInt(8)
	if err != nil || tag != consensusConfigAll || all.BitsLeft() != 2 {
		return false
	}
	flags, err := all.LoadUInt(2) // whether there is a configuration of the masterchain, and of the shards
	if err != nil || flags&2 == 0 || all.RefsNum() != int(1+flags&1) {
		return false
	}
	config, err := openRef(all)
	return err == nil && isSimplexConfig(config)
}

// isSimplexConfig reports whether a cell has one of the forms of a Simplex configuration.
func isSimplexConfig(s *cell.Slice) bool {
	tag, err := s.LoadUInt(8)
	if err != nil {
		return false
	}
	switch tag {
	case simplexConfig: // flags, four numbers
		return s.BitsLeft() == 8+4*32 && s.RefsNum() == 0
	case simplexConfigV2: // flags, slots of a leader, a dictionary
		if s.BitsLeft() != 8+32+1 {
			return false
		}
		fields, err := s.LoadUInt(8 + 32 + 1)
		return err == nil && s.RefsNum() == int(fields&1)
	default:
		return false
	}
}

// openRef begins to read the next reference, which must not be pruned.
func openRef(s *cell.Slice) (*cell.Slice, error) {
	ref, err := s.LoadRefCell()
	if err != nil {
		return nil, err
	}
	loaded, err := ref.BeginParse()
	if err != nil {
		return nil, err
	}
	if loaded.IsSpecial() {
		return nil, errors.New("the reference is pruned")
	}
	return loaded, nil
}
