package contracts_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"math/big"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
	"tonql/internal/devnet/contracts"
	"tonql/internal/modtest"
)

// mainnetConfig is the configuration of the main network in the test data of tonutils-go, so that contracts run with
// real gas prices and limits.
var mainnetConfig = sync.OnceValues(func() (*cell.Cell, error) {
	boc, err := modtest.Read(modtest.Tonutils, "tlb/testdata/blockchain_config_mainnet.boc")
	if err != nil {
		return nil, err
	}
	return cell.FromBOC(boc)
})

const startTime = 1_790_000_000

// sandbox is a chain of accounts without blocks: every message is executed at once, in the order of sending, by the
// transaction executor that also makes the devnet's blocks.
type sandbox struct {
	ton.APIClientWrapped // implements only the methods that the contract clients call

	t         *testing.T
	config    *tvm.PreparedBlockchainConfig
	root      *cell.Cell
	now       uint32
	lt        uint64
	accounts  map[string]*tvm.PreparedAccount
	libraries []*cell.Cell
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	root, err := mainnetConfig()
	require.NoError(t, err)
	config, err := tvm.PrepareBlockchainConfig(root)
	require.NoError(t, err)
	return &sandbox{t: t, config: config, root: root, now: startTime, lt: 1_000_000, accounts: map[string]*tvm.PreparedAccount{}}
}

// step is one executed transaction.
type step struct {
	Account   *address.Address
	Exit      int32 // exit code of the compute phase
	Skipped   bool  // no compute phase
	Action    int32 // result code of the action phase; 0 also when there was none
	Aborted   bool
	Bounced   bool // a bounce message was sent
	Destroyed bool
	Fees      uint64
	In        *tlb.Message
	Out       []*tlb.Message
}

// inOp returns the opcode of the incoming message, 0 when there is none; of a bounced message the opcode after its
// prefix.
func (s step) inOp() uint32 {
	body := s.In.Msg.Payload()
	if body == nil {
		return 0
	}
	r := body.MustBeginParse()
	if m, ok := s.In.Msg.(*tlb.InternalMessage); ok && m.Bounced {
		_, _ = r.LoadUInt(32)
	}
	code, err := r.LoadUInt(32)
	if err != nil {
		return 0
	}
	return uint32(code)
}

func party(name string) *address.Address {
	sum := sha256.Sum256([]byte(name))
	return address.NewAddress(0, 0, sum[:])
}

// send executes a message from the given sender, and all messages that it causes.
func (s *sandbox) send(from *address.Address, msg *tlb.InternalMessage) []step {
	s.t.Helper()
	s.lt += 10
	out := *msg
	out.SrcAddr, out.CreatedLT, out.CreatedAt = from, s.lt, s.now
	// A wallet would have paid this; contracts read it to estimate what the next hop costs.
	out.FwdFee = tlb.MustFromTON("0.000266669")
	c, err := tlb.ToCell(&out)
	require.NoError(s.t, err)
	steps, err := s.deliver(c)
	require.NoError(s.t, err)
	return steps
}

// external executes an external-in message and reports whether the account accepted it.
func (s *sandbox) external(msg *cell.Cell) ([]step, bool) {
	s.t.Helper()
	steps, err := s.deliver(msg)
	if errors.Is(err, errNotAccepted) {
		return nil, false
	}
	require.NoError(s.t, err)
	return steps, true
}

var errNotAccepted = errors.New("external message not accepted")

func (s *sandbox) deliver(first *cell.Cell) ([]step, error) {
	var steps []step
	queue := []*cell.Cell{first}
	for len(queue) > 0 {
		require.Less(s.t, len(steps), 100, "messages never end")
		st, out, err := s.execute(queue[0])
		if err != nil {
			return nil, err
		}
		steps = append(steps, st)
		queue = append(queue[1:], out...)
	}
	return steps, nil
}

func (s *sandbox) execute(msg *cell.Cell) (step, []*cell.Cell, error) {
	prepared, err := tvm.PrepareMessage(msg)
	if err != nil {
		return step{}, nil, err
	}
	var parsed tlb.Message
	if err = tlb.Parse(&parsed, msg); err != nil {
		return step{}, nil, err
	}
	to := parsed.Msg.DestAddr()
	s.lt += 10
	seed := sha256.Sum256([]byte{byte(s.lt)})
	block, err := s.config.NewBlockContext(tvm.BlockOptions{Now: s.now, BlockLT: int64(s.lt), RandSeed: seed[:], Libraries: s.libraries})
	if err != nil {
		return step{}, nil, err
	}
	res, err := boundedvm.New().EmulateTransaction(block, s.account(to), prepared, tvm.TransactionOptions{LogicalTime: int64(s.lt)})
	if err != nil {
		return step{}, nil, err
	}
	if res.TransactionCell == nil {
		return step{}, nil, errNotAccepted
	}
	s.accounts[to.StringRaw()] = res.NextAccount
	s.lt = max(s.lt, res.EndLT)
	tx, err := res.ParseTransaction()
	if err != nil {
		return step{}, nil, err
	}
	st := describe(tx, to, &parsed)
	var next []*cell.Cell
	for _, out := range res.OutMessages {
		st.Out = append(st.Out, out.Msg)
		if out.Msg.MsgType == tlb.MsgTypeInternal {
			next = append(next, out.Cell)
		}
	}
	return st, next, nil
}

func describe(tx *tlb.Transaction, to *address.Address, in *tlb.Message) step {
	st := step{Account: to, In: in, Fees: tx.TotalFees.Coins.Nano().Uint64()}
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	if !ok {
		return st
	}
	st.Aborted, st.Destroyed = d.Aborted, d.Destroyed
	switch p := d.ComputePhase.Phase.(type) {
	case tlb.ComputePhaseVM:
		st.Exit = p.Details.ExitCode
	case tlb.ComputePhaseSkipped:
		st.Skipped = true
	}
	if d.ActionPhase != nil {
		st.Action = d.ActionPhase.ResultCode
	}
	if d.BouncePhase != nil {
		_, st.Bounced = d.BouncePhase.Phase.(tlb.BouncePhaseOk)
	}
	return st
}

func (s *sandbox) account(a *address.Address) *tvm.PreparedAccount {
	if acc := s.accounts[a.StringRaw()]; acc != nil {
		return acc
	}
	none := &tlb.ShardAccount{Account: cell.BeginCell().MustStoreBoolBit(false).EndCell(), LastTransHash: make([]byte, 32)}
	acc, err := tvm.PrepareAccount(none, a)
	require.NoError(s.t, err)
	return acc
}

// state returns the account's parsed state; IsValid is false when it does not exist.
func (s *sandbox) state(a *address.Address) tlb.AccountState {
	s.t.Helper()
	var state tlb.AccountState
	require.NoError(s.t, tlb.Parse(&state, s.account(a).ShardAccount().Account))
	return state
}

func (s *sandbox) balance(a *address.Address) uint64 {
	s.t.Helper()
	state := s.state(a)
	if !state.IsValid {
		return 0
	}
	return state.Balance.Nano().Uint64()
}

func (s *sandbox) data(a *address.Address) *cell.Cell {
	s.t.Helper()
	state := s.state(a)
	require.Equal(s.t, tlb.AccountStatus(tlb.AccountStatusActive), state.Status, "account %s", a)
	return state.StateInit.Data
}

// WaitForBlock, CurrentMasterchainInfo and RunGetMethod let tonutils-go's contract clients read the sandbox.
func (s *sandbox) WaitForBlock(uint32) ton.APIClientWrapped { return s }

func (s *sandbox) CurrentMasterchainInfo(context.Context) (*ton.BlockIDExt, error) {
	return &ton.BlockIDExt{Workchain: -1, SeqNo: 1}, nil
}

func (s *sandbox) RunGetMethod(_ context.Context, _ *ton.BlockIDExt, a *address.Address, method string, params ...any) (*ton.ExecutionResult, error) {
	state := s.state(a)
	if !state.IsValid || state.Status != tlb.AccountStatusActive {
		return nil, ton.ContractExecError{Code: ton.ErrCodeContractNotInitialized}
	}
	stack := vm.NewStack()
	for _, p := range params {
		if err := push(stack, p); err != nil {
			return nil, err
		}
	}
	if err := stack.PushInt(new(big.Int).SetUint64(tlb.MethodNameHash(method))); err != nil {
		return nil, err
	}
	block, err := s.config.NewBlockContext(tvm.BlockOptions{Now: s.now, BlockLT: int64(s.lt)})
	if err != nil {
		return nil, err
	}
	config, _ := block.UnpackedConfig()
	c7 := tuple.NewTupleValue(tuple.NewTupleValue(
		big.NewInt(0x076ef1ea), big.NewInt(0), big.NewInt(0), big.NewInt(int64(s.now)), big.NewInt(int64(s.lt)), big.NewInt(int64(s.lt)),
		big.NewInt(0), tuple.NewTupleValue(state.Balance.Nano(), nil), cell.BeginCell().MustStoreAddr(a).ToSlice(), s.root,
		state.StateInit.Code, tuple.NewTupleValue(big.NewInt(0), nil), big.NewInt(0), nil, config, big.NewInt(0), nil, tuple.NewTupleValue(),
	))
	res, err := boundedvm.New().ExecuteGetMethod(state.StateInit.Code, state.StateInit.Data, c7, vm.GasWithLimit(1_000_000), stack,
		tvm.ExecutionConfig{Config: s.config, Libraries: s.libraries})
	if err != nil {
		return nil, err
	}
	if res.ExitCode != 0 && res.ExitCode != 1 {
		return nil, ton.ContractExecError{Code: int32(res.ExitCode)}
	}
	return executionResult(res.Stack)
}

func push(stack *vm.Stack, v any) error {
	switch p := v.(type) {
	case int:
		return stack.PushSmallInt(int64(p))
	case *big.Int:
		return stack.PushInt(p)
	case *cell.Slice:
		return stack.PushSlice(p)
	case *cell.Cell:
		return stack.PushCell(p)
	default:
		return stack.PushHostValue(v)
	}
}

// executionResult returns the values of a stack in the order of the get-method's declaration.
func executionResult(stack *vm.Stack) (*ton.ExecutionResult, error) {
	values := make([]any, stack.Len())
	for i := len(values) - 1; i >= 0; i-- { //nolint:modernize // the list is filled from its end
		v, err := stack.PopAny()
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return ton.NewExecutionResult(values), nil
}

func (s *sandbox) SubscribeOnTransactions(context.Context, *address.Address, uint64, chan<- *tlb.Transaction) {
}

// deploy deploys the contract with 1 TON and requires that it succeeds.
func (s *sandbox) deploy(c contracts.Contract) {
	s.t.Helper()
	steps := s.send(party("deployer"), c.Deploy(tlb.MustFromTON("1").Nano().Uint64(), nil))
	require.False(s.t, steps[0].Aborted, "deploy: exit %d action %d", steps[0].Exit, steps[0].Action)
	require.Equal(s.t, tlb.AccountStatus(tlb.AccountStatusActive), s.state(c.Address).Status)
}

// opcodes lists the opcodes of the incoming messages, in order.
func opcodes(steps []step) []uint32 {
	list := make([]uint32, 0, len(steps))
	for _, st := range steps {
		list = append(list, st.inOp())
	}
	return list
}

func tons(v string) uint64 { return tlb.MustFromTON(v).Nano().Uint64() }
