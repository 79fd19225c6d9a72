package node

import (
	"strings"

	"github.com/xssnick/tonutils-go/ton"
)

// Codes of liteServer.error that mean "not here": the block was not applied yet, or was dropped.
const (
	codeNotReady = 651
	codeNoBlock  = 652 // also: the wait for a seqno ran out
)

// absentPhrases are parts of error texts about missing data whose codes (-400, 0) have other meanings, too.
var absentPhrases = []string{"not in db", "not found", "not applied", "no such block", "is not available", "state already gc", "cannot find block"}

// fromLSError converts errors of liteservers to absentError and refusalError.
func fromLSError(e ton.LSError) error {
	if e.Code == codeNotReady || e.Code == codeNoBlock {
		return &absentError{text: e.Text}
	}
	text := strings.ToLower(e.Text)
	for _, w := range absentPhrases {
		if strings.Contains(text, w) {
			return &absentError{text: e.Text}
		}
	}
	return &refusalError{code: e.Code, text: e.Text}
}
