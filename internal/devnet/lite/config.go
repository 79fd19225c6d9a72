package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// configFromKeyBlock requests the configuration of the last key block instead of the
// one in the state of the named block.
const configFromKeyBlock = 0x8000

// getConfig proves the complete configuration, or some of its parameters, in the state
// after a masterchain block. Parameters that do not exist are proven absent.
func (a *api) getConfig(id *ton.BlockIDExt, mode int32, params []int32, all bool) (tl.Serializable, error) {
	if !validMaster(id) {
		return nil, fail(codeBadRequest, "configuration parameters can be loaded with respect to a masterchain block only")
	}
	mode &= 0xffff
	b, err := a.masterOf(id)
	if err != nil {
		return nil, err
	}
	pick := params
	if all {
		pick = nil
	} else if pick == nil {
		pick = []int32{}
	}
	response := ton.ConfigAll{Mode: int(mode)}
	if mode&configFromKeyBlock != 0 {
		c := &proofChain{a: a, base: b}
		if err := c.look(id, id); err != nil {
			return nil, err
		}
		key, err := c.keyAtOrBefore(b.ID.SeqNo)
		if err != nil {
			return nil, err
		}
		if b, err = a.masterOf(key); err != nil {
			return nil, err
		}
		response.ID = key
		response.ConfigProof, err = proveParams(b.Root, pick, openKeyConfig)
		return response, err
	}
	state, err := a.stateOf(b)
	if err != nil {
		return nil, err
	}
	first, err := a.stateRootProof(b)
	if err != nil {
		return nil, err
	}
	response.ID = b.ID.Copy()
	if response.StateProof, err = boc(first); err != nil {
		return nil, err
	}
	response.ConfigProof, err = proveParams(state, pick, func(root *cell.Cell) (*cell.Cell, error) {
		master, err := openStateMaster(root)
		return master.config, err
	})
	return response, err
}

// proveParams proves configuration parameters below root; nil means all of them.
func proveParams(root *cell.Cell, params []int32, open func(*cell.Cell) (*cell.Cell, error)) ([]byte, error) {
	proof, err := prove(root, func(root *cell.Cell) error {
		config, err := open(root)
		if err != nil {
			return err
		}
		if params == nil {
			return visit(config)
		}
		for _, n := range params {
			if err := openParam(config, n); err != nil {
				return fmt.Errorf("configuration parameter %d: %w", n, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return boc(proof)
}

func openParam(config *cell.Cell, n int32) error {
	v, err := lookup(config, intKey(n), 32)
	if err != nil || v == nil {
		return err
	}
	param, err := v.LoadRefCell()
	if err != nil {
		return err
	}
	return visit(param)
}
