package resolvers

import (
	"context"
	"math/big"

	"tonql/internal/chain"
)

// maxSteps bounds the rows of one list of steps: those of the largest trace come in two responses, each below the largest cost.
const maxSteps = chain.MaxTraceTransactions / 2

// traceSteps lists the transactions of a trace in brief.
func traceSteps(ctx context.Context, t *chain.Trace, skip int) ([]*chain.TraceStep, error) {
	if skip < 0 {
		return nil, chain.Invalidf("skip must not be negative")
	}
	full, err := traceContent(ctx, t)
	if err != nil || full == nil || skip >= len(full.Transactions) {
		return []*chain.TraceStep{}, err
	}
	senders := make(map[chain.MessageKey]int32, len(full.Transactions))
	for i := range full.Transactions {
		for j := range full.Transactions[i].OutMessages {
			senders[full.Transactions[i].OutMessages[j].Key] = int32(i)
		}
	}
	rows := full.Transactions[skip:min(len(full.Transactions), skip+maxSteps)]
	steps := make([]*chain.TraceStep, len(rows))
	for i := range rows {
		steps[i] = stepOf(&rows[i])
		if m := rows[i].InMessage; m != nil {
			if at, ok := senders[m.Key]; ok {
				steps[i].Parent = &at
			}
		}
	}
	return steps, nil
}

func stepOf(t *chain.FullTransaction) *chain.TraceStep {
	d := &t.Description
	step := &chain.TraceStep{Hash: t.Hash, Address: t.Account, Outcome: d.Outcome(), TotalFees: t.TotalFees, BalanceChange: balanceChange(t)}
	switch c := d.Compute; {
	case c == nil:
	case c.Skipped:
		step.SkipReason = &c.Reason
	default:
		step.ExitCode = &c.ExitCode
	}
	if d.Action != nil {
		step.ResultCode = &d.Action.ResultCode
	}
	if m := t.InMessage; m != nil {
		step.MessageKind, step.Value, step.Opcode, step.DecodedOpcode = &m.Kind, m.Value, m.Opcode, opcodeName(m)
		step.MessageFee = m.ImportFee
		if m.FwdFee != nil {
			step.MessageFee = new(big.Int).SetUint64(uint64(*m.FwdFee))
		}
		step.Bounced = m.Bounced != nil && *m.Bounced
	}
	return step
}

// balanceChange is nil when one of the states is not indexed.
func balanceChange(t *chain.FullTransaction) *int64 {
	if !hasState(&t.StateBefore, t.OrigStatus) || !hasState(&t.StateAfter, t.EndStatus) {
		return nil
	}
	change := int64(t.StateAfter.Balance) - int64(t.StateBefore.Balance)
	return &change
}

// hasState reports whether a state of a transaction is in the index; otherwise it has only its hash.
func hasState(s *chain.AccountState, status chain.AccountStatus) bool {
	return status == chain.Nonexist || s.UsedCells > 0
}
