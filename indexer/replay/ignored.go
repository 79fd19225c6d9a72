package replay

import (
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// A message whose mode ignores errors, and that cannot be sent, is left out of the action phase. From global version 8 on
// it is counted as skipped; before, it leaves no mark but in the list of actions. The library fails the phase in these
// versions. Such a transaction is executed again without the message, and the list of actions is then put back.

const (
	countsIgnored = 8 // first global version that counts ignored messages
	finesIgnored  = 4 // first global version that takes a fine for them
)

// doubtFine is the rule that is missing for ignored messages of versions 4 to 7.
const doubtFine = "the fine for an ignored message"

// executed is the result of an execution, with what differs from that of the library.
type executed struct {
	*tvm.TransactionExecutionResult

	tx      *cell.Cell // the transaction
	dropped bool       // messages were left out
}

// ignoring executes a transaction, again without each message that is to be ignored. All executions share the budget of run.
func ignoring(run *boundedvm.Run, version uint32, emulate func() (*tvm.TransactionExecutionResult, error)) (executed, error) {
	first, err := emulate()
	if err != nil || first == nil || first.TransactionCell == nil {
		return executed{TransactionExecutionResult: first}, err
	}
	done := executed{TransactionExecutionResult: first, tx: first.TransactionCell}
	if version >= countsIgnored {
		return done, nil
	}
	var places []int
	res := first
	for {
		place, ok := ignoredAt(res)
		if !ok {
			break
		}
		places = append(places, complete(place, places))
		slices.Sort(places)
		run.Drop(places)
		if res, err = emulate(); err != nil {
			return executed{}, err
		}
		if res == nil || res.TransactionCell == nil || res.Actions == nil || len(actionsOf(res.Actions)) != len(actionsOf(first.Actions))-len(places) {
			return done, nil // the code does more with its actions than to install them
		}
	}
	if len(places) == 0 {
		return done, nil
	}
	tx, err := withActions(res.TransactionCell, first.Actions, places)
	if err != nil {
		return done, nil //nolint:nilerr // cannot be: the library has just made the transaction
	}
	return executed{TransactionExecutionResult: res, tx: tx, dropped: true}, nil
}

// Result codes of an action phase that a message which ignores errors does not cause.
const (
	notEnoughCoins = 37
	notEnoughExtra = 38
	messageNotFit  = 39
	messageTooBig  = 40
)

// ignoredAt returns the place of the message that failed the action phase, if its mode ignores errors.
func ignoredAt(res *tvm.TransactionExecutionResult) (int, bool) {
	parsed, err := res.ParseTransaction()
	if err != nil || res.Actions == nil {
		return 0, false
	}
	phase := actionPhase(parsed)
	if phase == nil {
		return 0, false
	}
	switch phase.ResultCode {
	case notEnoughCoins, notEnoughExtra, messageNotFit, messageTooBig:
	default:
		return 0, false
	}
	actions, place := actionsOf(res.Actions), 0
	if phase.ResultArg != nil { // 0 is left out
		place = int(*phase.ResultArg)
	}
	if place < 0 || place >= len(actions) {
		return 0, false
	}
	const tag, ignore = 0x0ec3c86d, 2
	s, err := actions[place].BeginParse()
	if err != nil {
		return 0, false
	}
	if t, err := s.LoadUInt(32); err != nil || t != tag {
		return 0, false
	}
	mode, err := s.LoadUInt(8)
	return place, err == nil && mode&ignore != 0
}

// actionsOf returns the cells of a list of actions in the order of their execution. A list longer than 255 is refused by the
// network.
func actionsOf(list *cell.Cell) []*cell.Cell {
	var actions []*cell.Cell
	for len(actions) < 256 && list != nil && !list.IsSpecial() && list.RefsNum() > 0 {
		actions = append(actions, list)
		list, _ = list.PeekRef(0)
	}
	slices.Reverse(actions)
	return actions
}

func actionPhase(tx *tlb.Transaction) *tlb.ActionPhase {
	switch d := tx.Description.(type) {
	case tlb.TransactionDescriptionOrdinary:
		return d.ActionPhase
	case tlb.TransactionDescriptionTickTock:
		return d.ActionPhase
	}
	return nil
}

// complete returns the place in the complete list of an action that has a place in the list without some others, whose
// places are ascending.
func complete(place int, without []int) int {
	for _, p := range without {
		if p <= place {
			place++
		}
	}
	return place
}

// withActions returns the transaction with the complete list of actions: its hash, its length, and the place of an action
// that failed.
func withActions(tx, list *cell.Cell, without []int) (*cell.Cell, error) {
	var parsed tlb.Transaction
	if err := tlb.Parse(&parsed, tx); err != nil {
		return nil, fmt.Errorf("transaction: %w", err)
	}
	phase := actionPhase(&parsed)
	if phase == nil {
		return nil, fmt.Errorf("transaction without action phase")
	}
	phase.ActionListHash, phase.TotalActions = list.Hash(), uint16(len(actionsOf(list)))
	if phase.ResultCode != 0 {
		place := 0
		if phase.ResultArg != nil { // 0 is left out
			place = int(*phase.ResultArg)
		}
		if place = complete(place, without); place > 0 {
			phase.ResultArg = new(int32(place))
		}
	}
	description, err := tlb.ToCell(parsed.Description)
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	return withRef(tx, int(tx.RefsNum())-1, description)
}

// withRef returns a cell with another reference in the place of one.
func withRef(c *cell.Cell, place int, ref *cell.Cell) (*cell.Cell, error) {
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	bits := c.BitsSize()
	data, err := s.LoadSlice(bits)
	if err != nil {
		return nil, err
	}
	b := cell.BeginCell().MustStoreSlice(data, bits)
	for i := range int(c.RefsNum()) {
		old, err := c.PeekRef(i)
		if err != nil {
			return nil, err
		}
		if i == place {
			old = ref
		}
		b.MustStoreRef(old)
	}
	return b.EndCell(), nil
}

// nextState is the account after an execution. The library has put the hash of its own transaction into it.
func (l *lane) nextState(tx *chain.Transaction, res executed) (*state, error) {
	shard := res.NextAccount.ShardAccount()
	last := chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
	next := &state{prepared: res.NextAccount, hash: chain.Hash(shard.Account.HashKey()), last: last}
	if res.dropped {
		var err error
		if next, err = newState(l.account, shard.Account, last); err != nil {
			return nil, err
		}
	}
	next.stat, next.code, next.data, next.uses = res.AccountStorageStat, l.state.code, l.state.data, l.state.uses
	return next, nil
}
