package coldservers

import (
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/readers"
)

// Servers are the cold servers of an index. Safe for concurrent use.
type Servers struct {
	pool *pgxpool.Pool
	read *readers.Set
}

// New returns the servers of the index that pool writes and read reads.
func New(pool *pgxpool.Pool, read *readers.Set) *Servers { return &Servers{pool: pool, read: read} }
