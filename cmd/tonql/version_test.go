package main

import (
	"bytes"
	"io"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion_PrintsCommitDateAndPlatform(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, given := range []string{"version", "--version", "-v"} {
		out.Reset()
		root := app()
		root.Writer = &out
		require.NoError(t, root.Run(t.Context(), []string{"tonql", given}))
		require.Regexp(t, `^tonql dev \(commit \S+, built \S+, go\S+, `+runtime.GOOS+"/"+runtime.GOARCH+`\)\n$`, out.String())
	}
}

func TestFlags_WrongAnchorsOfTrustAreRefused(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	for _, command := range []string{"up", "serve"} {
		root := app()
		root.Writer, root.ErrWriter = io.Discard, io.Discard
		err := root.Run(t.Context(), []string{"tonql", command, "--data", data, "--trust", "81372691"})
		require.ErrorContains(t, err, "is not zerostate, init-block or the id of a masterchain block", command)
	}
	require.NoDirExists(t, data, "nothing is started")
}
