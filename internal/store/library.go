package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	insertLibrary = `INSERT INTO libraries (hash, boc) VALUES ($1, $2) ON CONFLICT DO NOTHING`

	// The run before a block grows by the block; else the block begins a run; then the run after it is joined. So the
	// rows are the longest runs, in whatever order blocks come.
	growLibraryRange = `UPDATE library_ranges SET last = $1
		WHERE first = (SELECT r.first FROM library_ranges r WHERE r.first < $1 ORDER BY r.first DESC LIMIT 1)
			AND last = $1 - 1 AND root = $2`
	insertLibraryRange = `INSERT INTO library_ranges (first, last, root) SELECT $1, $1, $2
		WHERE NOT EXISTS (SELECT 1 FROM (SELECT r.last FROM library_ranges r WHERE r.first <= $1 ORDER BY r.first DESC LIMIT 1) n
			WHERE n.last >= $1)`
	joinLibraryRanges = `WITH next AS (DELETE FROM library_ranges WHERE first = $1 + 1 AND root = $2 RETURNING last)
		UPDATE library_ranges SET last = next.last FROM next
		WHERE first = (SELECT r.first FROM library_ranges r WHERE r.first <= $1 ORDER BY r.first DESC LIMIT 1)`

	insertLibraryFacts = `INSERT INTO library_facts (hash, root, public)
		SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::boolean[]) ON CONFLICT DO NOTHING`

	selectLibraryRoot = `SELECT n.root FROM (SELECT r.last, r.root FROM library_ranges r WHERE r.first <= $1
		ORDER BY r.first DESC LIMIT 1) n WHERE n.last >= $1`

	selectLibraryFacts = `SELECT f.hash, f.public, l.boc FROM library_facts f LEFT JOIN libraries l ON f.public AND l.hash = f.hash
		WHERE f.hash = ANY($1) AND f.root = $2 ORDER BY f.hash`

	selectLibraries    = `SELECT hash, boc FROM libraries WHERE hash = ANY($1)`
	selectAllLibraries = `SELECT hash, boc FROM libraries ORDER BY hash`
)

func finishLibraries(u *batchState, b *pgx.Batch) {
	for _, mb := range u.Blocks {
		for _, l := range mb.Libraries {
			b.Queue(insertLibrary, l.Hash[:], []byte(l.BOC))
		}
		queueLibraryFacts(b, mb.LibraryFacts)
		if root := mb.LibraryRoot; root != nil {
			seqno := int64(mb.Block.Seqno)
			b.Queue(growLibraryRange, seqno, root[:])
			b.Queue(insertLibraryRange, seqno, root[:])
			b.Queue(joinLibraryRanges, seqno, root[:])
		}
	}
}

func queueLibraryFacts(b *pgx.Batch, facts []chain.LibraryFact) {
	if len(facts) == 0 {
		return
	}
	hashes, roots, public := make([][]byte, len(facts)), make([][]byte, len(facts)), make([]bool, len(facts))
	for i := range facts {
		hashes[i], roots[i], public[i] = facts[i].Hash[:], facts[i].Root[:], facts[i].Public
	}
	b.Queue(insertLibraryFacts, hashes, roots, public)
}

// LibraryRoot returns the root of the public libraries after a masterchain block, see [chain.LibrarySet]; ok is false when the
// index does not have it.
func (r *Reader) LibraryRoot(ctx context.Context, mcSeqno uint32) (root chain.Hash, ok bool, err error) {
	err = sqlbuild.Each(ctx, r.pool, "root of libraries", func(r *sqlbuild.Row) { root, ok = r.Hash(), true }, selectLibraryRoot, int64(mcSeqno))
	return root, ok, err
}

// LibrariesOf returns what the index holds of libraries in the dictionary with a root: a bag of cells for one that is
// public, nil for one that is not. Libraries of which it holds nothing are absent.
func (r *Reader) LibrariesOf(ctx context.Context, root chain.Hash, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	found := make(map[chain.Hash]chain.BOC, len(hashes))
	err := sqlbuild.Each(ctx, r.pool, "libraries", func(r *sqlbuild.Row) {
		hash, public := r.Hash(), r.Bool()
		boc := r.Bytes()
		if public == (boc != nil) {
			found[hash] = boc
		}
	}, selectLibraryFacts, sqlbuild.HashArray(hashes), root[:])
	return found, err
}

// Libraries reads public libraries by hash; unknown ones are absent.
func (r *Reader) Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	return r.boced(ctx, "libraries", selectLibraries, hashes)
}

// EachLibrary visits the stored libraries in the order of their hashes.
func (r *Reader) EachLibrary(ctx context.Context, visit func(chain.Library)) error {
	return sqlbuild.Each(ctx, r.pool, "libraries", func(r *sqlbuild.Row) {
		visit(chain.Library{Hash: r.Hash(), BOC: r.Bytes()})
	}, selectAllLibraries)
}
