package boundedvm

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// PrepareConfig derives what executions need from the dictionary of configuration parameters. The library executes with
// the default limits of messages and accounts if it cannot read parameter 43: it lacks size_limits_config_v3#03, which
// networks may have since version 15, and the form of size_limits_config_v2#02 without max_transaction_library_loads. If such
// a parameter has other limits, it is executed as the form that the library reads; contracts then see that form, too. The
// limits of all messages of a transaction are not executed, see [TotalMessageLimits].
func PrepareConfig(root *cell.Cell) (*tvm.PreparedBlockchainConfig, error) {
	translated, err := readableSizeLimits(root)
	if err != nil {
		return nil, err
	}
	return tvm.PrepareBlockchainConfig(translated)
}

const sizeLimitsParam = 43

// readableSizeLimits returns the dictionary with a parameter 43 that the library reads, or the dictionary itself if that
// changes nothing.
func readableSizeLimits(root *cell.Cell) (*cell.Cell, error) {
	config := tlb.BlockchainConfig{Root: root}
	param, err := config.GetParam(sizeLimitsParam)
	if err != nil {
		return root, nil //nolint:nilerr // without the parameter the defaults are in force
	}
	if _, err := config.GetSizeLimitsConfig(); err == nil {
		return root, nil
	}
	limits, ok := sizeLimits(param)
	if !ok {
		return root, nil // a form that no node knows: the defaults are in force
	}
	dict, key := root.AsDict(32).Copy(), cell.BeginCell().MustStoreInt(sizeLimitsParam, 32).EndCell()
	if err := dict.Delete(key); err != nil {
		return nil, fmt.Errorf("size limits of the configuration: %w", err)
	}
	defaults, err := tlb.BlockchainConfig{Root: dict.AsCell()}.GetSizeLimitsConfig()
	if err == nil && defaults.Config == any(limits) {
		return root, nil
	}
	replaced, err := tlb.ToCell(limits)
	if err != nil {
		return nil, fmt.Errorf("size limits of the configuration: %w", err)
	}
	if err := dict.Set(key, cell.BeginCell().MustStoreRef(replaced).EndCell()); err != nil {
		return nil, fmt.Errorf("size limits of the configuration: %w", err)
	}
	return dict.AsCell(), nil
}

// MessageLimits are the limits of all messages of one transaction together, since global version 15.
type MessageLimits struct{ Bits, Cells uint64 }

// TotalMessageLimits returns the limits of a dictionary of parameters: those of size_limits_config_v3#03, and the defaults of
// the node with any other form.
func TotalMessageLimits(root *cell.Cell) MessageLimits {
	limits := MessageLimits{Bits: 5 << 20, Cells: 5 << 12}
	param, err := tlb.BlockchainConfig{Root: root}.GetParam(sizeLimitsParam)
	if err != nil {
		return limits
	}
	s, err := param.BeginParse()
	if err != nil {
		return limits
	}
	if tag, err := s.LoadUInt(8); err != nil || tag != 3 {
		return limits
	}
	const common = 3*32 + 16 + 32 + 16 + 5*32 + 8 + 32 // what sizeLimits reads of v2 and v3
	if _, err := s.LoadSlice(common); err != nil {
		return limits
	}
	if some, err := s.LoadBoolBit(); err != nil {
		return limits
	} else if some {
		if _, err := s.LoadUInt(32); err != nil { // max_transaction_library_loads
			return limits
		}
	}
	bits, err := s.LoadUInt(32)
	if err != nil {
		return limits
	}
	cells, err := s.LoadUInt(32)
	if err != nil {
		return limits
	}
	return MessageLimits{Bits: bits, Cells: cells}
}

// sizeLimits reads size_limits_config_v2#02 and v3#03.
func sizeLimits(param *cell.Cell) (l tlb.SizeLimitsConfigV2, ok bool) {
	s, err := param.BeginParse()
	if err != nil {
		return l, false
	}
	load := func(bits uint) (v uint64) {
		if err == nil {
			v, err = s.LoadUInt(bits)
		}
		return v
	}
	tag := load(8)
	l.MaxMsgBits, l.MaxMsgCells, l.MaxLibraryCells = uint32(load(32)), uint32(load(32)), uint32(load(32))
	l.MaxVMDataDepth, l.MaxExtMsgSize, l.MaxExtMsgDepth = uint16(load(16)), uint32(load(32)), uint16(load(16))
	l.MaxAccStateCells, l.MaxMCAccStateCells, l.MaxAccPublicLibraries = uint32(load(32)), uint32(load(32)), uint32(load(32))
	l.DeferOutQueueSizeLimit, l.MaxMsgExtraCurrencies = uint32(load(32)), uint32(load(32))
	l.MaxAccFixedPrefixLength, l.AccStateCellsForStorageDict = uint8(load(8)), uint32(load(32))
	if tag == 3 && load(1) != 0 {
		loads := uint32(load(32))
		l.MaxTransactionLibraryLoads = &loads
	}
	if tag == 3 {
		load(64) // max_total_msg_bits, max_total_msg_cells
	}
	return l, err == nil && (tag == 2 || tag == 3)
}
