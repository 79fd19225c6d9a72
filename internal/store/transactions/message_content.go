package transactions

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tonql/internal/boc"
	"tonql/internal/chain"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// A body and a state-init of a message are stored as [dictionary.Dictionary.Append] writes them, with the dictionaries of raw transactions.
// Those of rows of earlier versions are BoCs, which are read alike. One is compressed only if its BoC ends with a checksum, as those do that
// [cell.Cell.ToBOC] makes: it shows when the stored bytes are damaged.

// ErrDamagedMessage is the error of a message whose body or state-init cannot be read, as its storage is damaged or its dictionary is missing.
var ErrDamagedMessage = errors.New("stored message is damaged")

// AppendContent appends a body or a state-init as it is stored. d is the dictionary in use, nil for none.
func AppendContent(to []byte, d *dictionary.Dictionary, content chain.BOC) []byte {
	if !checksumFits(content) {
		d = nil
	}
	return d.Append(to, content)
}

// checksumFits reports whether a BoC has a checksum, which is that of its bytes.
func checksumFits(content []byte) bool {
	h, ok := boc.ReadHeader(content)
	return ok && h.Checksum && h.ChecksumFits(content)
}

// decompress returns compressed content. d is nil for a lost dictionary.
func decompress(d *dictionary.Dictionary, stored []byte) (chain.BOC, error) {
	content := d.Decode(stored)
	if !checksumFits(content) {
		return nil, ErrDamagedMessage
	}
	return content, nil
}

// maxContent is the size, in bytes, of the bodies and state-inits that one statement may read: in base64 they have 64 MiB.
const maxContent = 48 << 20

var errContent = chain.Invalidf("these messages have more than %d MiB: request fewer at once", maxContent>>20)

// rowsOfMessages reads the rows of one statement. Bodies and state-inits do not share cells here as they do on the chain. Those whose
// dictionary is not cached stay as they are stored until finish, because a dictionary takes another query.
type rowsOfMessages struct {
	dictionaries *dictionary.Cache
	unlimited    bool                                     // the rows may have more than maxContent
	loaded       map[dictionary.ID]*dictionary.Dictionary // used before those of the cache; nil for none

	content int // bytes
	rows    int
	waiting []waitingContent
}

// waitingContent is content that waits for its dictionary.
type waitingContent struct {
	row  int
	init bool
	id   dictionary.ID
}

func (w *waitingContent) of(m *chain.Message) *chain.BOC {
	if w.init {
		return &m.Init
	}
	return &m.Body
}

// scan reads a row with the columns of [MessageTable].
func (rows *rowsOfMessages) scan(r *sqlbuild.Row, m *chain.Message) {
	rows.scanMessage(r, m)
	rows.rows++
}

// read reads the column of a body or of a state-init, in new memory.
func (rows *rowsOfMessages) read(r *sqlbuild.Row, key *chain.MessageKey, init bool) chain.BOC {
	stored := r.Next()
	if stored == nil {
		return nil
	}
	rows.content += dictionary.DecodedLen(stored)
	if rows.content > maxContent && !rows.unlimited {
		if r.Err == nil {
			r.Err = errContent
		}
		return nil
	}
	id, compressed := dictionary.IDOf(stored)
	if !compressed {
		plain := dictionary.Plain(stored)
		return append(make(chain.BOC, 0, len(plain)), plain...)
	}
	d := rows.loaded[id]
	if d == nil {
		d = rows.dictionaries.Get(id)
	}
	if d == nil {
		rows.waiting = append(rows.waiting, waitingContent{rows.rows, init, id})
		return bytes.Clone(stored)
	}
	content, err := decompress(d, stored)
	if err != nil && r.Err == nil {
		r.Err = damagedMessage(key, err)
	}
	return content
}

func damagedMessage(key *chain.MessageKey, err error) error {
	return fmt.Errorf("%w: %s %d", err, key.Account, key.LT)
}

// finish reads what waits for its dictionary, once all rows are read. Dictionaries come from from, and at returns a row.
func (rows *rowsOfMessages) finish(ctx context.Context, from func() sqlbuild.Queryer, at func(row int) *chain.Message) error {
	if len(rows.waiting) == 0 {
		return nil
	}
	found, err := rows.load(ctx, from)
	if err != nil {
		return err
	}
	for _, w := range rows.waiting {
		m := at(w.row)
		content := w.of(m)
		if *content, err = decompress(found[w.id], *content); err != nil {
			return sqlbuild.Fault(ctx, "messages", damagedMessage(&m.Key, err))
		}
	}
	return nil
}

// load reads the dictionaries that are waited for.
func (rows *rowsOfMessages) load(ctx context.Context, from func() sqlbuild.Queryer) (map[dictionary.ID]*dictionary.Dictionary, error) {
	ids := make([]dictionary.ID, len(rows.waiting))
	for i := range rows.waiting {
		ids[i] = rows.waiting[i].id
	}
	return rows.dictionaries.Load(ctx, from(), sqlbuild.Unique(ids))
}

// messages returns what reads rows of messages for a response.
func (r *Reader) messages() *rowsOfMessages { return &rowsOfMessages{dictionaries: r.dictionaries} }

// finishMessages is finish for a list of rows.
func (r *Reader) finishMessages(ctx context.Context, rows *rowsOfMessages, list []chain.Message) error {
	return rows.finish(ctx, r.unchanging, func(row int) *chain.Message { return &list[row] })
}

// WriteDigestedMessage writes a row that begins with the columns of [MessageTable] up to the state-init as digests cover it, whatever the form of
// its contents is. Damaged contents are written as they are stored.
func (r *Reader) WriteDigestedMessage(ctx context.Context, row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
	const body, init = 20, 22
	to.Row(len(row.Columns))
	for i, column := range row.Columns {
		if column == nil {
			to.Null()
			continue
		}
		if i == body || i == init {
			content, err := r.digestedContent(ctx, column)
			if err != nil {
				return err
			}
			column = content
		}
		to.Bytes(column)
	}
	return nil
}

func (r *Reader) digestedContent(ctx context.Context, stored []byte) ([]byte, error) {
	id, compressed := dictionary.IDOf(stored)
	if !compressed {
		return dictionary.Plain(stored), nil
	}
	d := r.dictionaries.Get(id)
	if d == nil {
		loaded, err := r.dictionaries.Load(ctx, r.unchanging(), []dictionary.ID{id})
		if err != nil {
			return nil, fmt.Errorf("dictionary of messages: %w", err)
		}
		d = loaded[id]
	}
	content, err := decompress(d, stored)
	if err != nil {
		return stored, nil //nolint:nilerr // a damaged row has another digest
	}
	return content, nil
}
