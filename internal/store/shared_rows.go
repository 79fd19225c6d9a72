package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	selectAllDictionaries = `SELECT id, number, content FROM dictionaries ORDER BY number`
	selectAllLibraries    = `SELECT hash, boc FROM libraries ORDER BY hash`
)

// DamagedDictionaries lists the dictionaries of raw transactions whose id is not that of their content, or whose number does not
// follow the one before. The numbers of the writer begin with 1; before them are those of the move of transactions, which end with -1.
func (r *Reader) DamagedDictionaries(ctx context.Context) (damaged []string, err error) {
	last := int32(-1)
	var before *int32
	err = sqlbuild.Each(ctx, r.pool, "dictionaries", func(r *sqlbuild.Row) {
		id, number, content := r.Int8(), r.Int4(), r.Bytes()
		sum := sha256.Sum256(content)
		follows := before == nil && number <= 1 && number != 0 || before != nil && (number == *before+1 && number != 0 || *before == -1 && number == 1)
		if id != int64(binary.BigEndian.Uint32(sum[:])) || !follows {
			damaged = append(damaged, fmt.Sprint(id))
		}
		last, before = number, &number
	}, selectAllDictionaries)
	if err == nil && last < -1 {
		damaged = append(damaged, fmt.Sprintf("(missing number %d)", last+1))
	}
	return damaged, err
}

// EachLibrary visits the stored libraries in the order of their hashes.
func (r *Reader) EachLibrary(ctx context.Context, visit func(chain.Library)) error {
	return sqlbuild.Each(ctx, r.pool, "libraries", func(r *sqlbuild.Row) {
		visit(chain.Library{Hash: r.Hash(), BOC: r.Bytes()})
	}, selectAllLibraries)
}
