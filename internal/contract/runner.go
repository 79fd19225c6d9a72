package contract

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// Env is the environment of all get-methods at one block.
type Env struct {
	Config     *tvm.PreparedBlockchainConfig // in force at the block; required
	Now        uint32                        // gen_utime of the block
	LT         uint64                        // end_lt of the block
	Seed       chain.Hash                    // random seed of runs; different for every block
	PrevBlocks tuple.Tuple                   // the empty tuple when unknown
	Libraries  Libraries                     // nil when unknown
	// Zones are the zones of the collections whose items are domains, such as ".ton".
	Zones map[chain.Address]string
}

// Runner runs get-methods at one block. It is safe for concurrent use.
type Runner struct {
	machine  *Machine
	env      Env
	unpacked any  // the tuple of the unpacked configuration in c7
	named    bool // see WithNamedLibraries

	programs map[chain.Hash]*program // of one detection; nil otherwise
}

// At returns a Runner for one block.
func (m *Machine) At(env Env) (*Runner, error) {
	if env.Config == nil {
		return nil, chain.Invalidf("get-methods need a blockchain configuration")
	}
	r := &Runner{machine: m, env: env}
	block, err := env.Config.NewBlockContext(tvm.BlockOptions{Now: env.Now})
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if t, ok := block.UnpackedConfig(); ok {
		r.unpacked = t
	}
	return r, nil
}

// Env returns the environment of the runner.
func (r *Runner) Env() Env { return r.env }

// On returns a runner at the same block on another machine, with its budget.
func (r *Runner) On(m *Machine) *Runner {
	on := *r
	on.machine = m
	return &on
}

// WithNamedLibraries returns a runner whose runs also have the libraries that data and arguments name. The caller makes sure that these were
// fetched: otherwise results would depend on which libraries other runs needed.
func (r *Runner) WithNamedLibraries() *Runner {
	with := *r
	with.named = true
	return &with
}

// Machine returns the machine of the runner.
func (r *Runner) Machine() *Machine { return r.machine }

// Methods returns the ids of the get-methods of a code cell, after resolving libraries; nil when they cannot be
// determined.
func (r *Runner) Methods(code *cell.Cell) []int32 {
	if code == nil {
		return nil
	}
	return r.program(code).methods
}

// program analyzes a code: once in a detection, also where the machine does not cache it.
func (r *Runner) program(code *cell.Cell) *program {
	if r.programs == nil {
		return r.machine.program(code, r.env.Libraries)
	}
	key := hashOf(code)
	p := r.programs[key]
	if p == nil {
		p = r.machine.program(code, r.env.Libraries)
		r.programs[key] = p
	}
	return p
}

// forDetection returns a runner for one detection, which loads the libraries of a code before it runs. It is not safe for concurrent use.
func (r *Runner) forDetection() *Runner {
	one := *r
	one.programs = map[chain.Hash]*program{}
	return &one
}

// Run runs a get-method by name. Arguments are *big.Int, int64, *cell.Cell, *cell.Slice, [chain.Address], []any for a tuple,
// or nil.
func (r *Runner) Run(ctx context.Context, s *State, method string, args ...any) (*Result, error) {
	return r.run(ctx, s, method, MethodID(method), r.machine.budget, args)
}

// RunID runs a get-method by its id.
func (r *Runner) RunID(ctx context.Context, s *State, id int32, args ...any) (*Result, error) {
	return r.run(ctx, s, fmt.Sprintf("%d", id), id, r.machine.budget, args)
}

// run uses the gas and the limits of results of a budget.
func (r *Runner) run(ctx context.Context, s *State, name string, id int32, budget Budget, args []any) (*Result, error) {
	res, err := r.start(ctx, s, name, id, budget.Gas, args)
	if err != nil {
		return nil, err
	}
	return budget.result(name, res)
}

// start executes a get-method and returns its result, whatever the exit code.
func (r *Runner) start(ctx context.Context, s *State, name string, id int32, gas int64, args []any) (*tvm.ExecutionResult, error) {
	if !s.Active() {
		return nil, &Fault{Method: name, Reason: NotActive}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("get-method %s: %w", name, err)
	}
	stack, err := arguments(args, id)
	if err != nil {
		return nil, fmt.Errorf("get-method %s: %w", name, err)
	}
	libs := r.libraries(s, args)
	data := s.Data
	if data == nil {
		data = cell.BeginCell().EndCell()
	}
	res, err := r.machine.execute(ctx, name, func(run *boundedvm.Run) (*tvm.ExecutionResult, error) {
		exec := tvm.ExecutionConfig{Libraries: run.Libraries(libs), Config: r.env.Config}
		return r.machine.tvm.ExecuteGetMethod(s.Code, data, tuple.NewTupleValue(r.context(s)), vm.GasWithLimit(gas, gas), stack, exec)
	})
	if err != nil {
		if ctx.Err() != nil || IsFault(err) || errors.Is(err, context.Canceled) {
			return nil, err
		}
		return nil, faultf(name, Broken, "%v", err)
	}
	return res, nil
}

// libraries returns the libraries that a run needs: those that the code names, which are cached, and those of data and arguments.
func (r *Runner) libraries(s *State, args []any) []*cell.Cell {
	dict := r.program(s.Code).libraries
	if r.named {
		if named := append([]*cell.Cell{s.Data}, ArgumentCells(args)...); len(LibraryRefs(named...)) > 0 {
			dict = LibraryDict(r.env.Libraries, append([]*cell.Cell{s.Code}, named...)...)
		}
	}
	if dict == nil {
		return nil
	}
	return []*cell.Cell{dict}
}

// ArgumentCells returns the cells in arguments of a get-method, also those in tuples.
func ArgumentCells(args []any) (cells []*cell.Cell) {
	for _, arg := range args {
		switch v := arg.(type) {
		case *cell.Cell:
			cells = append(cells, v)
		case *cell.Slice:
			if v != nil {
				cells = append(cells, v.BaseCell())
			}
		case []any:
			cells = append(cells, ArgumentCells(v)...)
		}
	}
	return cells
}

func arguments(args []any, id int32) (*vm.Stack, error) {
	stack := vm.NewStack()
	for i, arg := range args {
		value, err := argument(arg)
		if err != nil {
			return nil, chain.Invalidf("argument %d %v", i, err)
		}
		if err := stack.PushHostValue(value); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
	}
	if err := stack.PushInt(big.NewInt(int64(id))); err != nil {
		return nil, fmt.Errorf("method id: %w", err)
	}
	return stack, nil
}

// argument returns an argument as a value of the stack. A []any is a tuple.
func argument(arg any) (any, error) {
	switch v := arg.(type) {
	case int64:
		return big.NewInt(v), nil
	case chain.Address:
		return AddressSlice(v), nil
	case nil, *big.Int, *cell.Cell, *cell.Slice:
		return v, nil
	case []any:
		items := make([]any, len(v))
		for i := range v {
			var err error
			if items[i], err = argument(v[i]); err != nil {
				return nil, err
			}
		}
		return tuple.NewTupleOwned(items), nil
	default:
		return nil, errors.New("has a type that get-methods do not take")
	}
}

// AddressSlice returns an address as an argument of get-methods: addr_std in a slice.
func AddressSlice(a chain.Address) *cell.Slice {
	return cell.BeginCell().MustStoreAddr(toLibrary(a)).ToSlice()
}

func toLibrary(a chain.Address) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID[:])
}

// contextMagic starts SmartContractInfo, the first element of c7.
const contextMagic = 0x076ef1ea

// context returns the context in c7 of a run on an account. Its length depends on the global version of the
// configuration: 18 elements from version 11 on.
func (r *Runner) context(s *State) tuple.Tuple {
	version := r.env.Config.GlobalVersion()
	balance := new(big.Int).SetUint64(uint64(s.Balance))
	lt := new(big.Int).SetUint64(r.env.LT)
	vals := []any{
		big.NewInt(contextMagic),
		new(big.Int), // actions
		new(big.Int), // msgs_sent
		new(big.Int).SetUint64(uint64(r.env.Now)),
		lt,                   // block_lt
		new(big.Int).Set(lt), // trans_lt
		new(big.Int).SetBytes(r.env.Seed[:]),
		tuple.NewTupleOwned([]any{balance, orNull(s.Extra)}),
		AddressSlice(s.Address),
		r.env.Config.Root(),
	}
	if version >= 4 {
		vals = append(vals,
			s.Code,
			tuple.NewTupleOwned([]any{new(big.Int), nil}), // in_msg_value
			new(big.Int), // storage_fees
			r.prevBlocks(),
		)
	}
	if version >= 6 {
		// The last one would be the gas of a precompiled contract; none is configured.
		vals = append(vals, r.unpacked, new(big.Int).SetUint64(uint64(s.DuePayment)), nil)
	}
	if version >= 11 {
		vals = append(vals, noMessage())
	}
	return tuple.NewTupleOwned(vals)
}

func (r *Runner) prevBlocks() any {
	if r.env.PrevBlocks.IsNull() {
		return nil
	}
	return r.env.PrevBlocks
}

// orNull returns a nil cell as null.
func orNull(c *cell.Cell) any {
	if c == nil {
		return nil
	}
	return c
}

// noMessage returns the tuple of in-message parameters of a run without a message.
func noMessage() tuple.Tuple {
	return tuple.NewTupleOwned([]any{
		new(big.Int), new(big.Int), // bounce, bounced
		cell.BeginCell().MustStoreUInt(0, 2).ToSlice(), // source: addr_none
		new(big.Int), new(big.Int), new(big.Int), // fwd_fee, created_lt, created_at
		new(big.Int), new(big.Int), // original value, value
		nil, nil, // extra currencies, state init
	})
}
