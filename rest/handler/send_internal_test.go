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
	release, err := reserve(maxUnsent)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	require.ErrorIs(t, Send(w, http.StatusOK, long), ErrUnsent)
	require.Zero(t, w.Body.Len()) // another response can take its place
	require.NoError(t, Send(w, http.StatusServiceUnavailable, []byte("{}")))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)

	s := NewStream(httptest.NewRecorder(), time.Now())
	s.B = append(s.B, long...)
	require.ErrorIs(t, s.Close(), ErrUnsent)
	require.False(t, s.Sent())
	s.Reset()
	require.NoError(t, s.Close())

	release()
	w = httptest.NewRecorder()
	require.NoError(t, Send(w, http.StatusOK, long))
	require.Equal(t, len(long), w.Body.Len())
	release, err = reserve(2 * maxUnsent) // one that is longer takes all of it
	require.NoError(t, err)
	release()
}
