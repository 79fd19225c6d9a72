package node_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/node"
)

// The texts are those that nodes, proxies and other implementations of liteservers send.
func TestLSError_ClassFollowsCodeAndText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		code int32
		text string
		want string
	}{
		{228, "Ratelimit", "limited"},
		{228, "Server not ready", "busy"},
		{429, "too many requests", "limited"},
		{0, "Gateway error: rate limit exceeded", "limited"},

		{651, "block (0,8000000000000000,70) is not applied", "behind"},
		{651, "block (-1,8000000000000000,70) is not in db (last known masterchain block: 60)", "behind"},
		{651, "cannot find block (0,f9e03a9b2a3b7b46) lt=29652249000001: lt not in db (possibly out of sync: shard_client_seqno=8 ls_seqno=8)", "behind"},
		{651, "too big masterchain block seqno", "behind"},
		{-400, "client knows block (-1,8000000000000000,9) newer than the reference masterchain block (-1,8000000000000000,8)", "behind"},
		{0, "specified mc block is older than block's masterchain ref", "behind"},

		{651, "block (-1,8000000000000000,7) is not in db", "absent"},
		{651, "seqno not in db", "absent"},
		{602, "cannot load state for (-1,8000000000000000,7) : state already gc'd", "absent"},
		{-400, "cannot compute block with specified transaction: cannot find block (0,c25e8b92e48f9c50) lt=29142750000001: lt not in db", "absent"},
		{-400, "masterchain ref block is not available", "absent"},
		{0, "block not found", "absent"},

		{-400, "cannot locate transaction in block with specified logical time", "nonexistent"},
		{-400, "transaction hash mismatch: expected 00, got 01", "nonexistent"},

		{621, "unknown query", "unsupported"},
		{-400, "unknown request type", "unsupported"},
		{0, "query is not allowed", "unsupported"},
		{-400, "unsupported getMasterchainInfo mode", "unsupported"},

		{-400, "invalid BlockIdExt", "invalid"},
		{-400, "requested account id is not contained in the shard of the reference block", "invalid"},
		{-400, "requested shard is invalid", "invalid"},
		{621, "invalid masterchain seqno", "invalid"},
		{400, "unexpected len of queries", "invalid"},

		{-503, "timeout", "busy"},
		{652, "timeout", "busy"},
		{652, "Gateway error: timeout for adnl query", "busy"},
		{653, "cancelled", "busy"},
		{651, "node not synced", "busy"},
		{651, "not ready", "busy"},
		{0, "Gateway error: no liteserver for query [ getBlock (-1,8000000000000000) seqno=7 ]", "busy"},
		{500, "failed to resolve block", "busy"},
		{502, "backend node timeout", "busy"},

		{0, "cannot create Merkle proof for mc state", "refused"},
		{-400, "cannot deserialize block", "refused"},
		{77, "", "refused"},
	} {
		require.Equal(t, tc.want, node.Classify(tc.code, tc.text), "%d %s", tc.code, tc.text)
	}
}

func TestLSError_LongTextsAreCut(t *testing.T) {
	t.Parallel()
	text := node.LSErrorText(strings.Repeat("ш", 1<<20) + "\xff")
	require.Less(t, len(text), 2100)
	require.True(t, utf8.ValidString(text))
	require.True(t, utf8.ValidString(node.LSErrorText("\xff\xfe")))
}

// A text is about the message only if it is not about the server.
func TestSendingError_DependsOnTheText(t *testing.T) {
	t.Parallel()
	const prefix = "cannot apply external message to current state : "
	for _, tc := range []struct {
		code int32
		text string
		want chain.Kind
	}{
		{0, prefix + "External message was not accepted\nCannot run message on account: inbound external message rejected by transaction 00:\nexitcode=33\nnot ready", chain.Invalid},
		{0, prefix + "Failed to unpack account state", chain.Invalid},
		{0, prefix + "failed to parse external message external message too large, rejecting", chain.Invalid},
		{0, prefix + "too many external messages to address 0:00", chain.Internal},
		{0, prefix + "too many pending external message checks", chain.Internal},
		{0, prefix + "Failed to get account state", chain.Internal},
		{651, prefix + "node not synced", chain.Internal},
		{651, prefix + "no shard in masterchain state for account 0:00", chain.Internal},
		{-503, prefix + "timeout", chain.Internal},
		{429, "too many requests", chain.Internal},
		{228, "Ratelimit: External message was not accepted", chain.Internal},
		{-503, "External message was not accepted: timeout", chain.Internal},
		{0, "Gateway error: external message lost", chain.Internal},
	} {
		err := node.SendingError(tc.code, tc.text)
		require.Error(t, err, tc.text)
		require.Equal(t, tc.want, chain.KindOf(err), tc.text)
	}
	require.NoError(t, node.SendingError(0, "cannot send external message : duplicate message"))
}
