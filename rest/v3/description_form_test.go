package v3_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	v3 "tonql/rest/v3"
)

// A description has the members that TL-B gives its type, and no others.
func TestDescription_HasTheMembersOfItsType(t *testing.T) {
	t.Parallel()
	split := &chain.SplitInfo{CurShardPfxLen: 2, AccSplitDepth: 3, ThisAddr: chain.Hash{0xab}, SiblingAddr: chain.Hash{0xcd}}
	zeros := strings.Repeat("0", 62)
	info := `"split_info":{"cur_shard_pfx_len":2,"acc_split_depth":3,"this_addr":"AB` + zeros + `","sibling_addr":"CD` + zeros + `"}`
	storage := &chain.StoragePhase{FeesCollected: 5}
	fees := `"storage_ph":{"storage_fees_collected":"5","status_change":"unchanged"}`
	for _, tc := range []struct {
		of   chain.TransactionDescription
		want string
	}{
		{chain.TransactionDescription{Kind: chain.Ordinary, CreditFirst: true}, `{"type":"ord","aborted":false,"destroyed":false,"credit_first":true}`},
		{chain.TransactionDescription{Kind: chain.TickTock, IsTock: true, Aborted: true}, `{"type":"tick_tock","aborted":true,"destroyed":false,"is_tock":true}`},
		{chain.TransactionDescription{Kind: chain.Storage, Storage: storage, Destroyed: true}, `{"type":"storage","aborted":false,"destroyed":true,` + fees + `}`},
		{chain.TransactionDescription{Kind: chain.SplitPrepare, Split: split, Aborted: true}, `{"type":"split_prepare","aborted":true,"destroyed":false,` + info + `}`},
		{chain.TransactionDescription{Kind: chain.SplitInstall, Split: split, Installed: true}, `{"type":"split_install","installed":true,` + info + `}`},
		{chain.TransactionDescription{Kind: chain.MergePrepare, Split: split, Storage: storage, Aborted: true}, `{"type":"merge_prepare","aborted":true,` + fees + `,` + info + `}`},
		{
			chain.TransactionDescription{Kind: chain.MergeInstall, Split: split, Storage: storage},
			`{"type":"merge_install","aborted":false,"destroyed":false,"installed":false,` + fees + `,` + info + `}`,
		},
		{
			chain.TransactionDescription{Bounce: &chain.BouncePhase{Kind: chain.BounceNegFunds, MsgFees: 7}},
			`{"type":"ord","aborted":false,"destroyed":false,"credit_first":false,"bounce":{"type":"negfunds"}}`,
		},
		{
			chain.TransactionDescription{Bounce: &chain.BouncePhase{Kind: chain.BounceNoFunds, MsgSize: chain.MessageSize{Cells: 1, Bits: 2}, ReqFwdFees: 7}},
			`{"type":"ord","aborted":false,"destroyed":false,"credit_first":false,"bounce":{"type":"nofunds","msg_size":{"cells":"1","bits":"2"},"req_fwd_fees":"7"}}`,
		},
		{
			chain.TransactionDescription{Compute: &chain.ComputePhase{Skipped: true, Reason: chain.SkipNoGas}},
			`{"type":"ord","aborted":false,"destroyed":false,"credit_first":false,"compute_ph":{"skipped":true,"reason":"no_gas"}}`,
		},
	} {
		require.JSONEq(t, tc.want, string(v3.AppendDescription(nil, &tc.of)))
	}
	with := string(v3.AppendDescription(nil, &chain.TransactionDescription{Compute: &chain.ComputePhase{ExitCode: -14, ExitArg: new(int32(-3))}}))
	require.Contains(t, with, `"exit_code":-14,"exit_arg":-3,"vm_steps":0`)
	require.NotContains(t, string(v3.AppendDescription(nil, &chain.TransactionDescription{Compute: &chain.ComputePhase{}})), "exit_arg", "it is only there if the chain has it")
}
