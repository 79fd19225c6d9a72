package resolvers

import (
	"context"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// suspendedParam is the configuration parameter with the accounts that cannot be initialized until a time.
const suspendedParam = 44

// Suspensions are the accounts that cannot be initialized, as configuration parameter 44 of a block lists them. The zero value has none.
type Suspensions struct {
	mcSeqno uint32
	param   *cell.Cell
	at      uint32 // Unix time at which the list is read
}

// Suspensions returns the accounts that cannot be initialized as of a masterchain block; nil: the newest indexed one, which a snapshot does
// not accept. There are none where neither index nor node have the configuration.
func (s *Service) Suspensions(ctx context.Context, mcSeqno *uint32) (Suspensions, error) {
	if !s.snapshot {
		v, err := s.emulator.At(ctx, mcSeqno)
		if err != nil {
			return Suspensions{}, err
		}
		list, err := s.suspensions(v.Master.Seqno, v.Master.GenUtime, func() (*cell.Cell, error) { return s.emulator.ConfigRoot(ctx, &v.Master) })
		if kind := chain.KindOf(err); kind == chain.NotFound || kind == chain.Unavailable {
			err = nil // which does not invalidate the state of an account
		}
		return list, err
	}
	now := uint32(time.Now().Unix())
	list, err := s.suspensions(*mcSeqno, now, func() (*cell.Cell, error) {
		c, err := s.index.Config(ctx, *mcSeqno)
		if err != nil {
			return nil, err
		}
		return cell.FromBOC(c.BOC)
	})
	if chain.KindOf(err) == chain.NotFound {
		err = nil
	}
	return list, err
}

// suspensions returns the list of a masterchain block, which is read once for all requests at this block.
func (s *Service) suspensions(mcSeqno, at uint32, read func() (*cell.Cell, error)) (Suspensions, error) {
	if last := s.suspended.Load(); last != nil && last.mcSeqno == mcSeqno {
		return Suspensions{mcSeqno: mcSeqno, param: last.param, at: at}, nil
	}
	root, err := read()
	if err != nil {
		return Suspensions{}, err
	}
	list := Suspensions{mcSeqno: mcSeqno, at: at}
	value, err := root.AsDict(32).LoadValue(cell.BeginCell().MustStoreInt(suspendedParam, 32).EndCell())
	if err == nil && value != nil { // the dictionary's only error is that the key is not there
		if list.param, err = value.LoadRefCell(); err != nil {
			return Suspensions{}, err
		}
	}
	s.suspended.Store(&list)
	return list, nil
}

// Include reports whether the account cannot be initialized. An account that has code is not suspended, whatever the list says.
//
//	suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;
func (l Suspensions) Include(s *chain.AccountState) (bool, error) {
	if l.param == nil || s.CodeHash != nil {
		return false, nil
	}
	p, err := l.param.BeginParse()
	if err != nil {
		return false, err
	}
	if _, err = p.LoadUInt(8); err != nil { // the constructor's tag
		return false, err
	}
	list, err := p.LoadDict(288)
	if err != nil {
		return false, err
	}
	until, err := p.LoadUInt(32)
	if err != nil || uint64(l.at) >= until || list == nil {
		return false, err
	}
	key := cell.BeginCell().MustStoreInt(int64(s.Account.Workchain), 32).MustStoreSlice(s.Account.ID[:], 256).EndCell()
	found, err := list.LoadValue(key)
	return err == nil && found != nil, nil
}
