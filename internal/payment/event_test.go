package payment

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestEvent_HasThePublishedBytes(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	i := Info{
		Amount: "0.5", RawAmount: big.NewInt(5e8), SenderAddr: "a", RecipientAddr: "b", Asset: "TON", AssetTicker: "TON",
		Status: Success, Reference: "r1", TxHash: &chain.Hash{1}, TraceID: &chain.Hash{2}, Date: when,
		CommentToSender: "for the sender", CommentToRecipient: "<&>\u2028\"\\\b\f\n\r\t\x01\x00\xff é",
	}
	body := Event(when, &i)
	//nolint:testifylint // the signature covers the exact bytes
	require.Equal(t, `{"event":"transfer.completed","timestamp":"2026-01-02T03:04:05.678Z","data":{"amount":"0.5",`+
		`"rawAmount":"500000000","senderAddr":"a","recipientAddr":"b","asset":"TON","assetTicker":"TON","status":"success",`+
		`"reference":"r1","bodyBase64Hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",`+
		`"txHash":"0100000000000000000000000000000000000000000000000000000000000000",`+
		`"traceId":"0200000000000000000000000000000000000000000000000000000000000000",`+
		`"commentToSender":"for the sender",`+"\"commentToRecipient\":\"<&>\u2028\\\"\\\\\\b\\f\\n\\r\\t\\u0001\ufffd é\","+
		`"date":"2026-01-02T03:04:05.678Z"}}`, string(body))
	require.True(t, json.Valid(body))

	i = Info{RawAmount: new(big.Int), Status: Failed, ErrorCode: -14, ErrorMessage: "Out of gas", Date: when}
	require.Contains(t, string(Event(when, &i)), `"date":"2026-01-02T03:04:05.678Z","errorCode":-14,"errorMessage":"Out of gas"}}`)
	i = Info{RawAmount: new(big.Int), Status: Pending}
	require.Contains(t, string(i.AppendJSON(nil)), `"txHash":"","traceId":"","date":""}`)
	first, again := EventID("r", Success), EventID("r", Success)
	require.Equal(t, first, again)
	require.NotEqual(t, EventID("r", Success), EventID("r", Failed))
}

func FuzzAppendString_DecodesToTheCleanText(f *testing.F) {
	f.Add("x\u2028<")
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		require.NoError(t, json.Unmarshal(appendString(nil, clean(s)), &back))
		require.Equal(t, clean(s), back)
		require.LessOrEqual(t, len(back), longestShown)
	})
}
