package recording_test

import (
	"bytes"
	"compress/gzip"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/recording"
	"tonql/internal/chain"
)

// one is a trace in which account 1 receives an external-in message and sends coins to account 2.
const one = `{"format":1,"trace_id":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"external_hash":"AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","mc_seqno_end":9,"end_lt":"5","end_utime":8,
"transactions":[
{"hash":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"account":"0:0100000000000000000000000000000000000000000000000000000000000000","lt":"3","now":7,"mc_block_seqno":9,
"orig_status":"active","end_status":"active","descr":{"type":"ord","aborted":false,"compute_exit_code":0},
"in_msg":{"hash":"AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"destination":"0:0100000000000000000000000000000000000000000000000000000000000000"},
"out_msgs":[MESSAGE]},
{"hash":"BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"account":"0:0200000000000000000000000000000000000000000000000000000000000000","lt":"5","now":8,"mc_block_seqno":9,
"orig_status":"nonexist","end_status":"uninit","descr":{"type":"ord","aborted":true,"compute_exit_code":null},
"in_msg":MESSAGE,"out_msgs":[]}],
"interfaces":{
"0:0200000000000000000000000000000000000000000000000000000000000000":{
"JettonWallet":{"owner":"0:0300000000000000000000000000000000000000000000000000000000000000",
"jetton":"0:0400000000000000000000000000000000000000000000000000000000000000"},
"NftItem":{"index":"57674934624844243064798013516832029513427658251992147829192816814515267043328",
"collection_address":null,"owner_address":null,"content":{"uri":"https://example.org/1"}},
"NftSale":{"full_price":"7"},"NftAuction":{"last_bid":"8"}},
"0:0100000000000000000000000000000000000000000000000000000000000000":{}}}`

const message = `{"hash":"AwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"source":"0:0100000000000000000000000000000000000000000000000000000000000000",
"destination":"0:0200000000000000000000000000000000000000000000000000000000000000","value":"1000000000000000000000",
"value_extra_currencies":{"100":"5"},"created_lt":"4","created_at":7,"opcode":"0x00000007","bounce":false,"bounced":false,
"body":"te6cckEBAQEAAgAAAEysuc0=","init_state":null}`

func written() string {
	return strings.ReplaceAll(one, "MESSAGE", message)
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestRead_ReadsPlainAndGzippedFiles(t *testing.T) {
	t.Parallel()
	for _, raw := range [][]byte{[]byte(written()), zipped(written())} {
		trace, records, err := recording.Read(bytes.NewReader(raw))
		require.NoError(t, err)
		require.Equal(t, uint64(5), trace.EndLT)
		require.Equal(t, uint32(9), trace.McSeqnoEnd)
		require.Len(t, trace.Transactions, 2)
		second := trace.Transactions[1]
		require.True(t, second.Aborted)
		require.True(t, second.Skipped)
		require.False(t, second.NoGas, "files have no reason for skipping")
		require.False(t, second.TickTock)
		require.Equal(t, "1000000000000000000000", second.In.Value.String())
		require.Equal(t, map[string]*big.Int{"100": big.NewInt(5)}, second.In.Extra)
		require.Equal(t, uint64(4), *second.In.CreatedLT)
		require.Equal(t, uint32(7), *second.In.Opcode)
		require.NotNil(t, second.In.Body.Cell())
		require.Nil(t, second.In.Init.Cell())

		at := second.Account
		require.Equal(t, byte(3), records.JettonWallet(at).Owner.ID[0])
		item := records.NFTItem(at)
		require.Equal(t, "57674934624844243064798013516832029513427658251992147829192816814515267043328", item.Index.String())
		require.Equal(t, "https://example.org/1", item.URI)
		require.Equal(t, big.NewInt(7), records.NFTSale(at).FullPrice)
		require.Equal(t, big.NewInt(8), records.NFTAuction(at).LastBid)
		nobody := chain.Address{}
		require.Nil(t, records.JettonWallet(nobody))
		require.Nil(t, records.NFTItem(trace.Transactions[0].Account), "an account without contract records")

		actions, err := action.Classify(trace, records)
		require.NoError(t, err)
		require.Len(t, actions, 1)
		require.Equal(t, "call_contract", actions[0].Type)
	}
}

func TestRead_RefusesMalformedFiles(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{
		"nothing":                {},
		"no JSON":                []byte("{"),
		"half of a gzip":         zipped(written())[:40],
		"no number":              []byte(strings.ReplaceAll(written(), `"created_lt":"4"`, `"created_lt":"four"`)),
		"an opcode of 40 bits":   []byte(strings.ReplaceAll(written(), "0x00000007", "0x0000000007aabbccdd")),
		"a body that is no BoC":  []byte(strings.ReplaceAll(written(), "te6cckEBAQEAAgAAAEysuc0=", "AAAA")),
		"a body that is no text": []byte(strings.ReplaceAll(written(), "te6cckEBAQEAAgAAAEysuc0=", "%%")),
	} {
		_, _, err := recording.Read(bytes.NewReader(raw))
		require.Equal(t, chain.Invalid, chain.KindOf(err), name)
	}
}

func FuzzRead_ErrorsAreInvalid(f *testing.F) {
	f.Add([]byte(written()))
	f.Add(zipped(written()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		trace, records, err := recording.Read(bytes.NewReader(raw))
		if err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			return
		}
		if _, err := action.Classify(trace, records); err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
		}
	})
}
