// Package assetlist reads lists of accounts that the operator vouches for, in the form of the community's lists of assets: a
// JSON array of objects with an address, as jettons.json, collections.json and accounts.json of tonkeeper/ton-assets. Other
// members are ignored, except reputation, which marks an entry as verified (the default) or scam.
package assetlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

const (
	// maxBytes bounds a file.
	maxBytes = 64 << 20
	// maxEntries bounds the entries of a file; an entry takes some 100 bytes of memory.
	maxEntries = 1_000_000
)

// Lists are the entries of several files. They are safe for concurrent use. The files are checked at intervals, on use, and
// read when the time or size of one changed; while a file cannot be read, the entries of the last time stay in use.
type Lists struct {
	paths    []string
	interval time.Duration
	logger   *slog.Logger
	now      func() time.Time

	current atomic.Pointer[map[chain.Address]chain.Reputation]
	opened  time.Time
	due     atomic.Int64 // nanoseconds from opened to the next check
	reading sync.Mutex   // guards the rest
	states  []state
}

// state identifies a version of a file.
type state struct {
	modTime time.Time
	size    int64
}

// Open reads the files, which must be valid. Of several entries of an address in different files the one of the last file
// counts.
func Open(paths []string, interval time.Duration, logger *slog.Logger) (*Lists, error) {
	l := &Lists{paths: paths, interval: interval, logger: logger, now: time.Now}
	l.opened = l.now()
	l.due.Store(int64(interval))
	l.reading.Lock()
	defer l.reading.Unlock()
	return l, l.reload()
}

// Reputation returns the entry of an account; [chain.ReputationUnknown] without one, and when there are no lists.
func (l *Lists) Reputation(a chain.Address) chain.Reputation {
	if l == nil {
		return chain.ReputationUnknown
	}
	l.reloadIfDue()
	return (*l.current.Load())[a]
}

// reloadIfDue checks the files when the interval has passed. One caller checks them; the others use the current entries.
func (l *Lists) reloadIfDue() {
	now := l.now().Sub(l.opened)
	if now < time.Duration(l.due.Load()) || !l.reading.TryLock() {
		return
	}
	defer l.reading.Unlock()
	l.due.Store(int64(now + l.interval))
	if err := l.reload(); err != nil {
		l.logger.Warn("asset lists unchanged", "err", err)
	}
}

// reload reads the files if one has changed. The caller holds the lock.
func (l *Lists) reload() error {
	states := make([]state, len(l.paths))
	changed := l.states == nil
	for i, path := range l.paths {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("asset list: %w", err)
		}
		states[i] = state{info.ModTime(), info.Size()}
		changed = changed || l.states[i].size != states[i].size || !l.states[i].modTime.Equal(states[i].modTime)
	}
	if !changed {
		return nil
	}
	l.states = states // an invalid file is reported once
	entries := map[chain.Address]chain.Reputation{}
	for _, path := range l.paths {
		if err := read(path, entries); err != nil {
			return err
		}
	}
	l.current.Store(&entries)
	l.logger.Info("asset lists read", "accounts", len(entries))
	return nil
}

// Check reads a file and returns what is wrong with it.
func Check(path string) error { return read(path, map[chain.Address]chain.Reputation{}) }

// read adds the entries of a file. Errors name the file and the line.
func read(path string, into map[chain.Address]chain.Reputation) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("asset list: %w", err)
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return fmt.Errorf("asset list: %w", err)
	}
	if len(body) > maxBytes {
		return chain.Invalidf("%s: an asset list has at most %d bytes", path, maxBytes)
	}
	at, err := parse(body, into)
	if err != nil {
		at = min(max(at, 0), int64(len(body)))
		return chain.Invalidf("%s:%d: %s", path, 1+bytes.Count(body[:at], []byte("\n")), err.Error())
	}
	return nil
}

// parse adds the entries of a list. With an error it returns the position.
func parse(body []byte, into map[chain.Address]chain.Reputation) (int64, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return 0, errors.New("an asset list is a JSON array of objects with an address")
	}
	for n := 0; d.More(); n++ {
		if n >= maxEntries {
			return d.InputOffset(), fmt.Errorf("more than %d entries", maxEntries)
		}
		var e struct {
			Address    string `json:"address"`
			Reputation string `json:"reputation"`
		}
		if err := d.Decode(&e); err != nil {
			at := d.InputOffset()
			if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
				at = wrong.Offset
			}
			return at, errors.New(jsontext.Reason(err, &e))
		}
		a, err := chain.ParseAddress(e.Address)
		if err != nil {
			return d.InputOffset(), fmt.Errorf("address %s: not an address", chain.Quote(e.Address))
		}
		switch e.Reputation {
		case "", "verified":
			into[a] = chain.ReputationVerified
		case "scam":
			into[a] = chain.ReputationScam
		default:
			return d.InputOffset(), fmt.Errorf("reputation %s: it is verified or scam", chain.Quote(e.Reputation))
		}
	}
	if _, err := d.Token(); err != nil {
		return int64(len(body)), errors.New("the list does not end")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return d.InputOffset(), errors.New("text behind the list")
	}
	return 0, nil
}
