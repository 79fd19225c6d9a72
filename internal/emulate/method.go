package emulate

import (
	"context"
	"math/big"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// maxMethodArguments bounds the stack of a get-method call.
const maxMethodArguments = 255

// MethodCall is a get-method call.
type MethodCall struct {
	Account chain.Address
	Method  string  // its name, or its number in decimal or 0x hex
	Stack   []any   // arguments, the deepest first: *big.Int, *cell.Cell, *cell.Slice, []any for a tuple, nil
	Seqno   *uint32 // the masterchain block at which it runs; nil: the newest indexed one
}

// MethodResult is the result of a get-method call. Stack holds, the deepest first: *big.Int, *cell.Cell, *cell.Slice,
// *cell.Builder, []any for a tuple, nil for null, [NaN], and [Opaque] for values without a meaning outside the TVM.
type MethodResult struct {
	Exit    int32 // 0 and 1 are successes
	Gas     int64
	Stack   []any
	McSeqno uint32 // the masterchain block at which it ran
}

// NaN is the stack value of an integer overflow.
type NaN = contract.NaN

// Opaque is a stack value that has no printable form.
type Opaque = contract.Opaque

// exitNoCode is the exit code that the published APIs return for an account without code.
const exitNoCode = -13

// RunGetMethod runs a get-method in the local TVM. A method that fails is a result with its exit code, not an error.
func (x *Emulator) RunGetMethod(ctx context.Context, q MethodCall) (*MethodResult, error) {
	if len(q.Stack) > maxMethodArguments {
		return nil, chain.Invalidf("%d arguments are too many: at most %d are allowed", len(q.Stack), maxMethodArguments)
	}
	v, err := x.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	acc, err := x.Account(ctx, v, q.Account)
	if err != nil {
		return nil, err
	}
	id := methodID(q.Method)
	if !acc.Contract.Active() {
		stack := append(append([]any(nil), q.Stack...), big.NewInt(int64(id)))
		return &MethodResult{Exit: exitNoCode, Stack: stack, McSeqno: v.Master.Seqno}, nil
	}
	ec, err := x.executionContext(ctx, v, q.Account)
	if err != nil {
		return nil, err
	}
	roots := append([]*cell.Cell{acc.Contract.Code, acc.Contract.Data}, contract.ArgumentCells(q.Stack)...)
	if err := x.fetchLibraries(ctx, v, roots...); err != nil {
		return nil, err
	}
	result, err := ec.calls.execute(ctx, &acc.Contract, id, q.Stack)
	if err != nil {
		return nil, err
	}
	return &MethodResult{Exit: result.Exit, Gas: result.Gas, Stack: result.Stack, McSeqno: v.Master.Seqno}, nil
}

// methodID parses a number, in decimal or in hex with 0x, and hashes any other text as a method's name.
func methodID(method string) int32 {
	digits, base := strings.TrimPrefix(method, "-"), 10
	sign := method[:len(method)-len(digits)]
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits, base = hex, 16
	}
	if strings.HasPrefix(digits, "-") {
		return contract.MethodID(method)
	}
	if id, err := strconv.ParseInt(sign+digits, base, 32); err == nil {
		return int32(id)
	}
	return contract.MethodID(method)
}

// MethodID returns the id that a name or a number of a get-method stands for.
func MethodID(method string) int32 { return methodID(method) }

// Code is the code of a contract.
type Code struct {
	Root    *cell.Cell  // its instructions; nil when the library that has them does not exist
	Hash    chain.Hash  // of the code of the account
	Library *chain.Hash // of the library that has the instructions; nil when the account itself has them
	McSeqno uint32      // the masterchain block whose state it is of
}

// Code reads the code of a contract at a masterchain block, the newest indexed one for nil; nil when the account has no code.
func (x *Emulator) Code(ctx context.Context, a chain.Address, seqno *uint32) (*Code, error) {
	v, err := x.At(ctx, seqno)
	if err != nil {
		return nil, err
	}
	acc, err := x.Account(ctx, v, a)
	if err != nil || acc.Contract.Code == nil {
		return nil, err
	}
	code := &Code{Root: acc.Contract.Code, Hash: chain.HashFrom(acc.Contract.Code.Hash()), McSeqno: v.Master.Seqno}
	if !code.Root.IsSpecial() {
		return code, nil
	}
	if err := x.fetchLibraries(ctx, v, code.Root); err != nil {
		return nil, err
	}
	code.Root, _ = contract.Resolve(code.Root, v.libraries)
	if code.Root != nil {
		library := chain.HashFrom(code.Root.Hash())
		code.Library = &library
	}
	return code, nil
}
