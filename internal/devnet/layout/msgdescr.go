package layout

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// NewInMsgDescr returns an empty InMsgDescr. Its sums are those of the TON library without the extra flags of messages, which
// stand where the IHR fee was, and are no value.
func NewInMsgDescr() (*cell.AugmentedDictionary, error) { return cell.NewAugDict(256, inMsgs{}) }

// NewOutMsgDescr returns an empty OutMsgDescr, with sums as in [NewInMsgDescr].
func NewOutMsgDescr() (*cell.AugmentedDictionary, error) { return cell.NewAugDict(256, outMsgs{}) }

type inMsgs struct{ tlb.AugInMsgDescr }

// LeafExtra returns ImportFees: fees_collected:Grams value_imported:CurrencyCollection.
func (a inMsgs) LeafExtra(record *cell.Slice) (*cell.Cell, error) {
	flags := extraFlags(record)
	extra, err := a.AugInMsgDescr.LeafExtra(record)
	if err != nil || flags.Sign() == 0 {
		return extra, err
	}
	s, err := extra.BeginParse()
	if err != nil {
		return nil, err
	}
	fees, err := s.LoadBigCoins()
	if err != nil {
		return nil, fmt.Errorf("import fees: %w", err)
	}
	return without(flags, cell.BeginCell().MustStoreBigCoins(fees), s)
}

type outMsgs struct{ tlb.AugOutMsgDescr }

// LeafExtra returns the exported value, a CurrencyCollection.
func (a outMsgs) LeafExtra(record *cell.Slice) (*cell.Cell, error) {
	flags := extraFlags(record)
	extra, err := a.AugOutMsgDescr.LeafExtra(record)
	if err != nil || flags.Sign() == 0 {
		return extra, err
	}
	s, err := extra.BeginParse()
	if err != nil {
		return nil, err
	}
	return without(flags, cell.BeginCell(), s)
}

// without appends a CurrencyCollection to b, less the flags. A value of zero does not contain them.
func without(flags *big.Int, b *cell.Builder, s *cell.Slice) (*cell.Cell, error) {
	value, err := LoadCurrencies(s)
	if err != nil {
		return nil, err
	}
	if value.Nano.Cmp(flags) >= 0 {
		value.Nano = new(big.Int).Sub(value.Nano, flags)
	}
	value.Store(b)
	return b.EndCell(), nil
}

// extraFlags reads the extra flags of the message in the envelope of an InMsg or OutMsg; zero when there is none.
func extraFlags(record *cell.Slice) *big.Int {
	none := new(big.Int)
	var env tlb.MsgEnvelope
	c, err := record.Copy().LoadRefCell()
	if err != nil {
		return none
	}
	s, err := c.BeginParse()
	if err != nil || env.LoadFromCell(s) != nil || env.Msg == nil {
		return none
	}
	var m tlb.InternalMessage
	if s, err = env.Msg.BeginParse(); err != nil || tlb.LoadFromCell(&m, s) != nil || !m.IHRDisabled {
		return none
	}
	return m.IHRFee.Nano()
}
