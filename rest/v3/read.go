package v3

import (
	"net/http"
	"strconv"

	"tonql/internal/chain"
)

// read runs a request. Responses from the index are read from one snapshot, whose seqno is in the X-Mc-Seqno header, and
// are cached briefly, see [pages]. POST requests, static and pending responses are not cached.
func (c *call) read(route Route, run func() error) error {
	if route.static || route.pending || route.fastPath != nil || route.Method != http.MethodGet {
		return run()
	}
	head, err := c.api.svc.McSeqno(c.ctx)
	if err != nil {
		return err
	}
	c.head = head
	cacheable := !c.opts.Fresh && head > 0
	key := c.key(route)
	if cacheable {
		if p := c.pages.get(head, key); p != nil {
			c.asOf(p.mcSeqno)
			c.next = p.next
			c.setNextPage()
			c.out.B = append(c.out.B, p.body...)
			return nil
		}
	}
	if err := c.withSnapshot(route, run); err != nil {
		return err
	}
	if cacheable && c.out.Complete() {
		c.pages.put(head, key, page{mcSeqno: c.mcSeqno, next: c.next, body: c.out.B})
	}
	return nil
}

// withSnapshot runs the request on a snapshot of the index, unless the route also reads the network.
func (c *call) withSnapshot(route Route, run func() error) error {
	if route.live {
		return run()
	}
	at, done := c.api.svc.Snapshot(c.ctx, c.asOf)
	defer done()
	c.svc = at
	return run()
}

// asOf records the masterchain seqno of the snapshot that the response is read from, and sets the X-Mc-Seqno header.
func (c *call) asOf(mcSeqno uint32) {
	c.mcSeqno = mcSeqno
	if mcSeqno > 0 {
		c.header.Set("X-Mc-Seqno", strconv.FormatUint(uint64(mcSeqno), 10))
	}
}

// key returns the key of the response in the page cache.
func (c *call) key(route Route) string {
	key := route.Path + "?" + c.url.RawQuery
	if !c.addressBook {
		key += "#book" // the option can come from a header; a query never contains the character
	}
	if !c.meta {
		key += "#meta"
	}
	if c.actionsVersion != "" {
		key += "#actions=" + c.actionsVersion
	}
	return key
}

// readMinSeqno reads the masterchain seqno that the index must have reached before the request runs; 0 if absent.
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
