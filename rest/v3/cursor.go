package v3

import (
	"net/url"
	"strings"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// Every list can be read page by page without an offset. A full page has the cursor of the next page in X-Next-Cursor, and
// its URL in Link. A page read by cursor costs as much as the first page.

// cursored returns the page p, starting after the cursor of the request if there is one. kind is the list kind that the
// cursor must belong to.
func (c *call) cursored(p chain.Page, kind chain.ListKind) chain.Page {
	c.full = p.Limit
	text, _ := c.q.Text("cursor")
	if text == "" {
		return p
	}
	if p.Offset > 0 {
		c.q.Refuse(chain.Invalidf("cursor and offset cannot be combined"))
	}
	cursor, err := chain.ParseCursor(text, kind)
	c.q.Refuse(err)
	p.After = &cursor
	c.pinned = cursor.McSeqno
	return p
}

// offerNext sets the headers of the next page after a page of n rows whose last row is at last. A page that is not full
// is the last one.
func (c *call) offerNext(n int, last chain.Cursor) {
	if c.full == 0 || n < c.full {
		return
	}
	last.McSeqno = c.pinned
	if last.McSeqno == 0 {
		last.McSeqno = c.mcSeqno
	}
	c.next = last.String()
	c.setNextPage()
}

// maxLink is the maximum length of the Link header, because clients limit headers. A longer link is omitted; clients then
// use X-Next-Cursor.
const maxLink = 4096

func (c *call) setNextPage() {
	if c.next == "" {
		return
	}
	c.header.Set("X-Next-Cursor", c.next)
	if link := nextLink(c.url, c.next); len(link) <= maxLink {
		c.header.Set("Link", link)
	}
}

// nextLink returns the Link header (RFC 8288) of the page at cursor: the same request with another cursor.
func nextLink(u *url.URL, cursor string) string {
	var params []string
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		if name := handler.ParameterName(part); name != "" && name != "cursor" && name != "offset" {
			params = append(params, part)
		}
	}
	params = append(params, "cursor="+cursor)
	target := strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20").Replace(strings.Join(params, "&"))
	return "<" + u.EscapedPath() + "?" + target + `>; rel="next"`
}
