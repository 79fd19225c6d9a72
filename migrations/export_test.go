package migrations

import (
	"context"
	"database/sql"
	"io/fs"
	"time"
)

// UpWith is UpLogged with other files, and a limit of tries for a lock.
func UpWith(ctx context.Context, db *sql.DB, from fs.FS, to Loggers, tries int) (int, error) {
	return up(ctx, db, from, to, retries{tries: tries, pause: 10 * time.Millisecond, maxPause: 20 * time.Millisecond})
}
