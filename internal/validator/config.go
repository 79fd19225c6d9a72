package validator

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Configuration parameters that decide who signs masterchain blocks.
const (
	ParamCatchain  = 28 // whether the validators of the masterchain are shuffled
	ParamCurrent   = 34 // the current validators
	ParamTemporary = 35 // the temporary validators; they replace the current ones while they are set
)

// errPruned reports that a proof does not show what is read.
var errPruned = errors.New("a branch that is needed is pruned")

// param returns the value of a configuration parameter, or nil when the configuration shows that it is absent.
func param(config *cell.Dictionary, number uint64) (*cell.Cell, error) {
	if config == nil || config.AsCell() == nil || config.GetKeySize() != 32 {
		return nil, errors.New("the configuration is missing")
	}
	value, err := config.LoadValueByUintKey(number)
	switch {
	case errors.Is(err, cell.ErrNoSuchKeyInDict):
		return nil, nil
	case errors.Is(err, cell.ErrDictHasSpecialCells):
		return nil, fmt.Errorf("config parameter %d: %w", number, errPruned)
	case err != nil:
		return nil, fmt.Errorf("config parameter %d: %w", number, err)
	}
	if value.BitsLeft() != 0 || value.RefsNum() != 1 {
		return nil, fmt.Errorf("config parameter %d: the value is not one reference", number)
	}
	root, err := value.LoadRefCell()
	if err != nil {
		return nil, fmt.Errorf("config parameter %d: %w", number, err)
	}
	return root, nil
}

// open begins to read a cell that must not be pruned.
func open(c *cell.Cell) (*cell.Slice, error) {
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	if s.IsSpecial() {
		return nil, errPruned
	}
	return s, nil
}

// Constructors of CatchainConfig.
const (
	catchainConfig    = 0xc1
	catchainConfigNew = 0xc2
)

// shuffled reports whether the validators of the masterchain are shuffled. Without parameter 28 they are not.
func shuffled(config *cell.Dictionary) (bool, error) {
	root, err := param(config, ParamCatchain)
	if root == nil || err != nil {
		return false, err
	}
	s, err := open(root)
	if err != nil {
		return false, fmt.Errorf("config parameter %d: %w", ParamCatchain, err)
	}
	tag, err := s.LoadUInt(8)
	if err != nil {
		return false, fmt.Errorf("config parameter %d: %w", ParamCatchain, err)
	}
	numbers, shuffle := uint(4*32), uint64(0) // three lifetimes and the number of validators of a shard
	switch tag {
	case catchainConfig:
	case catchainConfigNew:
		if shuffle, err = s.LoadUInt(8); err != nil { // seven flags, all zero, and the one that matters
			return false, fmt.Errorf("config parameter %d: %w", ParamCatchain, err)
		}
	default:
		return false, fmt.Errorf("config parameter %d: unknown constructor %#x", ParamCatchain, tag)
	}
	if shuffle > 1 || s.BitsLeft() != numbers || s.RefsNum() != 0 {
		return false, fmt.Errorf("config parameter %d: not a catchain configuration", ParamCatchain)
	}
	return shuffle == 1, nil
}
