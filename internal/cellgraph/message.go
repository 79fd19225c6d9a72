package cellgraph

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// MaxMessageEntries bounds the dictionaries of a message that are read entry by entry when it is parsed or executed: its
// extra currencies and the libraries of its state init. The largest message of the network has 8192 distinct cells, so a
// dictionary of more than 4096 entries has branches that share cells.
const MaxMessageEntries = 4096

// Width of the keys of a message's dictionaries, in bits.
const (
	currencyKey = 32
	libraryKey  = 256
)

// CheckMessage bounds what it takes to parse a message: it fails with [ErrTooManyEntries] when the extra currencies or the
// libraries of the message at root are more than [MaxMessageEntries]. It does not look at body, code and data, which
// parsers do not walk; [Check] does. What is no message passes: the parser says what is wrong.
func CheckMessage(root *cell.Cell) error {
	if root == nil || root.IsSpecial() {
		return nil
	}
	var s cell.Slice
	if root.BeginParseIntoWithoutTrace(&s) != nil {
		return nil
	}
	currencies, ok := skipInfo(&s)
	if !ok {
		return nil
	}
	if err := few(currencies, currencyKey, "extra currencies"); err != nil {
		return err
	}
	return few(initLibraries(&s), libraryKey, "libraries of the state init")
}

// CheckExecution bounds what it takes to execute a message: what [CheckMessage] bounds, and the walk of the TVM over all of
// the message as a tree, of limit visits. Networks count distinct cells, so what fails may well be valid on the chain.
func CheckExecution(root *cell.Cell, limit int) error {
	n, err := visits(root, limit)
	if err == nil && n > limit {
		err = &TooManyVisitsError{Max: limit}
	}
	if err != nil || n <= MaxMessageEntries {
		return err // so few cells hold no larger dictionary
	}
	return CheckMessage(root)
}

func few(dict *cell.Cell, keyBits uint, what string) error {
	if _, err := Entries(dict, keyBits, MaxMessageEntries); errors.Is(err, ErrTooManyEntries) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil // what is no dictionary ends the parser as early
}

// skipInfo takes the header of a message and returns its dictionary of extra currencies, nil for none.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
//	  value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
//	ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
//	ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
func skipInfo(s *cell.Slice) (currencies *cell.Cell, ok bool) {
	external, err := s.LoadBoolBit()
	if err != nil {
		return nil, false
	}
	out := false
	if external {
		out, err = s.LoadBoolBit()
	} else {
		err = s.SkipBits(3)
	}
	if err != nil || !skipAddress(s) || !skipAddress(s) {
		return nil, false
	}
	if !external {
		if !skipCoins(s) {
			return nil, false
		}
		if currencies, ok = maybeRef(s); !ok || !skipCoins(s) {
			return nil, false
		}
	}
	if !out && !skipCoins(s) {
		return nil, false
	}
	if !external || out {
		return currencies, s.SkipBits(64+32) == nil
	}
	return currencies, true
}

func skipAddress(s *cell.Slice) bool {
	_, err := s.LoadAddr()
	return err == nil
}

func skipCoins(s *cell.Slice) bool {
	_, err := s.LoadBigCoins()
	return err == nil
}

func maybeRef(s *cell.Slice) (ref *cell.Cell, ok bool) {
	has, err := s.LoadBoolBit()
	if err != nil || !has {
		return nil, err == nil
	}
	ref, err = s.LoadRefCell()
	return ref, err == nil
}

// initLibraries takes the state init that follows the header, in place or in a reference, and returns its dictionary of
// libraries, nil for none.
//
//	_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//	  library:(HashmapE 256 SimpleLib) = StateInit;
func initLibraries(s *cell.Slice) *cell.Cell {
	if has, err := s.LoadBoolBit(); err != nil || !has {
		return nil
	}
	inRef, err := s.LoadBoolBit()
	if err != nil {
		return nil
	}
	if inRef {
		init, err := s.LoadRefCell()
		if err != nil {
			return nil
		}
		s = new(cell.Slice)
		if init.BeginParseIntoWithoutTrace(s) != nil {
			return nil
		}
	}
	for _, bits := range []uint{5, 2} { // fixed_prefix_length, special
		has, err := s.LoadBoolBit()
		if err != nil || has && s.SkipBits(bits) != nil {
			return nil
		}
	}
	for range 2 { // code, data
		if _, ok := maybeRef(s); !ok {
			return nil
		}
	}
	libraries, _ := maybeRef(s)
	return libraries
}
