package validator

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Constructors of ValidatorSet, ValidatorDescr and SigPubKey.
const (
	tagValidators    = 0x11
	tagValidatorsExt = 0x12
	tagValidator     = 0x53
	tagValidatorAddr = 0x73
	tagEd25519       = 0x8e81278a
)

// maxTotalWeight is the largest total weight that the network accepts. Three times a weight fits into 64 bits.
const maxTotalWeight = 1 << 61

// Validator is one entry of a validator set.
type Validator struct {
	Key    [32]byte   // Ed25519 public key
	Weight uint64     // at least 1
	ADNL   chain.Hash // zero in an entry without an ADNL id, as in the first sets of the main network
}

// Set is a validator set, without the entries that never sign masterchain blocks unless all were read.
type Set struct {
	Since, Until uint32      // Unix times
	Total        uint16      // number of entries on the chain
	Weight       uint64      // declared total weight of all of them; 0 in validators#11, which declares none
	Signing      uint16      // number of those that sign masterchain blocks: the first ones
	Main         []Validator // those, or all of [ParseFull]
}

// Current reads the set in force: the temporary validators, or the current ones when there are none.
func Current(config *cell.Dictionary) (*Set, error) {
	number := uint64(ParamTemporary)
	root, err := param(config, number)
	if err == nil && root == nil {
		number = ParamCurrent
		root, err = param(config, number)
	}
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, errors.New("the configuration lists no validators")
	}
	set, err := ParseSet(root)
	if err != nil {
		return nil, fmt.Errorf("config parameter %d: %w", number, err)
	}
	return set, nil
}

// ParseFull reads a validator set with all its entries.
func ParseFull(root *cell.Cell) (*Set, error) { return parse(root, true) }

// ParseSet reads a validator set, of which everything but the first main entries may be pruned.
func ParseSet(root *cell.Cell) (*Set, error) { return parse(root, false) }

func parse(root *cell.Cell, all bool) (*Set, error) {
	s, err := open(root)
	if err != nil {
		return nil, fmt.Errorf("validator set: %w", err)
	}
	set := &Set{}
	tag, main, err := set.readHeader(s)
	if err != nil {
		return nil, fmt.Errorf("validator set: %w", err)
	}
	list, err := readList(s, tag)
	if err != nil {
		return nil, fmt.Errorf("validator set: %w", err)
	}
	read := main
	if all {
		read = set.Total
	}
	if err := set.readMain(list, read); err != nil {
		return nil, err
	}
	set.Signing = main
	return set, nil
}

// readHeader reads the fields before the list and returns the constructor and the number of entries that sign
// masterchain blocks.
func (set *Set) readHeader(s *cell.Slice) (tag uint64, main uint16, err error) {
	if tag, err = s.LoadUInt(8); err != nil {
		return 0, 0, err
	}
	if tag != tagValidators && tag != tagValidatorsExt {
		return 0, 0, fmt.Errorf("unknown constructor %#x", tag)
	}
	times, err := s.LoadUInt(64)
	if err != nil {
		return 0, 0, err
	}
	counts, err := s.LoadUInt(32)
	if err != nil {
		return 0, 0, err
	}
	set.Since, set.Until = uint32(times>>32), uint32(times)
	set.Total, main = uint16(counts>>16), uint16(counts)
	if main < 1 || main > set.Total {
		return 0, 0, fmt.Errorf("%d of %d validators sign masterchain blocks", main, set.Total)
	}
	if tag == tagValidators {
		return tag, main, nil
	}
	if set.Weight, err = s.LoadUInt(64); err != nil {
		return 0, 0, err
	}
	if set.Weight == 0 || set.Weight > maxTotalWeight {
		return 0, 0, fmt.Errorf("total weight %d", set.Weight)
	}
	return tag, main, nil
}

// readList opens the dictionary of entries: the rest of the cell in validators#11, a reference in validators_ext#12.
func readList(s *cell.Slice, tag uint64) (*cell.Dictionary, error) {
	if tag == tagValidators {
		return s.ToDict(16)
	}
	list, err := s.LoadDict(16)
	if err != nil {
		return nil, err
	}
	if s.BitsLeft() != 0 || s.RefsNum() != 0 {
		return nil, errors.New("there is more behind the list")
	}
	return list, nil
}

// readMain reads the first entries. A key that repeats is refused, so a list of few cells ends early however many
// entries it pretends to have.
func (set *Set) readMain(list *cell.Dictionary, main uint16) error {
	seen := map[[32]byte]bool{}
	weight := uint64(0)
	for i := range main {
		value, err := list.LoadValueByUintKey(uint64(i))
		if errors.Is(err, cell.ErrDictHasSpecialCells) {
			err = errPruned
		}
		if err != nil {
			return fmt.Errorf("validator %d: %w", i, err)
		}
		v, err := parseValidator(value)
		if err != nil {
			return fmt.Errorf("validator %d: %w", i, err)
		}
		if seen[v.Key] {
			return fmt.Errorf("validator %d: its key is that of another one", i)
		}
		seen[v.Key] = true
		if v.Weight > maxTotalWeight-weight {
			return errors.New("the total weight of the validators is above 2^61")
		}
		weight += v.Weight
		set.Main = append(set.Main, v)
	}
	if set.Weight != 0 && (weight > set.Weight || main == set.Total && weight != set.Weight) {
		return fmt.Errorf("the weights of the validators do not match the total weight %d", set.Weight)
	}
	return nil
}

func parseValidator(s *cell.Slice) (v Validator, err error) {
	tag, err := s.LoadUInt(8)
	if err != nil {
		return v, err
	}
	if tag != tagValidator && tag != tagValidatorAddr {
		return v, fmt.Errorf("unknown constructor %#x", tag)
	}
	keyTag, err := s.LoadUInt(32)
	if err != nil {
		return v, err
	}
	if keyTag != tagEd25519 {
		return v, fmt.Errorf("unknown kind of key %#x", keyTag)
	}
	if err := s.LoadSliceInto(v.Key[:], 256); err != nil {
		return v, err
	}
	if v.Weight, err = s.LoadUInt(64); err != nil {
		return v, err
	}
	if v.Weight == 0 {
		return v, errors.New("its weight is 0")
	}
	if tag == tagValidatorAddr {
		if err := s.LoadSliceInto(v.ADNL[:], 256); err != nil {
			return v, err
		}
	}
	if s.BitsLeft() != 0 || s.RefsNum() != 0 {
		return v, errors.New("there is more behind it")
	}
	return v, nil
}
