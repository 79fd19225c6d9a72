package graphql_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A number in a document that is outside the range of every type is a client error, in any position.
func TestLiterals_OutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	h := newHandler(t)
	const account = `"0:0000000000000000000000000000000000000000000000000000000000000000"`
	for _, query := range []string{
		`{ transactions(first: 99999999999999999999) { nodes { hash } } }`,
		`{ transactions(last: -99999999999999999999) { nodes { hash } } }`,
		`{ transactions(where: {startLt: 99999999999999999999}) { nodes { hash } } }`,
		`{ transactions(where: {seqno: 1e999}) { nodes { hash } } }`,
		`{ config { params(indexes: [1, 99999999999999999999]) { index } } }`,
		`{ config(at: {lt: 99999999999999999999}) { mcSeqno } }`,
		`{ runGetMethod(address: ` + account + `, method: "a", mcSeqno: 99999999999999999999) { exitCode } }`,
		`{ account(address: 99999999999999999999) { address } }`,
		`query($n: BigInt = 99999999999999999999) { config(at: {lt: $n}) { mcSeqno } }`,
		`query($n: Int = 99999999999999999999) { transactions(first: $n) { nodes { hash } } }`,
		`query($n: [Int!] = [99999999999999999999]) { config { params(indexes: $n) { index } } }`,
		`{ ...F } fragment F on Query { config(at: {utime: 99999999999999999999}) { mcSeqno } }`,
		`subscription { blocks(afterMcSeqno: 99999999999999999999) { mcSeqno } }`,
		`mutation { sendMessage(boc: 99999999999999999999) { hash } }`,
		`{ simulate(message: {internal: {source: ` + account + `, destination: ` + account + `, value: 99999999999999999999}}) { mcSeqno } }`,
	} {
		rec, a := post(t, h, query, nil)
		require.Less(t, rec.Code, http.StatusInternalServerError)
		require.NotEmpty(t, a.Errors, query)
		require.NotEqual(t, "internal error", a.Errors[0].Message, query)
		require.NotEqual(t, "INTERNAL", a.Errors[0].Extensions["code"], query)
		t.Log(a.Errors[0].Message)
	}
}
