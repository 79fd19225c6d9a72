package lite

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/contracts"
)

// FuzzQuery_ResponseIsSerializable sends arbitrary bytes as a query. Each has a response that can be
// serialized, and none is the error of a panic.
func FuzzQuery_ResponseIsSerializable(f *testing.F) {
	n := newNetwork(f)
	head := &n.chain.Head().ID
	acc := ton.AccountID{ID: n.faucet.Address.Data()}
	ext, err := n.faucet.External(contracts.Ticket{Seqno: 5, ValidUntil: n.chain.Now() + 60},
		contracts.Order{Message: contracts.Transfer(absent, 1, "x")})
	require.NoError(f, err)
	for _, q := range []tl.Serializable{
		ton.GetMasterchainInf{},
		ton.GetBlockData{ID: head},
		ton.LookupBlock{Mode: 2, ID: &ton.BlockInfoShort{Workchain: -1, Shard: rootShard}, LT: 7},
		ton.LookupBlockWithProof{Mode: 1, ID: &ton.BlockInfoShort{Workchain: -1, Shard: rootShard, Seqno: 1}, MCBlockID: head},
		ton.GetAccountState{ID: head, Account: acc},
		ton.RunSmcMethod{Mode: 31, ID: head, Account: acc, MethodID: 85143, Params: absentBOC()},
		ton.ListBlockTransactions{Mode: 7 | listProof | listAfter, ID: head, Count: 5, After: &ton.TransactionID3{Account: acc.ID}, WantProof: &ton.True{}},
		ton.GetConfigParams{BlockID: head, Params: []int32{1, -1}},
		ton.GetLibraries{LibraryList: [][]byte{make([]byte, 32)}},
		ton.GetBlockProof{Mode: 1, KnownBlock: head, TargetBlock: head},
		ton.GetDispatchQueueMessages{ID: head, Addr: acc.ID, MaxMessages: 3},
		ton.SendMessage{Body: ext.ToBOC()},
	} {
		data, err := tl.Serialize(q, true)
		require.NoError(f, err)
		f.Add(data)
		prefix, err := tl.Serialize(ton.WaitMasterchainSeqno{Seqno: 1, Timeout: 5}, true)
		require.NoError(f, err)
		f.Add(append(prefix, data...))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		response := n.server.query(ctx, body)
		if ls, ok := response.(ton.LSError); ok {
			require.NotEqual(t, int32(codeInternal), ls.Code, ls.Text)
		}
		_, err := tl.Serialize(response, true)
		require.NoError(t, err)
	})
}

// FuzzStack_ParsedStacksAreWritten parses arbitrary parameters of get-methods and writes them back.
func FuzzStack_ParsedStacksAreWritten(f *testing.F) {
	f.Add(absentBOC())
	f.Fuzz(func(t *testing.T, params []byte) {
		stack, err := readStack(params)
		if err != nil {
			return
		}
		_, err = writeStack(stack)
		require.NoError(t, err)
	})
}
