package v3

import (
	"net/http"

	"tonql/internal/chain"
)

// errNoEmulation is the published answer of a service that emulates nothing: what no block holds yet is not known here,
// so an empty list would be a guess.
var errNoEmulation = &statusError{status: http.StatusInternalServerError, text: "emulatedTracesRepository is not initialized"}

// pendingFilter is what the routes of pending traces and actions ask for; the account goes first when both are given.
type pendingFilter struct {
	account *chain.Address
	hashes  []chain.Hash // of external messages, plain or normalised
}

func (c *call) pending() (pendingFilter, error) {
	f := pendingFilter{account: c.q.Address("account"), hashes: c.q.Hashes("ext_msg_hash")}
	if f.account == nil && len(f.hashes) == 0 && c.q.Err() == nil {
		return f, chain.Invalidf("account or ext_msg_hash should be specified")
	}
	return f, nil
}

// inFlight gives the traces of external messages that the index holds in part, because messages of theirs wait for their
// receivers. A trace that is complete has left the list.
func (c *call) inFlight(f pendingFilter, with chain.TraceInclude) ([]chain.FullTrace, error) {
	if f.account != nil {
		return nil, errNoEmulation
	}
	var rows []chain.FullTrace
	for _, h := range f.hashes {
		found, err := c.svc.FullTraces(c.ctx, chain.TraceFilter{MsgHashes: []chain.Hash{h}}, chain.Page{Limit: 1}, with)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, errNoEmulation
		}
		if found[0].State == chain.TracePending {
			rows = append(rows, found[0])
		}
	}
	return rows, nil
}

func pendingTraces(c *call) (func() error, error) {
	with := chain.TraceInclude{Actions: true, Supported: c.supported()}
	f, err := c.pending()
	return func() error {
		rows, err := c.inFlight(f, with)
		return traceList("traces").answer(c, rows, err)
	}, err
}

func pendingActions(c *call) (func() error, error) {
	with := chain.TraceInclude{Actions: true, Supported: c.supported()}
	include := actionInclude{accounts: true, transactions: c.q.Bool("include_transactions", false)}
	f, err := c.pending()
	return func() error {
		traces, err := c.inFlight(f, with)
		var rows []chain.Action
		for i := range traces {
			rows = append(rows, traces[i].Actions...)
		}
		return c.printActions(rows, include, err)
	}, err
}

// pendingTransactions are those of accounts that no block holds; trace_id alone is not enough, as published.
func pendingTransactions(c *call) (func() error, error) {
	accounts := c.q.Addresses("account")
	c.q.Hashes("trace_id")
	if len(accounts) == 0 && c.q.Err() == nil {
		return nil, chain.Invalidf("at least 1 account address required")
	}
	return func() error { return errNoEmulation }, nil
}
