package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

// Override is the metadata of a token that the operator sets. Absent fields change nothing; the members of Extra
// replace those of the metadata one by one, null removes a member.
type Override struct {
	Name        *string        `json:"name"`
	Symbol      *string        `json:"symbol"`
	Description *string        `json:"description"`
	Image       *string        `json:"image"`
	NSFW        *bool          `json:"is_nsfw"`
	Scam        *bool          `json:"is_scam"`
	Extra       map[string]any `json:"extra"`
}

// maxOverrides bounds the file, in bytes.
const maxOverrides = 64 << 20

// Overrides are the overrides of a file: a JSON object of addresses in any form. It is safe for concurrent use. The
// file is checked at intervals, on use, and read when its time or size changed; a file that cannot be read changes
// nothing.
type Overrides struct {
	path     string
	interval time.Duration
	logger   *slog.Logger
	now      func() time.Time

	current atomic.Pointer[map[chain.Address]Override]
	opened  time.Time
	due     atomic.Int64 // nanoseconds from opened to the next check of the file
	reading sync.Mutex   // guards the rest
	modTime time.Time
	size    int64
	err     error
}

// OpenOverrides reads a file of overrides, which must be valid. The file is checked at the interval; 0 means 30 seconds.
func OpenOverrides(path string, interval time.Duration, logger *slog.Logger) (*Overrides, error) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	o := &Overrides{path: path, interval: positive(interval, 30*time.Second), logger: logger, now: time.Now}
	o.current.Store(&map[chain.Address]Override{})
	o.reading.Lock()
	defer o.reading.Unlock()
	o.opened = o.now()
	o.due.Store(int64(o.interval))
	return o, o.reload()
}

// Apply returns m with the overrides of its address; m itself is not changed.
func (o *Overrides) Apply(m chain.Metadata) chain.Metadata {
	if o == nil {
		return m
	}
	o.reloadIfDue()
	v, ok := (*o.current.Load())[m.Address]
	if !ok {
		return m
	}
	set(&m.Name, v.Name)
	set(&m.Symbol, v.Symbol)
	set(&m.Description, v.Description)
	set(&m.Image, v.Image)
	if v.NSFW != nil {
		m.NSFW = v.NSFW
	}
	if v.Scam != nil {
		m.Scam = v.Scam
	}
	if len(v.Extra) > 0 {
		extra := maps.Clone(m.Extra)
		if extra == nil {
			extra = map[string]any{}
		}
		maps.Copy(extra, v.Extra)
		maps.DeleteFunc(extra, func(_ string, value any) bool { return value == nil })
		m.Extra = extra
	}
	// An override replaces a document that could not be read, unless it has only the flags NSFW and Scam.
	if v.Name != nil || v.Symbol != nil || v.Description != nil || v.Image != nil || len(v.Extra) > 0 {
		m.Indexed, m.Valid = true, true
	}
	return m
}

func set(field, value *string) {
	if value != nil {
		*field = *value
	}
}

// Err returns the error of the file since its last change; nil when its overrides are in use.
func (o *Overrides) Err() error {
	o.reading.Lock()
	defer o.reading.Unlock()
	return o.err
}

// reloadIfDue checks the file when the interval has passed. One caller checks it; the others use the current overrides.
func (o *Overrides) reloadIfDue() {
	// A monotonic time: a clock that is set back must not delay the next check.
	now := o.now().Sub(o.opened)
	if now < time.Duration(o.due.Load()) || !o.reading.TryLock() {
		return
	}
	defer o.reading.Unlock()
	o.due.Store(int64(now + o.interval))
	if err := o.reload(); err != nil {
		o.logger.Warn("overrides of metadata unchanged", "err", err)
	}
}

// reload reads the file if it has changed. The caller holds the lock.
func (o *Overrides) reload() error {
	info, err := os.Stat(o.path)
	if err != nil {
		o.err = fmt.Errorf("overrides: %w", err)
		return o.err
	}
	if info.ModTime().Equal(o.modTime) && info.Size() == o.size {
		return nil
	}
	o.modTime, o.size = info.ModTime(), info.Size()
	read, err := readOverrides(o.path)
	if o.err = err; err != nil {
		return err
	}
	o.current.Store(&read)
	o.logger.Info("overrides of metadata read", "addresses", len(read))
	return nil
}

// CheckOverrides reads a file of overrides and returns what is wrong with it.
func CheckOverrides(path string) error {
	_, err := readOverrides(path)
	return err
}

func readOverrides(path string) (map[chain.Address]Override, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("overrides: %w", err)
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, maxOverrides+1))
	if err != nil {
		return nil, fmt.Errorf("overrides: %w", err)
	}
	if len(body) > maxOverrides {
		return nil, chain.Invalidf("%s: a file of overrides has at most %d bytes", path, maxOverrides)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	decoder.DisallowUnknownFields() // a word that is spelt wrong would be without effect, silently
	var named map[string]Override
	if err := decoder.Decode(&named); err != nil {
		return nil, chain.Invalidf("%s: %s", path, jsontext.Reason(err, &named))
	}
	byAddress := make(map[chain.Address]Override, len(named))
	for text, v := range named {
		a, err := chain.ParseAddress(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if _, twice := byAddress[a]; twice {
			return nil, chain.Invalidf("%s: address %s twice", path, chain.Quote(text))
		}
		byAddress[a] = v
	}
	return byAddress, nil
}
