package node

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xssnick/tonutils-go/ton"
)

// class is the meaning of a liteserver's error for the query that it ended and for the server. docs/network.md has the
// table for operators.
type class uint8

const (
	refused     class = iota // no rule matches: another server may respond
	busy                     // the server cannot respond now: it is not synchronized, or something behind it timed out
	limited                  // too many queries: the server is left alone for a while
	behind                   // the server has not reached the data yet
	absent                   // the server does not have the data, or no longer
	nonexistent              // the server has the block, but the block has nothing of that name
	unsupported              // the server does not have this kind of query
	invalid                  // the server considers the query wrong
)

// Codes of liteServer.error. Nodes have 601 to 653 from one enumeration, of which they use 601, 602, 621, 651, 652 and
// 653; 0 for errors without a code; -400 for errors of the liteserver itself; and -503 when a query ran out of time.
// Proxies in front of nodes add HTTP's codes and 228.
const (
	codeProxyLimit    = 228
	codeHTTPBad       = 400
	codeHTTPLimit     = 429
	codeHTTPInternal  = 500
	codeHTTPGateway   = 502
	codeHTTPDown      = 503
	codeHTTPTimeout   = 504
	codeFailure       = 601
	codeProtocol      = 621
	codeNotReady      = 651 // "not here" as well as "not synchronized"
	codeTimeout       = 652
	codeCancelled     = 653
	codeQueryTimeout  = -503
	maxLSErrorText    = 2048
	truncatedTextMark = "…"
)

// lsRule assigns a class to errors whose text contains one of the phrases, in lower case, or which have one of the codes.
// A rule with phrases and codes needs both.
type lsRule struct {
	class   class
	codes   []int32
	phrases []string
}

// lsRules are tried in order; the first match decides. Texts come before codes, because nodes use one code for different
// things and prefix texts of inner errors with their own.
var lsRules = []lsRule{
	{class: busy, codes: []int32{codeProxyLimit}, phrases: []string{"not ready"}},
	{class: limited, codes: []int32{codeProxyLimit, codeHTTPLimit}},
	{class: limited, phrases: []string{"too many requests", "rate limit", "ratelimit"}},
	{class: behind, phrases: []string{
		"is not applied", "possibly out of sync", "last known masterchain block", "newer than the reference masterchain block",
		"too big masterchain block seqno", "older than block's masterchain ref", "doesn't have masterchain ref",
	}},
	{class: nonexistent, phrases: []string{"cannot locate transaction", "transaction hash mismatch"}},
	{class: absent, phrases: []string{
		"not in db", "not found", "state already gc", "no such block", "is not available", "cannot find block",
	}},
	{class: unsupported, phrases: []string{
		"unknown query", "unknown request", "unknown constructor", "unknown function", "unsupported", "not implemented",
		"not supported", "query is not allowed", "queries are not allowed",
	}},
	{class: invalid, phrases: []string{
		"invalid block", "block id requested", "must belong to the masterchain", "is not contained in the shard",
		"shard is invalid", "exactly one of mode", "must be specified", "is not a valid masterchain block id",
		"cannot request total state", "with respect to a masterchain block only",
	}},
	{class: busy, codes: []int32{
		codeNotReady, codeTimeout, codeCancelled, codeFailure, codeQueryTimeout,
		codeHTTPInternal, codeHTTPGateway, codeHTTPDown, codeHTTPTimeout,
	}},
	{class: busy, phrases: []string{"timeout", "timed out", "no liteserver for query"}},
	{class: invalid, codes: []int32{codeProtocol, codeHTTPBad}},
}

func (r *lsRule) matches(code int32, text string) bool {
	if len(r.codes) > 0 && !slices.Contains(r.codes, code) {
		return false
	}
	return len(r.phrases) == 0 || containsAny(text, r.phrases)
}

// classify returns the class of a liteserver's error.
func classify(code int32, text string) class {
	text = strings.ToLower(text)
	for i := range lsRules {
		if lsRules[i].matches(code, text) {
			return lsRules[i].class
		}
	}
	return refused
}

// fromLSError converts errors of liteservers to absentError and refusalError. Texts come from untrusted servers and
// appear in logs and responses, so they are cut.
func fromLSError(e ton.LSError) error {
	text := cutText(e.Text)
	switch c := classify(e.Code, text); c {
	case behind, absent, nonexistent, unsupported:
		return &absentError{text: text, class: c}
	default:
		return &refusalError{class: c, code: e.Code, text: text}
	}
}

// cutText makes a server's text valid UTF-8 of bounded length.
func cutText(text string) string {
	if len(text) > maxLSErrorText {
		end := maxLSErrorText
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + truncatedTextMark
	}
	return strings.ToValidUTF8(text, "?")
}
