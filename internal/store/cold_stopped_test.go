package store_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store/readers"
)

// processesOf lists the processes of a server: the one that started all others, and these.
func processesOf(t *testing.T, s *pgcluster.Server) (pids []int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DSN("tonql"))
	require.NoError(t, err)
	backend := int(conn.PgConn().PID())
	parents := map[int]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(strings.Split(name, "/")[2])
		parents[pid], _ = strconv.Atoi(fields[1])
	}
	first := parents[backend]
	require.Greater(t, first, 1)
	pids = []int{first}
	for pid, parent := range parents {
		if parent == first && pid != backend {
			pids = append(pids, pid)
		}
	}
	require.NoError(t, conn.Close(t.Context()))
	return pids
}

// A machine that is suspended accepts connections and responds to nothing. Requests for its blocks end soon, all others, new blocks and the indexer's claims do not wait for it.
func TestCold_SuspendedServerDelaysNothingElse(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	here, there := pgclustertest.Start(t, pgcluster.Options{}), pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, here)
	batches := coldChain(t, 4_000)
	for _, b := range batches[:1] {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	pgclustertest.Open(t, there).Close()
	name, err := db.Cold().Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	moveAllCold(t, db, name, batches[0][20].Block.Seqno, 500)
	read := func(f chain.TransactionFilter) error {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			_, err := db.Reader().Transactions(ctx, f, chain.Page{Limit: 10})
			return err
		})
	}
	old := chain.TransactionFilter{McSeqno: &batches[0][3].Block.Seqno}
	require.NoError(t, read(old))

	stopped := processesOf(t, there.Primary())
	signal := func(s syscall.Signal) {
		for _, pid := range stopped {
			_ = syscall.Kill(pid, s) // one may have ended
		}
	}
	defer signal(syscall.SIGCONT)
	signal(syscall.SIGSTOP)
	claimed := make(chan error, 1)
	go func() { claimed <- db.Cold().Claim(t.Context(), name) }()
	for i := range 3 {
		begun := time.Now()
		err := read(old)
		require.Equal(t, chain.Unavailable, chain.KindOf(err))
		if i > 0 { // the first one has waited until its end
			require.Contains(t, chain.PublicMessage(err), "masterchain blocks 1 to 21 are on another server")
			require.Less(t, time.Since(begun), 5*time.Second)
		}
		begun = time.Now()
		require.NoError(t, read(chain.TransactionFilter{}))
		require.NoError(t, db.Writer().Apply(t.Context(), batches[1][i]))
		require.Less(t, time.Since(begun), 5*time.Second)
	}
	require.Error(t, <-claimed)
	signal(syscall.SIGCONT)
	require.Eventually(t, func() bool { return read(old) == nil }, time.Minute, 100*time.Millisecond)
	require.Eventually(t, func() bool { return db.Cold().Claim(t.Context(), name) == nil }, time.Minute, 100*time.Millisecond)
}
