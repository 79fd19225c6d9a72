package main

import (
	"bytes"
	"io"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"
)

func TestVersion_PrintsRevisionAndPlatform(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	root := app()
	root.Writer = &out
	require.NoError(t, root.Run(t.Context(), []string{"tonql", "version"}))
	require.Regexp(t, `^tonql dev \(revision \S+, go\S+, `+runtime.GOOS+"/"+runtime.GOARCH+`\)\n$`, out.String())
}

// Every flag of every command explains itself and can be given by environment.
func TestFlags_HaveHelpAndVariable(t *testing.T) {
	t.Parallel()
	for _, command := range app().Commands {
		require.NotEmpty(t, command.Usage, command.Name)
		for _, f := range command.Flags {
			doc, ok := f.(cli.DocGenerationFlag)
			require.True(t, ok)
			require.NotEmpty(t, doc.GetUsage(), f.Names()[0])
			require.NotEmpty(t, doc.GetEnvVars(), f.Names()[0])
		}
	}
}

func TestFlags_WrongAnchorsOfTrustAreRefused(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	for _, command := range []string{"up", "serve"} {
		root := app()
		root.Writer, root.ErrWriter = io.Discard, io.Discard
		err := root.Run(t.Context(), []string{"tonql", command, "--data", data, "--trust", "81372691"})
		require.ErrorContains(t, err, "trust should be zerostate, init-block or the id of a masterchain block", command)
	}
	require.NoDirExists(t, data, "nothing is started")
}
