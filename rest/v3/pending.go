package v3

import (
	"cmp"
	"net/http"
	"slices"

	"tonql/internal/chain"
	"tonql/resolvers"
)

// errNoEmulation is the published error of a service without emulation. An empty list would be wrong: the service does not
// know whether there are pending transactions.
var errNoEmulation = &statusError{status: http.StatusInternalServerError, text: "emulatedTracesRepository is not initialized"}

// pending reads the filter of the routes of pending traces and actions. account takes precedence over ext_msg_hash.
func (c *call) pending() (chain.PendingFilter, error) {
	f := chain.PendingFilter{Hashes: c.q.Hashes("ext_msg_hash")}
	if a := c.q.Address("account"); a != nil {
		f.Accounts = []chain.Address{*a}
	}
	if len(f.Accounts) == 0 && len(f.Hashes) == 0 && c.q.Err() == nil {
		return f, chain.Invalidf("account or ext_msg_hash should be specified")
	}
	return f, nil
}

// emulatedTraces returns the pending traces that match f, or errNoEmulation. The response is complete before it is sent: a message costs its
// sender nothing before a block accepts it, and its trace may have many large ones, so responses that are too long are refused.
func (c *call) emulatedTraces(f chain.PendingFilter, supported []string) ([]chain.FullTrace, error) {
	if !c.svc.EmulatesPending() {
		return nil, errNoEmulation
	}
	c.out.Retain()
	return c.svc.PendingTraces(c.ctx, f, supported)
}

func pendingTraces(c *call) (func() error, error) {
	supported := c.supported()
	f, err := c.pending()
	return func() error {
		rows, err := c.emulatedTraces(f, supported)
		for i := range rows {
			latestFirst(rows[i].Actions)
		}
		list := traceList("traces")
		list.stream = (*call).streamPendingTrace
		return list.write(c, rows, err)
	}, err
}

// pendingActions lists the actions of pending traces; if an account is given, those that it takes part in.
func pendingActions(c *call) (func() error, error) {
	supported := c.supported()
	include := actionInclude{accounts: true, transactions: c.q.Bool("include_transactions", false)}
	f, err := c.pending()
	return func() error {
		traces, err := c.emulatedTraces(f, supported)
		if err != nil {
			return err
		}
		var rows []chain.Action
		byHash := map[chain.Hash]*chain.FullTransaction{}
		for i := range traces {
			rows = append(rows, latestFirst(traces[i].Actions)...)
			if !include.transactions {
				continue
			}
			for j := range traces[i].Transactions {
				tx := &traces[i].Transactions[j]
				byHash[tx.Hash] = tx
			}
		}
		if len(f.Accounts) > 0 {
			rows = slices.DeleteFunc(rows, func(a chain.Action) bool { return !slices.Contains(a.Accounts, f.Accounts[0]) })
		}
		return actionList(include, func() map[chain.Hash]*chain.FullTransaction { return byHash }).write(c, rows, nil)
	}, err
}

// latestFirst sorts the emulated actions of a trace in the published order.
func latestFirst(actions []chain.Action) []chain.Action {
	slices.SortStableFunc(actions, func(a, b chain.Action) int {
		return cmp.Or(cmp.Compare(b.EndLT, a.EndLT), cmp.Compare(b.StartLT, a.StartLT))
	})
	return actions
}

// pendingTransactions lists transactions of accounts that are not in an indexed block. As published, trace_id alone is
// not accepted.
func pendingTransactions(c *call) (func() error, error) {
	f := chain.PendingFilter{Accounts: c.q.Addresses("account")}
	c.q.Hashes("trace_id")
	if len(f.Accounts) == 0 && c.q.Err() == nil {
		return nil, chain.Invalidf("at least 1 account address required")
	}
	return func() error {
		traces, err := c.emulatedTraces(f, nil)
		if err != nil {
			return err
		}
		var page resolvers.FullTransactions
		var named addresses
		for i := range traces {
			for j := range traces[i].Transactions {
				if tx := &traces[i].Transactions[j]; tx.Finality != chain.Finalized && slices.Contains(f.Accounts, tx.Account) {
					page.Rows = append(page.Rows, *tx)
					named.addTransaction(tx)
				}
			}
		}
		if len(page.Rows) == 0 {
			return chain.NotFoundf("emulated traces not found")
		}
		page.AddressBook, _, err = c.readNames(&named, false)
		return c.printTransactions(page, err)
	}, nil
}
