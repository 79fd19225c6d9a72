package pgcluster_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/temptest"
)

func TestMain(m *testing.M) {
	temptest.InMemory()
	goleak.VerifyTestMain(m)
}

// values returns the rows of the table that insert fills.
func values(t *testing.T, s *pgcluster.Server) []int32 {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DSN("postgres"))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	rows, err := conn.Query(t.Context(), `SELECT n FROM numbers ORDER BY n`)
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	require.NoError(t, err)
	return list
}

func insert(t *testing.T, url string, n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	_, err = conn.Exec(t.Context(), `CREATE TABLE IF NOT EXISTS numbers (n int)`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO numbers VALUES ($1)`, n)
	require.NoError(t, err)
}

func TestCluster_FailoverOfDetachedStandbyLosesItsDistance(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	defer cancel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 2})
	first, second, third := c.Servers()[0], c.Servers()[1], c.Servers()[2]
	primary := c.DSN("postgres", "primary")
	insert(t, primary, 1)
	require.NoError(t, c.WaitReplayed(ctx, second))
	require.Equal(t, []int32{1}, values(t, second))

	require.NoError(t, second.PauseReplay(ctx))
	insert(t, primary, 2)
	require.Equal(t, []int32{1}, values(t, second), "paused")
	require.NoError(t, second.ResumeReplay(ctx))
	require.NoError(t, c.WaitReplayed(ctx, second))
	require.Equal(t, []int32{1, 2}, values(t, second))

	require.NoError(t, second.Detach(ctx))
	require.NoError(t, third.Detach(ctx))
	insert(t, primary, 3)
	require.NoError(t, first.Kill(ctx))
	require.NoError(t, c.Promote(ctx, second))
	insert(t, primary, 4)
	require.Equal(t, []int32{1, 2, 4}, values(t, second))

	require.NoError(t, c.Follow(ctx, third))
	require.NoError(t, c.WaitReplayed(ctx, third))
	require.Equal(t, []int32{1, 2, 4}, values(t, third))
	require.NoError(t, c.Rebuild(ctx, first))
	require.Equal(t, []int32{1, 2, 4}, values(t, first))
	insert(t, primary, 5)
	require.NoError(t, c.WaitReplayed(ctx, first))
	fourth, err := c.AddStandby(ctx)
	require.NoError(t, err)
	require.Equal(t, []int32{1, 2, 4, 5}, values(t, fourth))
}

func TestCluster_SynchronousCommitIsOnAStandby(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	defer cancel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1, Synchronous: true})
	for n := range 5 {
		insert(t, c.DSN("postgres", "primary"), n)
	}
	require.NoError(t, c.Primary().Kill(ctx))
	require.NoError(t, c.Promote(ctx, c.Servers()[1]))
	require.Len(t, values(t, c.Primary()), 5)
}
