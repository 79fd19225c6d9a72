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
)

// Override is what the operator says of a token. Absent fields leave what was found; those of Extra are laid over its
// members one by one, null takes a member away.
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

// Overrides are the overrides of a file: a JSON object of addresses in any form. It is safe for concurrent use. The file
// is checked at intervals, on use, and read when its time or size changed; a file that cannot be
// read changes nothing.
type Overrides struct {
	path   string
	every  time.Duration
	logger *slog.Logger
	now    func() time.Time

	current atomic.Pointer[map[chain.Address]Override]
	opened  time.Time
	due     atomic.Int64 // nanoseconds from opened to the next look
	reading sync.Mutex   // guards the rest
	modTime time.Time
	size    int64
	err     error
}

// OpenOverrides reads a file of overrides, which must be valid now. It is looked at every 30 s, or as every says.
func OpenOverrides(path string, every time.Duration, logger *slog.Logger) (*Overrides, error) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	o := &Overrides{path: path, every: positive(every, 30*time.Second), logger: logger, now: time.Now}
	o.current.Store(&map[chain.Address]Override{})
	o.reading.Lock()
	defer o.reading.Unlock()
	o.opened = o.now()
	o.due.Store(int64(o.every))
	return o, o.reload()
}

// Apply lays the operator's words over what was found. The metadata given are not changed.
func (o *Overrides) Apply(m chain.Metadata) chain.Metadata {
	if o == nil {
		return m
	}
	o.look()
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
	// The operator's word makes up for a document that could not be read, unless it only judges the token.
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

// Err is what is wrong with the file since its last change; nil when its overrides are in force.
func (o *Overrides) Err() error {
	o.reading.Lock()
	defer o.reading.Unlock()
	return o.err
}

// look reads the file again when it is time to. One caller does; the others go on with what there is.
func (o *Overrides) look() {
	// Since it was opened, not of the day: a clock that is set back must not put the next look off.
	now := o.now().Sub(o.opened)
	if now < time.Duration(o.due.Load()) || !o.reading.TryLock() {
		return
	}
	defer o.reading.Unlock()
	o.due.Store(int64(now + o.every))
	if err := o.reload(); err != nil {
		o.logger.Warn("overrides of metadata unchanged", "error", err)
	}
}

// reload reads the file when it is another than before. The caller holds the lock.
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
		return nil, chain.Invalidf("overrides: a file of more than %d bytes", maxOverrides)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	decoder.DisallowUnknownFields() // a word that is spelt wrong would be without effect, silently
	var named map[string]Override
	if err := decoder.Decode(&named); err != nil {
		return nil, chain.Invalidf("overrides: %s", err)
	}
	byAddress := make(map[chain.Address]Override, len(named))
	for text, v := range named {
		a, err := chain.ParseAddress(text)
		if err != nil {
			return nil, fmt.Errorf("overrides: %w", err)
		}
		if _, twice := byAddress[a]; twice {
			return nil, chain.Invalidf("overrides: address %s twice", chain.Quote(text))
		}
		byAddress[a] = v
	}
	return byAddress, nil
}
