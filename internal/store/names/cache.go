package names

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

// Cache caches the names of addresses, all at one version. A snapshot at this version takes names from the cache, which
// are those that it would read. A snapshot at a newer version reads the changes since, and advances the cache. A snapshot at
// an older version reads the database. Results therefore do not depend on the contents of the cache. Safe for concurrent
// use.
type Cache struct {
	Now func() time.Time // the clock

	mu       sync.Mutex
	version  int64
	moved    time.Time // when the version was reached
	accounts *simplelru.LRU[chain.Address, *accountName]
	codes    *simplelru.LRU[chain.Hash, []string] // interfaces, nil for a code without
	bytes    int

	hits, misses atomic.Uint64 // addresses
}

// Counts returns the numbers of addresses whose rows of the address book or metadata came from memory and from the database.
func (c *Cache) Counts() (memory, database uint64) {
	return c.hits.Load(), c.misses.Load()
}

// Parts are parts of an address's names, which are read and cached independently.
type Parts uint8

// The parts.
const (
	AddressBook Parts = 1 << iota // the row of the address book
	Contents                      // metadata of its content
	Wallet                        // metadata of a Jetton wallet
)

// accountName is the cache entry of an account.
type accountName struct {
	has      Parts
	entries  chain.AddressBookRow // without interfaces, which belong to its code
	contents []chain.Metadata
	wallet   *chain.Metadata // nil for an account that is not a Jetton wallet
	jetton   chain.Address   // of wallet
	bytes    int             // of contents
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	c := &Cache{Now: time.Now}
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
func (c *Cache) lookup(addresses []chain.Address, want Parts) (cached set, missing []chain.Address) {
	if want&AddressBook != 0 {
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
func (c *Cache) copyTo(cached *set, place int, a *accountName, want Parts) bool {
	if a.has&want != want {
		return false
	}
	var jetton *accountName
	if want&Wallet != 0 && a.wallet != nil {
		var ok bool
		if jetton, ok = c.accounts.Get(a.jetton); !ok || jetton.has&Contents == 0 {
			return false
		}
	}
	if want&AddressBook != 0 {
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
	if want&Contents != 0 {
		cached.tokens = append(cached.tokens, a.contents...)
	}
	if jetton != nil {
		cached.tokens = append(append(cached.tokens, *a.wallet), jetton.contents...)
	}
	return true
}

// addInterfaces adds cached interfaces to address book rows that were read at a version. It returns the codes that are not
// cached, each once.
func (c *Cache) addInterfaces(version int64, entries []chain.AddressBookRow) (missing []chain.Hash) {
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

// advance moves the cache from one version to a newer one and removes what has changed, unless another snapshot has done so
// already.
func (c *Cache) advance(from, to int64, with *changes) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version >= to || c.version < from {
		return
	}
	c.version, c.moved = to, c.Now()
	if with.all || with.versions != to-from {
		c.accounts.Purge()
		c.codes.Purge()
		return
	}
	for _, a := range with.accounts {
		c.accounts.Remove(a)
	}
	for _, h := range with.codes {
		c.codes.Remove(h)
	}
}

// goneBack is the age after which an older version can only belong to another database, such as a restored one: no snapshot
// lasts that long, and no useful replica lags that far behind.
const goneBack = time.Minute

// Check compares the cache with the version that a snapshot has read, and empties it when the database went back.
func (c *Cache) Check(version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version >= 0 && version < c.version && c.Now().Sub(c.moved) > goneBack {
		c.version, c.moved = version, c.Now()
		c.accounts.Purge()
		c.codes.Purge()
	}
}

// add caches parts of addresses that were read at a version. Addresses without a row have no names. It does nothing when the
// cache is at another version.
func (c *Cache) add(addresses []chain.Address, want Parts, read *set) {
	c.misses.Add(uint64(len(addresses)))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != read.version {
		return
	}
	if want&AddressBook != 0 {
		for _, address := range addresses {
			a := c.account(address)
			a.has |= AddressBook
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
	if want&(Contents|Wallet) != 0 {
		c.addTokens(addresses, read.tokens)
	}
	for c.bytes > maxNameBytes {
		c.accounts.RemoveOldest()
	}
}

func (c *Cache) addTokens(addresses []chain.Address, tokens []chain.Metadata) {
	fresh := func(address chain.Address) *accountName {
		a := c.account(address)
		a.has |= Contents
		c.bytes -= a.bytes
		a.contents, a.bytes = nil, 0
		return a
	}
	for _, address := range addresses {
		a := fresh(address)
		a.has |= Wallet
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
func (c *Cache) account(address chain.Address) *accountName {
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
