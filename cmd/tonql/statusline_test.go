package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMegabytes_SmallSizesAreNotZero(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{
		0: "0.0 MB", 400 << 10: "0.4 MB", 3<<20 + 1<<19: "3.5 MB", 10 << 20: "10 MB", 5 << 40: "5,242,880 MB",
	} {
		require.Equal(t, want, megabytes(bytes))
	}
}
