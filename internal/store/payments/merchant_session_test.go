package payments_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/testdb"
)

// Opening a session removes the oldest ones above the limit; concurrent calls wait for each other.
func TestOpenSession_ManyAtOnceDoNotDeadlock(t *testing.T) {
	t.Parallel()
	s := newShop(t, testdb.New(t), "shop")
	errs := make([]error, 60)
	for round := range 4 {
		var wait sync.WaitGroup
		for i := range errs {
			wait.Go(func() {
				errs[i] = s.p.OpenSession(t.Context(), testdb.Hash(), s.ID, i%2 == 0, time.Duration(round*i)*time.Millisecond+time.Hour)
				if errs[i] == nil {
					errs[i] = s.p.RememberAddress(t.Context(), s.ID, testdb.Hash())
				}
			})
		}
		wait.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
	}
}
