package v3

import (
	"net/http"
	"strconv"

	"tonql/internal/chain"
)

// read asks the question of a request. Answers over the index come from one state of it, and say which; what was asked a
// moment ago comes from memory, see [pages]. What is asked in a request's body is not remembered, and neither is what does
// not depend on the index, nor what changes without it.
func (c *call) read(route Route, run func() error) error {
	if route.static || route.pending || route.bare != nil || route.Method != http.MethodGet {
		return run()
	}
	head, err := c.api.svc.McSeqno(c.ctx)
	if err != nil {
		return err
	}
	c.head = head
	remember := !c.opts.Fresh && head > 0
	key := c.key(route)
	if remember {
		if p := c.pages.get(head, key); p != nil {
			c.asOf(p.mcSeqno)
			c.next = p.next
			c.setNextPage()
			c.out.B = append(c.out.B, p.body...)
			return nil
		}
	}
	if err := c.fromOneState(route, run); err != nil {
		return err
	}
	if remember && !c.out.Sent() {
		c.pages.put(head, key, page{mcSeqno: c.mcSeqno, next: c.next, body: c.out.B})
	}
	return nil
}

// fromOneState reads a snapshot of the index, unless the route asks the network too.
func (c *call) fromOneState(route Route, run func() error) error {
	if route.live {
		return run()
	}
	at, done := c.api.svc.Snapshot(c.ctx, c.asOf)
	defer done()
	c.svc = at
	return run()
}

// asOf tells the state of the index that the answer is read from.
func (c *call) asOf(mcSeqno uint32) {
	c.mcSeqno = mcSeqno
	if mcSeqno > 0 {
		c.header.Set("X-Mc-Seqno", strconv.FormatUint(uint64(mcSeqno), 10))
	}
}

// key is what an answer is remembered by.
func (c *call) key(route Route) string {
	key := route.Path + "?" + c.url.RawQuery
	if !c.addressBook {
		key += "#book" // the switch may have come as a header; a query never holds the character
	}
	if !c.meta {
		key += "#meta"
	}
	if c.actionsVersion != "" {
		key += "#actions=" + c.actionsVersion
	}
	return key
}

// readMinSeqno reads the masterchain block that the client has seen elsewhere and wants the answer to know.
func (c *call) readMinSeqno(r *http.Request) uint32 {
	text, _ := c.q.Text("x_min_seqno")
	if h := sent(r, "X-Min-Seqno"); h != "" {
		text = h
	}
	if text == "" {
		return 0
	}
	seqno, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		c.q.Refuse(chain.Invalidf("X-Min-Seqno is the seqno of a masterchain block, not %s", chain.Quote(text)))
	}
	return uint32(seqno)
}
