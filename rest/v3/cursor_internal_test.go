package v3

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The next page is the same request with another cursor and without an offset, in whatever form their names were sent.
func TestNextLink_HasOneCursorAndNoOffset(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                                      "cursor=C",
		"limit=2&sort=asc":                      "limit=2&sort=asc&cursor=C",
		"offset=5&limit=2":                      "limit=2&cursor=C",
		"cursor=A&limit=2&&cursor=B":            "limit=2&cursor=C",
		"CURSOR=A&Offset=0&account=a":           "account=a&cursor=C",
		"cursor[]=A&offset%5B%5D=5":             "cursor=C",
		"%63ursor=A&o%66fset=5":                 "cursor=C",
		"hash=a%2Bb&x=<y> z&cursors=1&=5":       "hash=a%2Bb&x=%3Cy%3E%20z&cursors=1&cursor=C",
		"account=a&account=b&offset[0]=ignored": "account=a&account=b&offset[0]=ignored&cursor=C",
	} {
		u := &url.URL{Path: "/api/v3/blocks", RawQuery: query}
		require.Equal(t, "</api/v3/blocks?"+want+`>; rel="next"`, nextLink(u, "C"), query)
	}
}

// Clients limit headers: a longer link is left out, the cursor is not.
func TestSetNextPage_LongLinksAreLeftOut(t *testing.T) {
	t.Parallel()
	frame := len(nextLink(&url.URL{RawQuery: "a="}, "C"))
	for length, sent := range map[int]bool{maxLink: true, maxLink + 1: false} {
		c := &call{next: "C", url: &url.URL{RawQuery: "a=" + strings.Repeat("x", length-frame)}, header: map[string][]string{}}
		c.setNextPage()
		require.Equal(t, "C", c.header.Get("X-Next-Cursor"))
		require.Equal(t, sent, c.header.Get("Link") != "", length)
	}
}
