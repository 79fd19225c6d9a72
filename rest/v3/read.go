package v3

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/tracing"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// read runs a request, again while it fails for a reason that passes. Responses from the index are read from one snapshot, whose seqno is in the X-Mc-Seqno header, and
// are cached briefly, see [pages]. POST requests, static and pending responses are not cached.
func (c *call) read(route Route, run func() error) (err error) {
	var span tracing.Span
	c.ctx, span = tracing.Start(c.ctx, strings.TrimPrefix(route.Path, "/"), tracing.V3)
	defer func() { span.End(err) }()
	more := func() bool {
		if route.sends || c.out.Sent() {
			return false
		}
		c.out.Reset()
		c.header.Del("Link")
		c.header.Del("X-Next-Cursor")
		c.next, c.svc = "", c.api.svc
		return true
	}
	return resolvers.Try(c.ctx, c.minSeqno, more, func(ctx context.Context) error {
		c.ctx = ctx
		return c.once(route, run)
	})
}

// once is one try of a request.
func (c *call) once(route Route, run func() error) error {
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
	if cacheable && c.out.Complete() && c.mcSeqno >= head { // the head may be that of another reader
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
	c.out.BeforeSend(done) // a client that does not read must not hold a connection to the database
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
	seqno, err := handler.ParseMinSeqno(text)
	if err != nil {
		c.q.Refuse(err)
	}
	return seqno
}
