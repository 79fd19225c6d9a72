package handler

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Retained parts occupy their compressed length: the compressor's buffer, which has room for a part that it cannot compress, is used
// again.
func TestStream_RetainedPartsOccupyTheirCompressedLength(t *testing.T) {
	t.Parallel()
	s := NewStream(t.Context(), httptest.NewRecorder(), time.Now())
	s.Retain()
	element := `{"hash":"` + strings.Repeat("A", 44) + `","lt":"1"},`
	for range 100_000 {
		s.B = append(s.B, element...)
		require.NoError(t, s.Spill())
	}
	require.Greater(t, len(s.retained), 50)
	occupied := 0
	for _, block := range s.retained {
		occupied += cap(block)
	}
	require.Less(t, occupied, s.length/8)
	require.LessOrEqual(t, cap(s.packed), maxPooled)
	require.NoError(t, s.Close())
}
