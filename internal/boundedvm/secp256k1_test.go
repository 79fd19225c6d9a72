package boundedvm_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"

	"tonql/internal/boundedvm"
)

// The operands are random numbers and special values.
func TestSecp256k1_AgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	n := bigHex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	p := bigHex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	gx := bigHex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	gy := bigHex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
	r := rand.New(rand.NewPCG(3, 4))
	one := big.NewInt(1)
	special := []*big.Int{
		big.NewInt(0), one, big.NewInt(2), n, new(big.Int).Sub(n, one), new(big.Int).Add(n, one), p, new(big.Int).Sub(p, one), gx, gy,
		new(big.Int).Sub(p, n), new(big.Int).Sub(new(big.Int).Sub(p, n), one), new(big.Int).Sub(new(big.Int).Lsh(one, 256), one), big.NewInt(-1),
	}
	value := func() *big.Int {
		if r.IntN(3) == 0 {
			return special[r.IntN(len(special))]
		}
		return new(big.Int).SetBytes(randomBytes(r, 32))
	}
	recovered := 0
	count := func(p program) {
		if requireAgreement(t, p).Stack.Len() == 4 { // a flag and the three parts of the key
			recovered++
		}
	}
	for range 60 {
		stack := []any{value(), big.NewInt(int64([]int{0, 1, 2, 3, 27, 28, 4}[r.IntN(7)])), value(), value()}
		count(program{code: codeOf(t, "F912"), stack: stack})
	}
	for range 120 {
		count(program{code: codeOf(t, "F913"), stack: []any{value(), value()}})
	}
	// G and its opposite have no sum.
	requireAgreement(t, program{code: codeOf(t, "F913"), stack: []any{gx, new(big.Int).Sub(n, one)}})
	require.Greater(t, recovered, 20)
}

func randomBytes(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// requireAgreement executes p with our opcodes and with the library's, compares the results and returns ours.
func requireAgreement(tb testing.TB, p program) *tvm.ExecutionResult {
	tb.Helper()
	ours, err := execute(tb, boundedvm.New(), p)
	require.NoError(tb, err)
	theirs, err := execute(tb, library, p)
	require.NoError(tb, err)
	require.Equal(tb, theirs.ExitCode, ours.ExitCode)
	require.Equal(tb, theirs.GasUsed, ours.GasUsed)
	require.Equal(tb, theirs.Steps, ours.Steps)
	require.Equal(tb, theirs.Stack.Len(), ours.Stack.Len())
	require.Equal(tb, theirs.Stack.String(), ours.Stack.String())
	return ours
}

// The strings have any length, in slices and builders.
func TestHashExt_AgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	hashed := 0
	for i := range 400 {
		var stack []any
		count := r.IntN(6)
		if r.IntN(2) == 0 {
			stack = append(stack, newBuilder(randomBytes(r, 20), 153))
		}
		bits := 0
		for range count {
			n := r.IntN(1023)
			if r.IntN(3) == 0 {
				n = n / 8 * 8
			}
			if r.IntN(8) == 0 {
				n = 0
			}
			b := newBuilder(randomBytes(r, 128), uint(n))
			bits += n
			if r.IntN(2) == 0 {
				stack = append(stack, b)
			} else {
				stack = append(stack, b.ToSlice())
			}
		}
		if rest := bits % 8; rest != 0 && r.IntN(5) > 0 {
			stack = append(stack, newBuilder([]byte{0xA5}, uint(8-rest)))
			count++
		}
		if r.IntN(9) == 0 {
			stack = append(stack, big.NewInt(5))
			count++
		}
		stack = append(stack, big.NewInt(int64(count)))
		args := uint64([]int{0, 1, 2, 3, 4, 5, 254}[r.IntN(7)] | r.IntN(4)<<8)
		if r.IntN(6) == 0 {
			stack = append(stack, big.NewInt(int64(r.IntN(6))))
			args = 255 | uint64(r.IntN(4))<<8
		}
		code := newBuilder(nil, 0).MustStoreUInt(0xF904>>2, 14).MustStoreUInt(args, 10).EndCell()
		if requireAgreement(t, program{code: code, stack: stack, gas: []int64{millionGas, 60}[i%2]}).ExitCode == 0 {
			hashed++
		}
	}
	require.Greater(t, hashed, 50)
}
