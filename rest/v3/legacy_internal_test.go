package v3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The v2 API calls an account active if it has code; the index knows accounts that were deleted.
func TestLegacyStatus_OfAccountsWithoutCode(t *testing.T) {
	t.Parallel()
	code := chain.BOC{1}
	for name, tc := range map[string]struct {
		state     chain.AccountState
		index, v2 string
	}{
		"active":         {chain.AccountState{Status: chain.Active, LT: 5, CodeBOC: code}, "active", "active"},
		"data, no code":  {chain.AccountState{Status: chain.Active, LT: 5, DataBOC: code}, "active", "uninitialized"},
		"frozen":         {chain.AccountState{Status: chain.Frozen, LT: 5}, "frozen", "frozen"},
		"coins alone":    {chain.AccountState{Status: chain.Uninit, LT: 5}, "uninit", "uninitialized"},
		"deleted":        {chain.AccountState{Status: chain.Nonexist, LT: 5}, "nonexist", "uninitialized"},
		"unknown to all": {chain.AccountState{Status: chain.Nonexist}, "uninit", "uninitialized"},
	} {
		require.Equal(t, `,"status":"`+tc.index+`"`, string(appendLegacyStatus(nil, &tc.state, false)), name)
		require.Equal(t, `,"status":"`+tc.v2+`"`, string(appendLegacyStatus(nil, &tc.state, true)), name)
	}
}
