package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	// maxNames and maxCodes are the largest numbers of cached accounts, about 300 bytes each, and codes, about 100 bytes.
	maxNames = 1 << 16
	maxCodes = 1 << 14
	// maxNameBytes limits the memory for texts, which contracts may make long.
	maxNameBytes = 32 << 20
)

// nameCache caches the names of addresses, all at one version. A snapshot at this version takes names from the cache, which
// are those that it would read. A snapshot at a newer version reads the changes since, and advances the cache. A snapshot at
// an older version reads the database. Results therefore do not depend on the contents of the cache. Safe for concurrent
// use.
type nameCache struct {
	mu       sync.Mutex
	version  int64
	moved    time.Time // when the version was reached
	accounts *simplelru.LRU[chain.Address, *accountName]
	codes    *simplelru.LRU[chain.Hash, []string] // interfaces, nil for a code without
	bytes    int

	hits, misses atomic.Uint64 // addresses
}

// NamesFrom returns the numbers of addresses whose rows of the address book or metadata came from memory and from the
// database.
func (r *Reader) NamesFrom() (memory, database uint64) {
	return r.names.hits.Load(), r.names.misses.Load()
}

// nameParts are the parts of an address's names, which are read and cached independently.
type nameParts uint8

const (
	addressPart  nameParts = 1 << iota // the row of the address book
	contentsPart                       // metadata of its content
	walletPart                         // metadata of a Jetton wallet
)

// accountName is the cache entry of an account.
type accountName struct {
	has      nameParts
	entries  chain.AddressBookRow // without interfaces, which belong to its code
	contents []chain.Metadata
	wallet   *chain.Metadata // nil for an account that is not a Jetton wallet
	jetton   chain.Address   // of wallet
	bytes    int             // of contents
}

func newNameCache() *nameCache {
	c := &nameCache{}
	accounts, err := simplelru.NewLRU(maxNames, func(_ chain.Address, a *accountName) { c.bytes -= a.bytes })
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

// lookup returns the cached parts of addresses with their version, and the addresses that miss a wanted part. Rows of the
// address book have the places of their addresses. Metadata of a Jetton may occur several times.
func (c *nameCache) lookup(addresses []chain.Address, want nameParts) (cached names, missing []chain.Address) {
	if want&addressPart != 0 {
		cached.entries = make([]chain.AddressBookRow, len(addresses))
		for i := range addresses {
			cached.entries[i].Address = addresses[i]
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	cached.version = c.version
	for i := range addresses {
		a, ok := c.accounts.Get(addresses[i])
		if !ok || !c.copyTo(&cached, i, a, want) {
			missing = append(missing, addresses[i])
		}
	}
	return cached, missing
}

// copyTo copies the wanted parts of the address at a place. It reports false and copies nothing when a part is missing.
func (c *nameCache) copyTo(cached *names, place int, a *accountName, want nameParts) bool {
	if a.has&want != want {
		return false
	}
	var jetton *accountName
	if want&walletPart != 0 && a.wallet != nil {
		var ok bool
		if jetton, ok = c.accounts.Get(a.jetton); !ok || jetton.has&contentsPart == 0 {
			return false
		}
	}
	if want&addressPart != 0 {
		row := a.entries
		if row.CodeHash != nil {
			interfaces, ok := c.codes.Get(*row.CodeHash)
			if !ok {
				return false
			}
			row.Interfaces = interfaces
		}
		cached.entries[place] = row
	}
	if want&contentsPart != 0 {
		cached.tokens = append(cached.tokens, a.contents...)
	}
	if jetton != nil {
		cached.tokens = append(append(cached.tokens, *a.wallet), jetton.contents...)
	}
	return true
}

// addInterfaces adds cached interfaces to address book rows that were read at a version. It returns the codes that are not
// cached, each once.
func (c *nameCache) addInterfaces(version int64, entries []chain.AddressBookRow) (missing []chain.Hash) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range entries {
		hash := entries[i].CodeHash
		if hash == nil {
			continue
		}
		interfaces, ok := c.codes.Get(*hash)
		if !ok || c.version != version {
			missing = append(missing, *hash)
			continue
		}
		entries[i].Interfaces = interfaces
	}
	return sqlbuild.Unique(missing)
}

// nameChanges are the changes between two versions. They are incomplete when rows of older versions are deleted already.
type nameChanges struct {
	versions int64 // number of versions read
	all      bool  // any name may have changed
	accounts []chain.Address
	codes    []chain.Hash
}

func scanNameChange(r *sqlbuild.Row, changes *nameChanges) {
	changes.versions++
	if !r.Elements(func(_ int, element []byte) {
		one := sqlbuild.Row{Columns: [][]byte{element}}
		changes.accounts = append(changes.accounts, one.Address())
		r.Err = one.Err
	}) {
		changes.all = true
	}
	r.Elements(func(_ int, element []byte) {
		one := sqlbuild.Row{Columns: [][]byte{element}}
		changes.codes = append(changes.codes, one.Hash())
		r.Err = one.Err
	})
}

// advance moves the cache from one version to a newer one and removes what has changed, unless another snapshot has done so
// already.
func (c *nameCache) advance(from, to int64, changes *nameChanges) {
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

// goneBack is the age after which an older version can only belong to another database, such as a restored one: no snapshot
// lasts that long, and no useful replica lags that far behind.
const goneBack = time.Minute

// checkVersion compares the cache with the version that a snapshot has read, and empties it when the database went back.
func (c *nameCache) checkVersion(version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version >= 0 && version < c.version && time.Since(c.moved) > goneBack {
		c.version, c.moved = version, time.Now()
		c.accounts.Purge()
		c.codes.Purge()
	}
}

// add caches parts of addresses that were read at a version. Addresses without a row have no names. It does nothing when the
// cache is at another version.
func (c *nameCache) add(addresses []chain.Address, want nameParts, read *names) {
	c.misses.Add(uint64(len(addresses)))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != read.version {
		return
	}
	if want&addressPart != 0 {
		for _, address := range addresses {
			a := c.account(address)
			a.has |= addressPart
			a.entries = chain.AddressBookRow{Address: address}
		}
		for i := range read.entries {
			row := read.entries[i]
			if row.CodeHash != nil {
				c.codes.Add(*row.CodeHash, row.Interfaces)
			}
			row.Interfaces = nil
			c.account(row.Address).entries = row
		}
	}
	if want&(contentsPart|walletPart) != 0 {
		c.addTokens(addresses, read.tokens)
	}
	for c.bytes > maxNameBytes {
		c.accounts.RemoveOldest()
	}
}

func (c *nameCache) addTokens(addresses []chain.Address, tokens []chain.Metadata) {
	fresh := func(address chain.Address) *accountName {
		a := c.account(address)
		a.has |= contentsPart
		c.bytes -= a.bytes
		a.contents, a.bytes = nil, 0
		return a
	}
	for _, address := range addresses {
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

// account returns the entry of an address, and creates an empty one when there is none.
func (c *nameCache) account(address chain.Address) *accountName {
	if a, ok := c.accounts.Get(address); ok {
		return a
	}
	a := &accountName{}
	c.accounts.Add(address, a)
	return a
}

// weightOf estimates the memory of the texts of an entry in bytes.
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
