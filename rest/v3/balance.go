package v3

import (
	"maps"
	"net/http"
	"slices"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// balanceChanges responds with the balance changes of a trace or an action.
func balanceChanges(c *call) (func() error, error) {
	trace, action := c.q.Hash("trace_id"), c.q.Hash("action_id")
	return func() error {
		if trace == nil && action == nil {
			return &statusError{status: http.StatusBadRequest, text: "trace_id or action_id is required"}
		}
		changes, err := c.svc.BalanceChanges(c.ctx, trace, action)
		if err != nil {
			return err
		}
		c.out.B = appendBalanceChanges(c.out.B, changes)
		return nil
	}, nil
}

func appendBalanceChanges(b []byte, changes *chain.BalanceChanges) []byte {
	b = appendAmounts(append(b, `{"changes":`...), changes.Changes, "")
	b = appendAmounts(append(b, `,"fees":`...), changes.Fees, "")
	return append(appendJettonChanges(append(b, `,"jettons":`...), changes.Jettons), '}')
}

func appendJettonChanges(b []byte, owners map[chain.Address]map[chain.Address]chain.Amount) []byte {
	b = append(b, '{')
	for i, owner := range slices.SortedFunc(maps.Keys(owners), chain.Address.Compare) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(handler.AppendAddress(b, &owner), ':')
		b = appendAmounts(b, owners[owner], `"`)
	}
	return append(b, '}')
}

// appendAmounts appends amounts by address. quote is put before and after each amount; it can be empty.
func appendAmounts(b []byte, amounts map[chain.Address]chain.Amount, quote string) []byte {
	b = append(b, '{')
	for i, a := range slices.SortedFunc(maps.Keys(amounts), chain.Address.Compare) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(handler.AppendAddress(b, &a), ':')
		b = append(append(append(b, quote...), amounts[a]...), quote...)
	}
	return append(b, '}')
}
