package main

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// It fails for a field without a description, too.
func TestGeneratedFiles_FollowTheStructs(t *testing.T) {
	t.Parallel()
	for name, generate := range map[string]func(string) ([]byte, error){
		"../../../../graph/action_details.graphqls": schema, "../../../../docs/action-details.md": document,
	} {
		want, err := generate("..")
		require.NoError(t, err)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%s is outdated: run make generate", name)
	}
}

func TestDescriptions_AmountsNameTheirScale(t *testing.T) {
	t.Parallel()
	amount := regexp.MustCompile(`^(.*_)?(amount|value|lp_tokens|tokens_minted|tokens_burnt|new_stake)(_[0-9])?$|price$`)
	for name, text := range descriptions() {
		if amount.MatchString(name) {
			require.Regexp(t, `[Nn]anotons|smallest unit`, text, name)
		}
	}
}
