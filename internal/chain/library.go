package chain

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// LibrarySet is public libraries as of one masterchain block, proven.
type LibrarySet struct {
	// Root identifies the dictionary of all public libraries: masterchain blocks with the same root have the same
	// libraries. It is zero when there is no library.
	Root Hash
	// Found holds the requested libraries that are public; the others are proven not to be.
	Found map[Hash]*cell.Cell
}

// LibraryFact records whether the dictionary with a root contains a library.
type LibraryFact struct {
	Root   Hash
	Hash   Hash
	Public bool
}

var errNotState = errors.New("not a masterchain state")

// LibraryDict returns the root cell of the public libraries (HashmapE 256 LibDescr) of a masterchain state; nil when
// there are none. The state may be partial, as in proofs and state updates: a dictionary that is cut off is returned as
// its pruned branch, and pruned is true when not even that is there.
func LibraryDict(state *cell.Cell) (dict *cell.Cell, pruned bool, err error) {
	if state == nil || state.IsSpecial() {
		return nil, true, nil
	}
	s, err := state.BeginParse()
	if err != nil {
		return nil, false, fmt.Errorf("masterchain state: %w", err)
	}
	tag, err := s.LoadUInt(32)
	if err != nil || tag != 0x9023afe2 || s.RefsNum() < 3 {
		return nil, false, errNotState
	}
	details, err := state.PeekRef(2) // out_msg_queue_info and accounts are before it
	if err != nil {
		return nil, false, fmt.Errorf("masterchain state: %w", err)
	}
	if details.IsSpecial() {
		return nil, true, nil
	}
	if s, err = details.BeginParse(); err != nil {
		return nil, false, fmt.Errorf("masterchain state: %w", err)
	}
	ref := 0
	if _, err := s.LoadSlice(128); err != nil { // overload_history, underload_history
		return nil, false, errNotState
	}
	for range 2 { // total_balance, total_validator_fees
		if _, err := s.LoadBigCoins(); err != nil {
			return nil, false, errNotState
		}
		extra, err := s.LoadBoolBit()
		if err != nil {
			return nil, false, errNotState
		}
		if extra {
			ref++
		}
	}
	some, err := s.LoadBoolBit()
	if err != nil {
		return nil, false, errNotState
	}
	if !some {
		return nil, false, nil
	}
	dict, err = details.PeekRef(ref)
	if err != nil {
		return nil, false, errNotState
	}
	return dict, false, nil
}

// LibraryRoot identifies a dictionary of public libraries, see [LibrarySet].
func LibraryRoot(dict *cell.Cell) Hash {
	if dict == nil {
		return Hash{}
	}
	return Hash(dict.HashKey(0))
}

// LibraryRootAfter returns the root of the public libraries after a masterchain block, from the state update that the
// block holds. With shown false the update leaves the root out because the libraries are those before the block. ok is
// false when it determines neither.
func LibraryRootAfter(block *cell.Cell) (root Hash, shown, ok bool) {
	if block == nil || block.IsSpecial() || block.RefsNum() < 3 {
		return root, false, false
	}
	update, err := block.PeekRef(2)
	if err != nil || update.GetType() != cell.MerkleUpdateCellType {
		return root, false, false
	}
	before, err := update.PeekRef(0)
	if err != nil {
		return root, false, false
	}
	after, err := update.PeekRef(1)
	if err != nil {
		return root, false, false
	}
	dict, pruned, err := LibraryDict(after)
	if err != nil {
		return root, false, false
	}
	if !pruned {
		return LibraryRoot(dict), true, true
	}
	return root, false, sameDetails(before, after)
}

// sameDetails reports whether two states, of which parts are pruned, have the same cell of libraries and balances.
func sameDetails(a, b *cell.Cell) bool {
	if a.HashKey(0) == b.HashKey(0) {
		return true
	}
	if a.IsSpecial() || b.IsSpecial() {
		return false
	}
	x, err := a.PeekRef(2)
	if err != nil {
		return false
	}
	y, err := b.PeekRef(2)
	return err == nil && x.HashKey(0) == y.HashKey(0)
}
