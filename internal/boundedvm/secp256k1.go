package boundedvm

import (
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/xssnick/tonutils-go/tvm/op/helpers"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// The library's arithmetic on secp256k1 works on big integers in affine coordinates: 26 ms for one ECRECOVER of 1,526
// units of gas. These take some 200 µs.

func ecRecover() vm.OP {
	return &helpers.SimpleOP{
		Name: "ECRECOVER", BitPrefix: helpers.BytesPrefix(0xF9, 0x12), MinVersion: 4, Action: checked(runECRecover),
	}
}

func runECRecover(s *vm.State) error {
	if s.Stack.Len() < 4 {
		return vmerr.Error(vmerr.CodeStackUnderflow)
	}
	sInt, err := s.Stack.PopInt()
	if err != nil {
		return err
	}
	rInt, err := s.Stack.PopInt()
	if err != nil {
		return err
	}
	v, err := s.Stack.PopIntRangeInt64(0, 255)
	if err != nil {
		return err
	}
	hashInt, err := s.Stack.PopInt()
	if err != nil {
		return err
	}
	var r, sig, hash [32]byte
	for _, operand := range []struct {
		value *big.Int
		to    *[32]byte
	}{{rInt, &r}, {sInt, &sig}, {hashInt, &hash}} {
		if err = unsigned(operand.value, operand.to); err != nil {
			return err
		}
	}
	if err = s.ConsumeGas(vm.EcrecoverGasPrice); err != nil {
		return err
	}
	if s.GlobalVersion >= 14 && (v == 27 || v == 28) {
		v -= 27
	}
	key, ok := recoverKey(&hash, &r, &sig, v)
	return pushKey(s, key, ok)
}

func tweakAdd() vm.OP {
	return &helpers.SimpleOP{
		Name: "SECP256K1_XONLY_PUBKEY_TWEAK_ADD", BitPrefix: helpers.BytesPrefix(0xF9, 0x13), MinVersion: 9,
		Action: checked(runTweakAdd),
	}
}

func runTweakAdd(s *vm.State) error {
	if s.Stack.Len() < 2 {
		return vmerr.Error(vmerr.CodeStackUnderflow)
	}
	tweakInt, err := s.Stack.PopInt()
	if err != nil {
		return err
	}
	keyInt, err := s.Stack.PopInt()
	if err != nil {
		return err
	}
	var key, tweak [32]byte
	if err = unsigned(keyInt, &key); err != nil {
		return err
	}
	if err = unsigned(tweakInt, &tweak); err != nil {
		return err
	}
	if err = s.ConsumeGas(vm.Secp256k1XonlyPubkeyTweakAddGasPrice); err != nil {
		return err
	}
	sum, ok := tweakKey(&key, &tweak)
	return pushKey(s, sum, ok)
}

// unsigned writes x as 256 bits.
func unsigned(x *big.Int, to *[32]byte) error {
	if x == nil || x.Sign() < 0 || x.BitLen() > 256 {
		return vmerr.Error(vmerr.CodeRangeCheck, "operand must fit in an unsigned 256-bit integer")
	}
	x.FillBytes(to[:])
	return nil
}

// pushKey pushes an uncompressed public key and true, or false.
func pushKey(s *vm.State, key *secp256k1.JacobianPoint, ok bool) error {
	if !ok {
		return s.Stack.PushBool(false)
	}
	if err := s.Stack.PushSmallInt(4); err != nil { // the tag of the uncompressed form
		return err
	}
	for _, coordinate := range []*secp256k1.FieldVal{&key.X, &key.Y} {
		if err := s.Stack.PushInt(new(big.Int).SetBytes(coordinate.Bytes()[:])); err != nil {
			return err
		}
	}
	return s.Stack.PushBool(true)
}

// recoverKey returns the key that signed hash: (s·R - hash·G) / r, with R the point of x-coordinate r, or r plus the
// order of the group when bit 1 of v is set, and of an odd y-coordinate when bit 0 is.
func recoverKey(hash, r, sig *[32]byte, v int64) (*secp256k1.JacobianPoint, bool) {
	if v > 3 {
		return nil, false
	}
	var rScalar, sScalar, e secp256k1.ModNScalar
	if rScalar.SetBytes(r) != 0 || sScalar.SetBytes(sig) != 0 || rScalar.IsZero() || sScalar.IsZero() {
		return nil, false
	}
	e.SetBytes(hash)
	x := *r
	if v&2 != 0 {
		sum := new(big.Int).Add(new(big.Int).SetBytes(r[:]), secp256k1.Params().N)
		if sum.Cmp(secp256k1.Params().P) >= 0 {
			return nil, false
		}
		sum.FillBytes(x[:])
	}
	var point, sr, eg, key secp256k1.JacobianPoint
	if !lift(&x, v&1 != 0, &point) {
		return nil, false
	}
	inverse := new(secp256k1.ModNScalar).InverseValNonConst(&rScalar)
	e.Mul(inverse).Negate()
	sScalar.Mul(inverse)
	secp256k1.ScalarMultNonConst(&sScalar, &point, &sr)
	secp256k1.ScalarBaseMultNonConst(&e, &eg)
	secp256k1.AddNonConst(&sr, &eg, &key)
	return affine(&key)
}

// tweakKey adds the multiple of the generator to the point of an even y-coordinate.
func tweakKey(key, tweak *[32]byte) (*secp256k1.JacobianPoint, bool) {
	var scalar secp256k1.ModNScalar
	var point, multiple, sum secp256k1.JacobianPoint
	if !lift(key, false, &point) || scalar.SetBytes(tweak) != 0 {
		return nil, false
	}
	secp256k1.ScalarBaseMultNonConst(&scalar, &multiple)
	secp256k1.AddNonConst(&point, &multiple, &sum)
	return affine(&sum)
}

// lift makes the point of the curve with the given x-coordinate, if there is one.
func lift(x *[32]byte, odd bool, to *secp256k1.JacobianPoint) bool {
	if to.X.SetBytes(x) != 0 || !secp256k1.DecompressY(&to.X, odd, &to.Y) {
		return false
	}
	to.Y.Normalize()
	to.Z.SetInt(1)
	return true
}

func affine(p *secp256k1.JacobianPoint) (*secp256k1.JacobianPoint, bool) {
	if (p.X.IsZero() && p.Y.IsZero()) || p.Z.IsZero() {
		return nil, false
	}
	p.ToAffine()
	return p, true
}
