package traces

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// ErrDamagedDetails is the error of an action whose details cannot be read, as their storage is damaged or their dictionary is missing.
var ErrDamagedDetails = errors.New("stored details of an action are damaged")

// actionRows reads rows of [actionRowColumns]. The packed details are read together after the last row, because that may take another query,
// for a dictionary.
type actionRows struct {
	memory []byte // of the details as they are stored
	packed []packedDetails
	rows   int
}

// packedDetails are the details of a row.
type packedDetails struct {
	row, end int    // the number of the row, and where the details end in memory
	size     int    // of the details once they are read
	sum      uint32 // their checksum
}

func (s *actionRows) scan(r *sqlbuild.Row, a *chain.Action) {
	s.add(a, scanActionRow(r, a))
}

// add adds a row whose other columns were read.
func (s *actionRows) add(a *chain.Action, packed []byte) {
	if packed != nil || a.Details == nil {
		s.memory = append(s.memory, packed...)
		s.packed = append(s.packed, packedDetails{row: s.rows, end: len(s.memory)})
		a.Details = nil
	}
	s.rows++
}

// finishActions reads the packed details of rows, of which at returns one. The error is Invalid for more bytes than the limit of ctx, see
// [sqlbuild.WithReadLimit].
func (r *Reader) finishActions(ctx context.Context, rows *actionRows, at func(row int) *chain.Action) error {
	if len(rows.packed) == 0 {
		return nil
	}
	texts, start := make([][]byte, len(rows.packed)), 0
	for i := range rows.packed {
		p := &rows.packed[i]
		if stored := rows.memory[start:p.end:p.end]; len(stored) > checksum {
			p.sum, texts[i] = binary.BigEndian.Uint32(stored), stored[checksum:]
		}
		start = p.end
	}
	if err := r.dictionaries.Decode(ctx, r.unchanging(), texts); err != nil {
		return fmt.Errorf("details of actions: %w", err)
	}
	total, limit := 0, sqlbuild.ReadLimit(ctx)
	for i := range rows.packed {
		p := &rows.packed[i]
		a := at(p.row)
		if p.size = unpackedSize(texts[i], a.Accounts); p.size <= 0 {
			return damagedDetails(a)
		}
		if total += p.size; limit > 0 && total > limit {
			return chain.Invalidf("these actions have more than %d bytes: request fewer at once", limit)
		}
	}
	var free []byte
	for i := range rows.packed {
		p := &rows.packed[i]
		a := at(p.row)
		if p.size > cap(free) {
			free = make([]byte, 0, max(p.size, min(total, maxPiece)))
		}
		details := appendDetails(free[:0:p.size], texts[i], a.Accounts)
		if crc32.Checksum(details, castagnoli) != p.sum {
			return damagedDetails(a)
		}
		a.Details = details
		free, total = free[p.size:p.size:cap(free)], total-p.size
	}
	return nil
}

// maxPiece bounds the memory that details of several actions share, which stays as long as those of one of them.
const maxPiece = 64 << 10

func damagedDetails(a *chain.Action) error {
	return fmt.Errorf("%w: trace %s, action %s", ErrDamagedDetails, a.TraceID.Hex(), a.ID.Hex())
}
