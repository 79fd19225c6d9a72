package v3

import (
	"net/url"
	"strings"

	"tonql/internal/chain"
)

// Every list can be read page by page without an offset: a full page names the cursor of the next one in X-Next-Cursor,
// and its address in Link. A page by cursor costs what the first one does.

// cursored is a page that may begin where another ended; noun is the list that its cursors are of.
func (c *call) cursored(p chain.Page, noun chain.ListKind) chain.Page {
	c.full = p.Limit
	text, _ := c.q.Text("cursor")
	if text == "" {
		return p
	}
	if p.Offset > 0 {
		c.q.Refuse(chain.Invalidf("give cursor or offset, not both"))
	}
	cursor, err := chain.ParseCursor(text, noun)
	c.q.Refuse(err)
	p.After = &cursor
	c.pinned = cursor.McSeqno
	return p
}

// offerNext tells where the page after one of n rows begins. A page that is not full is the last one.
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

// maxLink bounds the Link header, since clients bound headers; with more parameters X-Next-Cursor has to do.
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

// nextLink is the Link header (RFC 8288) of the page at a cursor: the same question with another place.
func nextLink(u *url.URL, cursor string) string {
	var kept []string
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(part, "=")
		if part != "" && !strings.EqualFold(name, "cursor") && !strings.EqualFold(name, "offset") {
			kept = append(kept, part)
		}
	}
	kept = append(kept, "cursor="+cursor)
	target := strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20").Replace(strings.Join(kept, "&"))
	return "<" + u.EscapedPath() + "?" + target + `>; rel="next"`
}
