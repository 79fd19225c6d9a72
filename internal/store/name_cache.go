package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tonql/internal/chain"
)

const (
	// maxNames and maxCodes bound how many accounts and codes are kept, of some 300 bytes each and 100.
	maxNames = 1 << 16
	maxCodes = 1 << 14
	// maxNameBytes bounds what strangers chose to write, which can be long.
	maxNameBytes = 32 << 20
)

// nameCache keeps in memory what addresses are called, all of it as of one version of the names. A snapshot that sees this
// version would read the same, and takes it from here; one that sees a newer version brings along what has changed since;
// an older one reads for itself. So answers do not depend on what is kept.
type nameCache struct {
	mu       sync.Mutex
	version  int64
	moved    time.Time // when it became that version
	accounts *simplelru.LRU[chain.Address, *called]
	codes    *simplelru.LRU[chain.Hash, []string] // interfaces, nil where nothing is known
	bytes    int

	told, read atomic.Uint64 // addresses, from here and from the database
}

// NamesFrom counts the addresses whose rows of the address book or metadata came from memory and from the database.
func (r *Reader) NamesFrom() (memory, database uint64) {
	return r.names.told.Load(), r.names.read.Load()
}

// nameParts are parts of what an address is called, which are asked for apart.
type nameParts uint8

const (
	bookPart     nameParts = 1 << iota // the row of the address book
	contentsPart                       // metadata of its own content
	walletPart                         // metadata of a Jetton wallet
)

// called is what is kept of an account.
type called struct {
	has      nameParts
	book     chain.AddressBookRow // but for its interfaces, which its code tells
	contents []chain.Metadata
	wallet   *chain.Metadata // nil: it is no Jetton wallet
	jetton   chain.Address   // of that
	bytes    int             // of contents
}

func newNameCache() *nameCache {
	c := &nameCache{}
	accounts, err := simplelru.NewLRU(maxNames, func(_ chain.Address, a *called) { c.bytes -= a.bytes })
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	codes, err := simplelru.NewLRU[chain.Hash, []string](maxCodes, nil)
	if err != nil {
		panic(err) //nolint:forbidigo // as above
	}
	c.accounts, c.codes = accounts, codes
	return c
}

// now is the version that everything here is as of.
func (c *nameCache) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// recall tells the wanted parts that are kept of addresses, as of which version, and which addresses lack one. Rows of
// the book stand where their addresses do. Metadata of a Jetton may come several times.
func (c *nameCache) recall(addresses []chain.Address, want nameParts) (kept names, lacking []chain.Address) {
	if want&bookPart != 0 {
		kept.book = make([]chain.AddressBookRow, len(addresses))
		for i := range addresses {
			kept.book[i].Address = addresses[i]
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	kept.version = c.version
	for i := range addresses {
		a, ok := c.accounts.Get(addresses[i])
		if !ok || !c.tell(a, i, want, &kept) {
			lacking = append(lacking, addresses[i])
		}
	}
	return kept, lacking
}

// tell adds the wanted parts of the address at a place, if all of them are kept.
func (c *nameCache) tell(a *called, place int, want nameParts, kept *names) bool {
	if a.has&want != want {
		return false
	}
	var jetton *called
	if want&walletPart != 0 && a.wallet != nil {
		var ok bool
		if jetton, ok = c.accounts.Get(a.jetton); !ok || jetton.has&contentsPart == 0 {
			return false
		}
	}
	if want&bookPart != 0 {
		row := a.book
		if row.CodeHash != nil {
			interfaces, ok := c.codes.Get(*row.CodeHash)
			if !ok {
				return false
			}
			row.Interfaces = interfaces
		}
		kept.book[place] = row
	}
	if want&contentsPart != 0 {
		kept.tokens = append(kept.tokens, a.contents...)
	}
	if jetton != nil {
		kept.tokens = append(append(kept.tokens, *a.wallet), jetton.contents...)
	}
	return true
}

// addInterfaces completes rows of the book that were read as of a version, and tells which codes are not kept, each once.
func (c *nameCache) addInterfaces(version int64, book []chain.AddressBookRow) (unknown []chain.Hash) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range book {
		hash := book[i].CodeHash
		if hash == nil {
			continue
		}
		interfaces, ok := c.codes.Get(*hash)
		if !ok || c.version != version {
			unknown = append(unknown, *hash)
			continue
		}
		book[i].Interfaces = interfaces
	}
	return unique(unknown)
}

// holds says whether the wanted parts of all addresses are kept, as of a version.
func (c *nameCache) holds(version int64, addresses []chain.Address, want nameParts) bool {
	kept, lacking := c.recall(addresses, want)
	return kept.version == version && len(lacking) == 0
}

// nameChanges is what has changed from one version to another. It is incomplete where rows of it are gone.
type nameChanges struct {
	versions int64 // how many are told of
	all      bool  // anything may have changed
	accounts []chain.Address
	codes    []chain.Hash
}

func scanNameChange(r *row, changes *nameChanges) {
	changes.versions++
	if !r.elements(func(_ int, element []byte) {
		one := row{columns: [][]byte{element}}
		changes.accounts = append(changes.accounts, one.address())
		r.err = one.err
	}) {
		changes.all = true
	}
	r.elements(func(_ int, element []byte) {
		one := row{columns: [][]byte{element}}
		changes.codes = append(changes.codes, one.hash())
		r.err = one.err
	})
}

// forget brings the cache from one version to a newer one, unless somebody else has brought it there.
func (c *nameCache) forget(from, to int64, changes *nameChanges) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version >= to || c.version < from {
		return
	}
	c.version, c.moved = to, time.Now()
	if changes.all || changes.versions != to-from {
		c.accounts.Purge()
		c.codes.Purge()
		return
	}
	for _, a := range changes.accounts {
		c.accounts.Remove(a)
	}
	for _, h := range changes.codes {
		c.codes.Remove(h)
	}
}

// goneBack is after how long an older version can only be that of another database, such as one that was restored: no
// snapshot lasts so long, and no replica is worth reading that lags so far behind.
const goneBack = time.Minute

// meet tells the cache of a version that a snapshot has seen.
func (c *nameCache) meet(version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version >= 0 && version < c.version && time.Since(c.moved) > goneBack {
		c.version, c.moved = version, time.Now()
		c.accounts.Purge()
		c.codes.Purge()
	}
}

// keep takes the parts that were read of addresses as of a version. Addresses without a row have nothing.
func (c *nameCache) keep(asked []chain.Address, want nameParts, read *names) {
	c.read.Add(uint64(len(asked)))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != read.version {
		return
	}
	if want&bookPart != 0 {
		for _, address := range asked {
			a := c.account(address)
			a.has |= bookPart
			a.book = chain.AddressBookRow{Address: address}
		}
		for i := range read.book {
			row := read.book[i]
			if row.CodeHash != nil {
				c.codes.Add(*row.CodeHash, row.Interfaces)
			}
			row.Interfaces = nil
			c.account(row.Address).book = row
		}
	}
	if want&(contentsPart|walletPart) != 0 {
		c.keepTokens(asked, read.tokens)
	}
	for c.bytes > maxNameBytes {
		c.accounts.RemoveOldest()
	}
}

func (c *nameCache) keepTokens(asked []chain.Address, tokens []chain.Metadata) {
	fresh := func(address chain.Address) *called {
		a := c.account(address)
		a.has |= contentsPart
		c.bytes -= a.bytes
		a.contents, a.bytes = nil, 0
		return a
	}
	for _, address := range asked {
		a := fresh(address)
		a.has |= walletPart
		a.wallet = nil
	}
	for i := range tokens {
		if m := &tokens[i]; m.Kind == chain.TokenJettonWallet {
			a := c.account(m.Address)
			a.wallet, a.jetton = new(*m), jettonOf(m)
			fresh(a.jetton)
		}
	}
	for i := range tokens {
		m := &tokens[i]
		if m.Kind == chain.TokenJettonWallet {
			continue
		}
		a := c.account(m.Address)
		a.contents = append(a.contents, *m)
		n := weightOf(m)
		a.bytes += n
		c.bytes += n
	}
}

// account is what is kept of an address, perhaps nothing yet.
func (c *nameCache) account(address chain.Address) *called {
	if a, ok := c.accounts.Get(address); ok {
		return a
	}
	a := &called{}
	c.accounts.Add(address, a)
	return a
}

// weightOf is about how many bytes the texts of an entry take.
func weightOf(m *chain.Metadata) int {
	return len(m.Name) + len(m.Symbol) + len(m.Description) + len(m.Image) + len(m.Error) + weigh(m.Extra)
}

func weigh(value any) int {
	const header = 16
	n := header
	switch v := value.(type) {
	case string:
		n += len(v)
	case []any:
		for _, element := range v {
			n += weigh(element)
		}
	case map[string]any:
		for key, element := range v {
			n += header + len(key) + weigh(element)
		}
	}
	return n
}
