package boundedvm

import (
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/op/helpers"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/sha3"
)

// caught wraps an opcode that panics with the VM's exception when its gas ends inside a cell builder: the library would
// end the execution with an error instead of exit code -14.
func caught(library action) action {
	return polled(func(s *vm.State) (err error) {
		defer func() {
			if r := recover(); r != nil {
				exception, ok := r.(error)
				if _, isVM := vmerr.ErrorCode(exception); !ok || !isVM {
					panic(r) //nolint:forbidigo // not ours: the library reports it
				}
				err = exception
			}
		}()
		return library(s)
	})
}

// limited wraps an opcode that changes the gas limit. A get-method that is started without a maximum of gas would have
// none after ACCEPT, and loop for ever: the limit that it was started with is its maximum.
func limited(library action) action {
	return func(s *vm.State) error {
		if s.Gas.Max == vm.GasInfinite {
			s.Gas.Max = max(s.Gas.Limit, s.Gas.Base)
		}
		return library(s)
	}
}

var heavyPatches = map[string]patch{
	"f800/16": limited, // ACCEPT
	"f801/16": limited, // SETGASLIMIT
	"f901/16": caught,  // HASHSU
	// One call of these takes tens of microseconds and more.
	"f910/16":   checked, // CHKSIGNU
	"f911/16":   checked, // CHKSIGNS
	"f914/16":   checked, // P256_CHKSIGNU
	"f915/16":   checked, // P256_CHKSIGNS
	"f93000/24": checked, // BLS_VERIFY
	"f93001/24": checked, // BLS_AGGREGATE
	"f93002/24": checked, // BLS_FASTAGGREGATEVERIFY
	"f93003/24": checked, // BLS_AGGREGATEVERIFY
	"f93014/24": checked, // BLS_G1_MULTIEXP
	"f93024/24": checked, // BLS_G2_MULTIEXP
	"f93030/24": pairing, // BLS_PAIRING
}

// hashers are those of HASHEXT by their number, with the bytes that one unit of gas pays for.
var hashers = []struct {
	make  func() hash.Hash
	bytes int64
}{
	{sha256.New, 33},
	{sha512.New, 16},
	{newBlake2b, 19},
	{sha3.NewLegacyKeccak256, 11},
	{sha3.NewLegacyKeccak512, 6},
}

func newBlake2b() hash.Hash {
	h, err := blake2b.New512(nil)
	if err != nil {
		panic(fmt.Errorf("blake2b without a key: %w", err)) //nolint:forbidigo // only a key can be wrong
	}
	return h
}

// hashExt is HASHEXT. The library joins its arguments bit by bit when they do not end at a byte; this joins bytes.
func hashExt() vm.OP {
	var args uint64
	return &helpers.AdvancedOP{
		NameSerializer: func() string { return fmt.Sprintf("HASHEXT %d", args) },
		BitPrefix:      helpers.UIntPrefix(0xF904>>2, 14), FixedSizeBits: 10, MinVersion: 4,
		SerializeSuffix: func() *cell.Builder { return cell.BeginCell().MustStoreUInt(args, 10) },
		DeserializeSuffix: func(code *cell.Slice) (err error) {
			args, err = code.LoadUInt(10)
			return err
		},
		Action: func(s *vm.State) error { return runHashExt(s, args) },
	}
}

// Flags of HASHEXT beside the number of the hash; hashOnStack is the number that says it is on the stack.
const (
	hashReversed = 1 << 8
	hashAppended = 1 << 9
	hashOnStack  = 255
)

func runHashExt(s *vm.State, args uint64) error {
	if err := check(s); err != nil {
		return err
	}
	kind := int64(args & hashOnStack)
	if kind == hashOnStack {
		if s.GlobalVersion >= 9 && s.Stack.Len() < 2 {
			return vmerr.Error(vmerr.CodeStackUnderflow)
		}
		var err error
		if kind, err = s.Stack.PopIntRangeInt64(0, 254); err != nil {
			return err
		}
	}
	most := s.Stack.Len() - 1
	if s.GlobalVersion >= 9 && args&hashAppended != 0 {
		most--
	}
	count, err := s.Stack.PopIntRangeInt64(0, int64(most))
	if err != nil {
		return err
	}
	if kind >= int64(len(hashers)) {
		return vmerr.Error(vmerr.CodeRangeCheck, "unknown hashext hash id")
	}
	sum, err := hashValues(s, int(kind), int(count), args&hashReversed != 0)
	if err != nil {
		return err
	}
	return pushHash(s, sum, args&hashAppended != 0)
}

// hashValues hashes the bits of the top count values and drops them.
func hashValues(s *vm.State, kind, count int, reversed bool) ([]byte, error) {
	var input joiner
	var paid int64
	for i := range count {
		place := i
		if !reversed {
			place = count - 1 - i
		}
		v, err := s.Stack.Get(place)
		if err != nil {
			return nil, err
		}
		data, bits, err := bitsOf(v)
		if err != nil {
			if drop := s.Stack.Drop(count); drop != nil {
				return nil, drop
			}
			return nil, err
		}
		price := int64(i+1)*vm.HashExtEntryGasPrice + int64((input.bits+bits)/8)/hashers[kind].bytes
		if err = s.ConsumeGas(price - paid); err != nil {
			return nil, err
		}
		paid = price
		input.append(data, bits)
	}
	if err := s.Stack.Drop(count); err != nil {
		return nil, err
	}
	if input.bits%8 != 0 {
		return nil, vmerr.Error(vmerr.CodeCellUnderflow, "hash input does not consist of a whole number of bytes")
	}
	h := hashers[kind].make()
	h.Write(input.data)
	return h.Sum(nil), nil
}

func bitsOf(v any) ([]byte, int, error) {
	switch x := v.(type) {
	case *cell.Slice:
		if x == nil {
			return nil, 0, vmerr.Error(vmerr.CodeTypeCheck, "expected slice or builder")
		}
		data, err := x.PreloadSlice(x.BitsLeft())
		return data, int(x.BitsLeft()), err
	case *cell.Builder:
		slice := x.WithoutTrace().ToSlice()
		data, err := slice.PreloadSlice(slice.BitsLeft())
		return data, int(slice.BitsLeft()), err
	default:
		return nil, 0, vmerr.Error(vmerr.CodeTypeCheck, "expected slice or builder")
	}
}

// joiner joins strings of bits.
type joiner struct {
	data []byte
	bits int
}

// append adds the first bits of src. What follows them in the last byte of src is ignored.
func (j *joiner) append(src []byte, bits int) {
	if bits == 0 {
		return
	}
	src = src[:(bits+7)/8]
	shift := uint(j.bits % 8)
	if shift == 0 {
		j.data = append(j.data, src...)
	} else {
		last := len(j.data) - 1
		for _, b := range src {
			j.data[last] |= b >> shift
			j.data = append(j.data, b<<(8-shift))
			last++
		}
	}
	j.bits += bits
	j.data = j.data[:(j.bits+7)/8]
	if rest := uint(j.bits % 8); rest != 0 {
		j.data[len(j.data)-1] &= 0xFF << (8 - rest)
	}
}

func pushHash(s *vm.State, sum []byte, appended bool) error {
	if appended {
		b, err := s.Stack.PopBuilder()
		if err != nil {
			return err
		}
		if !b.CanExtendBy(uint(len(sum)*8), 0) {
			return vmerr.Error(vmerr.CodeCellOverflow)
		}
		if err = b.StoreSlice(sum, uint(len(sum)*8)); err != nil {
			return vmerr.Error(vmerr.CodeCellOverflow, err.Error())
		}
		return s.Stack.PushOwnedBuilder(b)
	}
	if len(sum) <= 32 {
		return s.Stack.PushOwnedInt(new(big.Int).SetBytes(sum))
	}
	return s.Stack.PushTuple(tuple.NewTupleValue(new(big.Int).SetBytes(sum[:32]), new(big.Int).SetBytes(sum[32:])))
}
