package lite

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// account holds the parts of an account's cell that a get-method needs.
type account struct {
	address *cell.Slice // MsgAddressInt
	due     *big.Int    // storage debt; zero when none
	balance *big.Int
	extra   *cell.Cell // root of the extra currencies; nil when none

	active    bool
	code      *cell.Cell // nil when the account has none
	data      *cell.Cell
	libraries *cell.Cell
}

// openAccount reads Account. The cells of code, data and libraries stay unopened.
func openAccount(root *cell.Cell) (*account, error) {
	s, err := openTagged(root, 1, 1) // account$1
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	a := &account{due: new(big.Int)}
	if a.address, err = loadAddress(s); err != nil {
		return nil, fmt.Errorf("account address: %w", err)
	}
	if err := a.loadStorageInfo(s); err != nil {
		return nil, fmt.Errorf("account storage info: %w", err)
	}
	if err := s.SkipBits(64); err != nil { // last_trans_lt
		return nil, fmt.Errorf("account: %w", err)
	}
	if a.balance, err = s.LoadBigCoins(); err != nil {
		return nil, fmt.Errorf("account balance: %w", err)
	}
	if a.extra, err = loadMaybeRef(s); err != nil {
		return nil, fmt.Errorf("account balance: %w", err)
	}
	if a.active, err = s.LoadBoolBit(); err != nil {
		return nil, fmt.Errorf("account state: %w", err)
	}
	if !a.active {
		return a, nil
	}
	if err := a.loadStateInit(s); err != nil {
		return nil, fmt.Errorf("account state: %w", err)
	}
	return a, nil
}

// loadAddress loads a MsgAddressInt as a slice.
func loadAddress(s *cell.Slice) (*cell.Slice, error) {
	start := s.Copy()
	if _, err := s.LoadAddr(); err != nil {
		return nil, err
	}
	return start.FetchSubslice(start.BitsLeft()-s.BitsLeft(), 0)
}

// loadStorageInfo skips StorageInfo and returns the debt.
func (a *account) loadStorageInfo(s *cell.Slice) error {
	for range 2 { // used: cells, bits
		if _, err := s.LoadVarUInt(7); err != nil {
			return err
		}
	}
	extra, err := s.LoadUInt(3)
	if err != nil {
		return err
	}
	if extra == 1 { // storage_extra_info: the hash of the account's dictionary of cells
		if err := s.SkipBits(256); err != nil {
			return err
		}
	}
	if err := s.SkipBits(32); err != nil { // last_paid
		return err
	}
	indebted, err := s.LoadBoolBit()
	if err != nil || !indebted {
		return err
	}
	a.due, err = s.LoadBigCoins()
	return err
}

func (a *account) loadStateInit(s *cell.Slice) error {
	for _, bits := range []uint{5, 2} { // fixed_prefix_length, special
		has, err := s.LoadBoolBit()
		if err != nil {
			return err
		}
		if has {
			if err := s.SkipBits(bits); err != nil {
				return err
			}
		}
	}
	for _, dst := range []**cell.Cell{&a.code, &a.data, &a.libraries} {
		c, err := loadMaybeRef(s)
		if err != nil {
			return err
		}
		*dst = c
	}
	return nil
}
