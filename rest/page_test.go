package rest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	styleElement = regexp.MustCompile(`(?s)<style>(.*)</style>`)
	hrefs        = regexp.MustCompile(`href="([^"]+)"`)
)

// styleHash returns the source expression that allows the page's style element.
func styleHash(t *testing.T, page string) string {
	t.Helper()
	found := styleElement.FindStringSubmatch(page)
	require.Len(t, found, 2)
	sum := sha256.Sum256([]byte(found[1]))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// links lists the targets of a page's links.
func links(page string) []string {
	var links []string
	for _, found := range hrefs.FindAllStringSubmatch(page, -1) {
		links = append(links, found[1])
	}
	return links
}
