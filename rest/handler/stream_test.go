package handler_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

func TestStream_RetainedPartsAreSentAtTheEndInOrder(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	s := handler.NewStream(t.Context(), recorder, time.Now())
	s.Retain()
	var want strings.Builder
	for i := range 40_000 {
		text := strconv.Itoa(i) + ","
		want.WriteString(text)
		s.B = append(s.B, text...)
		require.NoError(t, s.Spill())
	}
	require.False(t, s.Sent())
	require.False(t, s.Complete())
	require.Zero(t, recorder.Body.Len())
	require.NoError(t, s.Close())
	require.Equal(t, want.String(), recorder.Body.String())
	require.Equal(t, strconv.Itoa(want.Len()), recorder.Header().Get("Content-Length"))
}

func TestStream_RetainedResponseIsBounded(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	s := handler.NewStream(t.Context(), recorder, time.Now())
	s.Retain()
	part := strings.Repeat("x", 1<<20)
	var err error
	for range 64 {
		require.NoError(t, err)
		s.B = append(s.B, part...)
		err = s.Spill()
	}
	require.NoError(t, err)
	s.B = append(s.B, part...)
	var refused *chain.Error
	require.ErrorAs(t, s.Spill(), &refused)
	require.Equal(t, chain.Invalid, refused.Kind)
	s.Reset()
	require.NoError(t, s.Close())
	require.Empty(t, recorder.Body.String())
}

func TestStream_ResetDiscardsRetainedParts(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	s := handler.NewStream(t.Context(), recorder, time.Now())
	s.Retain()
	s.B = append(s.B, strings.Repeat("x", 100<<10)...)
	require.NoError(t, s.Spill())
	s.Reset()
	s.B = append(s.B, "error"...)
	require.NoError(t, s.Close())
	require.Equal(t, "error", recorder.Body.String())
}
