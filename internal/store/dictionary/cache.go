package dictionary

import (
	"context"
	"maps"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/klauspost/compress/s2"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// maxCached bounds the dictionaries of a cache: about 10 MB.
const maxCached = 128

// Table is a table of dictionaries.
type Table string

const (
	// Transactions has the dictionaries of raw transactions.
	Transactions Table = "dictionaries"
	// Actions has those of the details of actions.
	Actions Table = "action_dictionaries"
)

// contents names what the dictionaries of a table compress.
func (t Table) contents() string {
	if t == Actions {
		return "actions"
	}
	return "transactions"
}

// selectByID reads dictionaries by id.
func (t Table) selectByID() string { return `SELECT content FROM ` + string(t) + ` WHERE id = ANY($1)` }

// SelectNewest reads the dictionary that the writer uses.
func (t Table) SelectNewest() string {
	return `SELECT content FROM ` + string(t) + ` ORDER BY number DESC LIMIT 1`
}

// SelectOther is SelectNewest, and reads NULL if the newest dictionary has an id.
func (t Table) SelectOther() string {
	return `SELECT CASE WHEN id <> $1 THEN content END FROM ` + string(t) + ` ORDER BY number DESC LIMIT 1`
}

// Insert adds a dictionary, as the newest, given its id and content.
func (t Table) Insert() string {
	return `INSERT INTO ` + string(t) + ` (id, number, content) SELECT $1, coalesce(max(number), 0) + 1, $2 FROM ` + string(t)
}

// SelectAll reads all dictionaries in the order of their numbers.
func (t Table) SelectAll() string {
	return `SELECT id, number, content FROM ` + string(t) + ` ORDER BY number`
}

const (
	// InsertEarlier adds a dictionary before the others, so that the writer does not use it: one of transactions of earlier versions,
	// which may have little in common with new ones. The numbers of these are -1, -2 and so on.
	InsertEarlier = `INSERT INTO dictionaries (id, number, content) SELECT $1, least(coalesce(min(number), 0), 0) - 1, $2 FROM dictionaries`
	// SelectEarliest reads the dictionary that InsertEarlier added last, or the newest when it has added none.
	SelectEarliest = `SELECT content FROM dictionaries ORDER BY least(number, 1), number DESC LIMIT 1`
	// SelectPresent reads whether there is a dictionary, by id.
	SelectPresent = `SELECT EXISTS (SELECT FROM dictionaries WHERE id = $1)`
)

// Cache holds dictionaries of one table of a database. It is safe for concurrent use.
type Cache struct {
	table        Table
	dictionaries *lru.Cache[ID, *Dictionary]
}

// NewCache returns an empty cache of the dictionaries of a table.
func NewCache(table Table) *Cache {
	dictionaries, err := lru.New[ID, *Dictionary](maxCached)
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	return &Cache{table: table, dictionaries: dictionaries}
}

// Add adds a dictionary.
func (c *Cache) Add(d *Dictionary) { c.dictionaries.Add(d.id, d) }

// Get returns a dictionary, nil for one that is not cached.
func (c *Cache) Get(id ID) *Dictionary {
	d, _ := c.dictionaries.Get(id)
	return d
}

// Load reads dictionaries from from, all in one query, and caches them. Those that do not exist are missing in the result.
func (c *Cache) Load(ctx context.Context, from sqlbuild.Queryer, ids []ID) (map[ID]*Dictionary, error) {
	found := map[ID]*Dictionary{}
	keys := make([]int64, len(ids))
	for i, id := range ids {
		keys[i] = int64(id)
	}
	err := sqlbuild.Each(ctx, from, string(c.table), func(r *sqlbuild.Row) {
		if d, err := Scan(r); err == nil {
			c.Add(d)
			found[d.id] = d
		}
	}, c.table.selectByID(), keys)
	return found, err
}

// Decode replaces each value of stored by what [Dictionary.Append] got, and by nil when it is damaged or its dictionary is lost. It
// reads the dictionaries that it does not have from from, all in one query, and returns the error of that query. For more bytes than the limit
// of ctx, see [sqlbuild.WithReadLimit], the error is Invalid and nothing is decompressed.
func (c *Cache) Decode(ctx context.Context, from sqlbuild.Queryer, stored [][]byte) error {
	if limit := sqlbuild.ReadLimit(ctx); limit > 0 && sizeOf(stored) > limit {
		return chain.Invalidf("these %s have more than %d bytes: request fewer at once", c.table.contents(), limit)
	}
	found, err := c.find(ctx, from, stored)
	if err != nil {
		return err
	}
	memory := arena{}
	for _, b := range stored {
		if _, needed := IDOf(b); needed {
			memory.rest += min(DecodedLen(b), maxPiece)
		}
	}
	for i, b := range stored {
		if id, needed := IDOf(b); needed {
			stored[i] = found[id].decode(b, &memory)
		} else {
			stored[i] = Plain(b)
		}
	}
	return nil
}

// sizeOf returns the length of all values once they are decompressed.
func sizeOf(stored [][]byte) (n int) {
	for _, b := range stored {
		n += DecodedLen(b)
	}
	return n
}

// find returns the dictionaries that stored needs, by id; those that do not exist are nil.
func (c *Cache) find(ctx context.Context, from sqlbuild.Queryer, stored [][]byte) (map[ID]*Dictionary, error) {
	found := map[ID]*Dictionary{}
	var missing []ID
	for _, b := range stored {
		id, needed := IDOf(b)
		if _, ok := found[id]; ok || !needed {
			continue
		}
		d, ok := c.dictionaries.Get(id)
		if found[id] = d; !ok {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	loaded, err := c.Load(ctx, from, missing)
	maps.Copy(found, loaded)
	return found, err
}

// Scan reads a row of [Table.SelectNewest].
func Scan(r *sqlbuild.Row) (*Dictionary, error) { return New(r.Bytes()) }

// DecodedLen returns the length of what [Dictionary.Append] got, as the stored bytes claim: 0 for those that [Dictionary.Decode] refuses.
func DecodedLen(stored []byte) int {
	if _, needed := IDOf(stored); !needed {
		return len(stored)
	}
	n, err := s2.DecodedLen(stored[head:])
	if err != nil || n > maxDecoded {
		return 0
	}
	return n
}
