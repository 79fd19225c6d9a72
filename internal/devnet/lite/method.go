package lite

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
	"tonql/internal/cellgraph"
)

// Bits of runSmcMethod: the requested parts of the response.
const (
	methodProof      = 1  // shard_proof and proof
	methodStateProof = 2  // the cells of the account that the run opened
	methodResult     = 4  // the stack afterwards
	methodC7         = 8  // the context of the run
	methodLibraries  = 16 // always sent empty, as nodes do
	methodC7Config   = 32 // init_c7 with the configuration

	methodModes = 0x3f
)

const (
	methodGas       = 300_000 // limit of one run, as on public liteservers
	maxParams       = 65536   // bytes of the serialized parameters
	exitNotActive   = -256    // exit code for accounts that cannot run
	maxNestedTuples = 64      // deeper results are refused
	maxStackDepth   = 1000    // entries of a result; each is a cell below the one before
	maxStackValues  = 10_000  // values of a result, those inside tuples included; a tuple counts as often as it occurs
)

// methodTime is the wall-clock time of a method; its gas takes a tenth of a second.
const methodTime = 5 * time.Second

var machine = boundedvm.New()

func (a *api) runSmcMethod(q ton.RunSmcMethod) (tl.Serializable, error) {
	if len(q.Params) >= maxParams {
		return nil, fail(codeBadRequest, "more than 64k parameter bytes passed")
	}
	if q.Mode&^methodModes != 0 {
		return nil, fail(codeBadRequest, "unsupported mode in runSmcMethod")
	}
	stack, err := readStack(q.Params)
	if err != nil {
		return nil, err
	}
	if err := stack.PushInt(big.NewInt(int64(q.MethodID))); err != nil {
		return nil, fmt.Errorf("method id: %w", err)
	}
	f, err := a.findAccount(q.ID, q.Account)
	if err != nil {
		return nil, err
	}
	response := ton.RunMethodResult{
		Mode: q.Mode, ID: f.base.ID.Copy(), ShardBlock: unknownID(),
		ShardProof: f.shardProof, Proof: f.proof, ExitCode: exitNotActive,
	}
	if f.block != nil {
		response.ShardBlock = f.block.ID.Copy()
	}
	if f.account == nil {
		return response, nil
	}
	acc, err := openAccount(f.account)
	if err != nil {
		return nil, err
	}
	if !acc.active || acc.code == nil {
		if q.Mode&methodStateProof != 0 {
			response.StateProof, err = prove(f.account, openAccountPruned)
		}
		return response, err
	}
	return a.execute(response, f, acc, stack)
}

// execute runs the method and sets the requested parts of the response.
func (a *api) execute(response ton.RunMethodResult, f *found, acc *account, stack *vm.Stack) (tl.Serializable, error) {
	mc, err := a.methodContextFor(f)
	if err != nil {
		return nil, err
	}
	c7, err := mc.tuple(f, acc)
	if err != nil {
		return nil, err
	}
	run := boundedvm.Start(context.Background(), boundedvm.Limits{Time: methodTime})
	defer run.Close()
	res, err := machine.ExecuteGetMethod(nil, nil, tuple.NewTupleValue(c7), vm.GasWithLimit(methodGas, methodGas), stack,
		tvm.ExecutionConfig{AccountRoot: f.account, Libraries: run.Libraries(mc.libraries), Config: mc.config})
	if why := run.Err(); why != nil {
		return nil, fail(codeTimeout, "get-method: %v", why)
	}
	if err != nil {
		return nil, fmt.Errorf("get-method: %w", err)
	}
	response.ExitCode = int32(res.ExitCode)
	if response.Mode&methodStateProof != 0 {
		response.StateProof = res.Proof
	}
	if response.Mode&methodResult != 0 {
		if response.Result, err = writeStack(res.Stack); err != nil {
			return nil, err
		}
	}
	if response.Mode&methodC7 != 0 {
		if response.Mode&methodC7Config == 0 {
			c7 = shortContext(c7)
		}
		if response.InitC7, err = writeValue(tuple.NewTupleValue(c7)); err != nil {
			return nil, fmt.Errorf("cannot serialize c7: %w", err)
		}
	}
	return response, nil
}

// readStack turns serialized parameters into the stack a method starts with.
func readStack(params []byte) (*vm.Stack, error) {
	stack := vm.NewStack()
	if len(params) == 0 {
		return stack, nil
	}
	root, err := cellgraph.FromBOC(params)
	if err != nil {
		return nil, fail(codeBadRequest, "cannot deserialize parameter list boc: %v", err)
	}
	// Tuples are read as trees, and their cells may be shared.
	if err := cellgraph.Check(root, cellgraph.MaxVisits); err != nil {
		return nil, fail(codeBadRequest, "parameter list: %v", err)
	}
	var parsed tlb.Stack
	if err := tlb.Parse(&parsed, root); err != nil {
		return nil, fail(codeBadRequest, "parameter list boc cannot be deserialized as a VmStack: %v", err)
	}
	for parsed.Depth() > 0 { // its top is the bottom of the VM's stack
		v, err := parsed.Pop()
		if err != nil {
			return nil, fail(codeBadRequest, "parameter list: %v", err)
		}
		if err := stack.PushHostValue(toVM(v)); err != nil {
			return nil, fail(codeBadRequest, "parameter list: %v", err)
		}
	}
	return stack, nil
}

// toVM converts a parsed stack entry to the VM's own kind.
func toVM(v any) any {
	switch v := v.(type) {
	case []any:
		vals := make([]any, len(v))
		for i := range v {
			vals[i] = toVM(v[i])
		}
		return tuple.NewTupleOwned(vals)
	case tlb.StackNaN:
		return vm.NaN{}
	default:
		return v
	}
}

// writeStack serializes the stack after a run.
func writeStack(stack *vm.Stack) (*cell.Cell, error) {
	if stack.Len() > maxStackDepth {
		return nil, fail(codeBadRequest, "cannot serialize resulting stack: %d entries", stack.Len())
	}
	left := stack.Copy()
	var out tlb.Stack
	w := stackWriter{left: maxStackValues}
	for left.Len() > 0 {
		v, err := left.PopAny()
		if err != nil {
			return nil, fmt.Errorf("cannot serialize resulting stack: %w", err)
		}
		v, err = w.fromVM(v, 0)
		if err != nil {
			return nil, err
		}
		out.Push(v)
	}
	c, err := out.ToCell()
	if err != nil {
		return nil, fmt.Errorf("cannot serialize resulting stack: %w", err)
	}
	return c, nil
}

// writeValue serializes a single value.
func writeValue(v any) (*cell.Cell, error) {
	w := stackWriter{left: maxStackValues}
	v, err := w.fromVM(v, 0)
	if err != nil {
		return nil, err
	}
	b := cell.BeginCell()
	if err := tlb.SerializeStackValue(b, v); err != nil {
		return nil, err
	}
	return b.EndCell(), nil
}

// stackWriter counts the values of a result: a tuple may contain another many times.
type stackWriter struct{ left int }

// fromVM converts a value of the VM into one that can be serialized.
func (w *stackWriter) fromVM(v any, depth int) (any, error) {
	if w.left--; w.left < 0 {
		return nil, fail(codeBadRequest, "cannot serialize resulting stack: more than %d values", maxStackValues)
	}
	if depth > maxNestedTuples {
		return nil, fail(codeBadRequest, "cannot serialize resulting stack: tuples nested too deep")
	}
	switch v := v.(type) {
	case tuple.Tuple:
		vals := make([]any, v.Len())
		for i := range vals {
			raw, err := v.RawIndex(i)
			if err != nil {
				return nil, err
			}
			if vals[i], err = w.fromVM(raw, depth+1); err != nil {
				return nil, err
			}
		}
		return vals, nil
	case *cell.Cell:
		if v == nil {
			return nil, nil
		}
		return v.WithoutTrace(), nil
	case *cell.Slice:
		return v.WithoutTrace(), nil
	case *big.Int, *cell.Builder, vm.NaN, nil:
		return v, nil
	default:
		return nil, fail(codeBadRequest, "cannot serialize resulting stack: a value of type %T", v)
	}
}
