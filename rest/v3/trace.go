package v3

import "tonql/internal/chain"

func traces(c *call) (func() error, error) {
	return c.traces("traces", c.q.Bool("include_actions", false))
}

// events lists traces under the member events, always with their actions.
func events(c *call) (func() error, error) {
	c.q.Bool("include_actions", true)
	return c.traces("events", true)
}

func (c *call) traces(key string, actions bool) (func() error, error) {
	f := chain.TraceFilter{
		Account: c.q.Address("account"), IDs: c.q.Hashes("trace_id"), TxHashes: c.q.Hashes("tx_hash"),
		MsgHashes: c.q.Hashes("msg_hash"), McSeqno: seqno(c.q, "mc_seqno"),
		StartUtime: c.q.Utime("start_utime"), EndUtime: c.q.Utime("end_utime"),
		StartLT: c.q.Uint64("start_lt"), EndLT: c.q.Uint64("end_lt"),
	}
	with := chain.TraceInclude{Actions: actions, Supported: c.supported()}
	p := c.cursored(c.page(), chain.TraceList)
	return func() error {
		if err := asWritten(f.McSeqno); err != nil {
			return err
		}
		parts, err := c.svc.FullTraces(c.ctx, f, p, with)
		return traceList(key).writeParts(c, &parts, err)
	}, nil
}

func traceList(key string) listing[chain.FullTrace] {
	return listing[chain.FullTrace]{key: key, name: nameTrace, metadata: true, stream: (*call).streamTrace}
}

// asWritten returns an error for a masterchain seqno that the client wrote as a negative number.
func asWritten(mcSeqno *uint32) error {
	if mcSeqno != nil && int32(*mcSeqno) < 0 {
		return chain.NotFoundf("masterchain block %d not found", int32(*mcSeqno))
	}
	return nil
}

func nameTrace(named *addresses, t *chain.FullTrace) {
	for i := range t.Transactions {
		named.addTransaction(&t.Transactions[i])
	}
	for i := range t.Actions {
		nameAction(named, &t.Actions[i])
	}
}
