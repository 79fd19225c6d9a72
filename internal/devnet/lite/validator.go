package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const maxValidatorStats = 1000

// Constructors of BlockCreateStats.
const (
	statsPlain     = 0x17 // HashmapE 256 CreatorStats
	statsAugmented = 0x34 // HashmapAugE 256 CreatorStats, augmented with a time
)

// getValidatorStats proves the number of blocks that each validator has made, if the chain counts them.
func (a *api) getValidatorStats(q ton.GetValidatorStats) (tl.Serializable, error) {
	if q.Limit <= 0 {
		return nil, fail(codeBadRequest, "requested entry count limit must be positive")
	}
	if q.Mode&^7 != 0 {
		return nil, fail(codeBadRequest, "unknown flags set in mode")
	}
	b, err := a.masterOf(q.ID)
	if err != nil {
		return nil, err
	}
	state, err := a.stateOf(b)
	if err != nil {
		return nil, err
	}
	response := ton.ValidatorStats{Mode: q.Mode & 0xff, ID: b.ID.Copy()}
	start := make([]byte, 32)
	if q.Mode&1 != 0 {
		start = q.StartAfter
	}
	proof, err := a.stateProof(b, state, func(root *cell.Cell) error {
		stats, err := openCreateStats(root)
		if err != nil {
			return err
		}
		same := q.Mode&3 != 1
		for limit := min(q.Limit, maxValidatorStats); response.Count < limit; response.Count++ {
			key, _, err := nearest(stats, bytesKey(start), 256, true, same)
			if err != nil {
				return err
			}
			if key == nil {
				response.Complete = true
				return nil
			}
			if start, err = keyBytes(key, 256); err != nil {
				return err
			}
			same = false
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if response.StateProof, err = boc(proof[0]); err != nil {
		return nil, err
	}
	response.DataProof, err = boc(proof[1])
	return response, err
}

// openCreateStats returns the root of the counters in a masterchain state; nil when
// there are none yet.
func openCreateStats(root *cell.Cell) (*cell.Cell, error) {
	master, err := openStateMaster(root)
	if err != nil {
		return nil, err
	}
	info, err := openMasterInfo(master.info)
	if err != nil {
		return nil, err
	}
	if info.stats == nil {
		return nil, fail(codeBadRequest, "cannot extract block create stats from mc state")
	}
	tag, err := info.stats.LoadUInt(8)
	if err != nil {
		return nil, fmt.Errorf("block create stats: %w", err)
	}
	if tag != statsPlain && tag != statsAugmented {
		return nil, fmt.Errorf("block create stats: constructor %#x", tag)
	}
	return loadMaybeRef(info.stats)
}
