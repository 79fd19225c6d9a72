package modtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/modtest"
)

func TestRead_FindsFilesOfRequiredModulesOnly(t *testing.T) {
	t.Parallel()
	boc, err := modtest.Read(modtest.Tonutils, "tlb/testdata/block_0_8000000000000000_71398501.boc")
	require.NoError(t, err)
	require.Equal(t, []byte{0xb5, 0xee, 0x9c, 0x72}, boc[:4])

	_, err = modtest.Read("example.org/nobody/requires", "anything")
	require.ErrorContains(t, err, "example.org/nobody/requires")
}
