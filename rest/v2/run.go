package v2

import (
	"fmt"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// run reads and executes a get-method call. value parses an argument in the dialect of the method.
func (c *call) run(value func(any) (any, error)) (*resolvers.MethodResult, chain.Address, error) {
	q := resolvers.MethodCall{Account: c.p.address("address")}
	q.Method, q.Seqno = c.p.method("method"), c.p.seqno("seqno")
	raw := c.p.raw("stack")
	c.p.required("stack", raw != nil)
	if err := c.p.end(); err != nil {
		return nil, q.Account, err
	}
	var err error
	if q.Stack, err = parseStack(raw, value); err != nil {
		return nil, q.Account, err
	}
	result, err := c.svc.RunGetMethod(c.ctx, q)
	return result, q.Account, err
}

func runGetMethod(c *call) error {
	result, account, err := c.run(parsePair)
	if err != nil {
		return err
	}
	master, last, err := c.svc.LastTransaction(c.ctx, account, result.McSeqno)
	if err != nil {
		return err
	}
	b := handler.AppendInt(append(c.b, `{"@type":"smc.runResult","gas_used":`...), max(result.Gas, 0))
	b = append(b, `,"stack":[`...)
	left := maxShown
	for i, v := range result.Stack {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendPair(b, v, &left); err != nil {
			return err
		}
	}
	b = handler.AppendInt(append(b, `],"exit_code":`...), result.Exit)
	b = appendBlockID(append(b, `,"block_id":`...), master)
	c.b = append(appendTxID(append(b, `,"last_transaction_id":`...), last.LT, last.Hash), '}')
	return nil
}

func runGetMethodStd(c *call) error {
	result, _, err := c.run(parseEntry)
	if err != nil {
		return err
	}
	b := handler.AppendInt(append(c.b, `{"@type":"smc.runResult","gas_used":`...), max(result.Gas, 0))
	if b, err = appendEntries(append(b, `,"stack":`...), result.Stack, maxResultDepth); err != nil {
		return err
	}
	c.b = append(handler.AppendInt(append(b, `,"exit_code":`...), result.Exit), '}')
	return nil
}

const (
	maxDepth       = 100  // levels of tuples and lists in arguments
	maxPairDepth   = 100  // levels of tuples in results of runGetMethod, as published; a list is one level
	maxResultDepth = 1024 // levels of tuples in results of runGetMethodStd
)

// statusDeep is the published status of results that are too large to be printed.
const statusDeep = 533

var (
	errTooDeep      = refuse(statusDeep, "the stack is nested too deep")
	errTooManyCells = refuse(statusDeep, fmt.Sprintf("the result has more than %d cells, which runGetMethod prints one by one; runGetMethodStd prints bags of cells only", maxShown))
)
