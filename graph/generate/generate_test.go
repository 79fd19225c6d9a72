package main

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// The library's templates have the places that ours take; a new version of it may not.
func TestTemplatesFitTheLibrary(t *testing.T) {
	t.Parallel()
	all, err := sources()
	require.NoError(t, err)
	text, err := fs.ReadFile(all, "type.gotpl")
	require.NoError(t, err)
	require.Contains(t, string(text), `template "put"`)
	require.Contains(t, string(text), "UnmarshalFunc")
	require.NotContains(t, string(text), "MarshalSliceConcurrently")
}

func TestWaitingResolvers(t *testing.T) {
	t.Parallel()
	waiting, err := waitingResolvers("../../resolvers")
	require.NoError(t, err)
	require.True(t, waiting["account.State"], "it loads")
	require.False(t, waiting["message.Source"], "it names an address")
}
