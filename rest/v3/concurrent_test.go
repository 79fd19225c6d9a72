package v3_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// Many requests at once, more than there are connections, do not wait for each other's connections: what a request needs it reads
// through its own.
func TestConcurrent_ListsOfABlockDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	chaintest.Index(t, db, lastMc)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test", TestOnly: true, HeadTTL: time.Nanosecond})
	d := &testClient{t: t, handler: v3.New(svc, v3.Options{Version: "1.4.0", Fresh: true, Timeout: time.Minute})}
	var clients errgroup.Group
	for i := range 32 {
		clients.Go(func() error {
			for n := range 20 {
				path := fmt.Sprintf("/%s?limit=100&mc_seqno=%d", []string{"transactions", "traces", "actions"}[n%3], 10+(i+n)%5)
				began := time.Now()
				if w := d.do(path); w.Code != http.StatusOK {
					return fmt.Errorf("%s: %d after %s: %s", path, w.Code, time.Since(began), w.Body)
				}
			}
			return nil
		})
	}
	require.NoError(t, clients.Wait())
}
