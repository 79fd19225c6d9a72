package genesis

import (
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Limits of all messages that one transaction sends, since global version 15.
const (
	maxTotalMsgBits  = 5 << 20
	maxTotalMsgCells = 5 << 12
)

// DeferOutQueueSize is the out-queue size above which a block takes nothing out of the
// dispatch queue.
const DeferOutQueueSize = 256

// sizes sets the limits of messages and accounts to mainnet's. Version 15 has a longer form
// of the parameter, size_limits_config_v3#03.
func (p *params) sizes(o Options) {
	limits := tlb.SizeLimitsConfigV2{
		MaxMsgBits: 1 << 21, MaxMsgCells: 1 << 13, MaxLibraryCells: 1000, MaxVMDataDepth: 512,
		MaxExtMsgSize: 65535, MaxExtMsgDepth: 512, MaxAccStateCells: 1 << 16, MaxMCAccStateCells: 1 << 11,
		MaxAccPublicLibraries: 256, DeferOutQueueSizeLimit: DeferOutQueueSize, MaxMsgExtraCurrencies: 2,
		MaxAccFixedPrefixLength: 8, AccStateCellsForStorageDict: 26,
	}
	if o.GlobalVersion < 15 {
		p.tlb(43, limits)
		return
	}
	short, err := tlb.ToCell(limits)
	if err != nil {
		p.err = err
		return
	}
	fields, err := short.BeginParse()
	if err == nil {
		err = fields.SkipBits(8) // size_limits_config_v2#02
	}
	if err != nil {
		p.err = err
		return
	}
	p.set(43, cell.BeginCell().MustStoreUInt(3, 8).
		MustStoreBuilder(fields.ToBuilder()). // ends with max_transaction_library_loads
		MustStoreUInt(maxTotalMsgBits, 32).
		MustStoreUInt(maxTotalMsgCells, 32).EndCell())
}
