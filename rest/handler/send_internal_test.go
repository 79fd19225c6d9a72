package handler

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Long responses that wait for clients are bounded together; short ones are sent all the same.
func TestSend_UnsentResponsesAreBounded(t *testing.T) { //nolint:paralleltest // the bound is that of the process
	long := make([]byte, longResponse)
	var releases []func()
	for range maxUnsent / maxUnsentOfClient {
		release, err := reserve(t.Context(), maxUnsentOfClient)
		require.NoError(t, err)
		releases = append(releases, release)
	}
	w := httptest.NewRecorder()
	require.ErrorIs(t, Send(t.Context(), w, http.StatusOK, long), ErrUnsent)
	require.Zero(t, w.Body.Len()) // another response can take its place
	require.NoError(t, Send(t.Context(), w, http.StatusServiceUnavailable, []byte("{}")))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)

	s := NewStream(t.Context(), httptest.NewRecorder(), time.Now())
	s.B = append(s.B, long...)
	require.ErrorIs(t, s.Close(), ErrUnsent)
	require.False(t, s.Sent())
	s.Reset()
	require.NoError(t, s.Close())

	for _, release := range releases {
		release()
	}
	w = httptest.NewRecorder()
	require.NoError(t, Send(t.Context(), w, http.StatusOK, long))
	require.Equal(t, len(long), w.Body.Len())
}
