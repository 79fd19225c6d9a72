package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrNoBlob is the error of [Archive.Blob] when the file does not exist.
var ErrNoBlob = errors.New("archive: no such file")

// PutBlob stores a small named file atomically.
func (a *Archive) PutBlob(name string, data []byte) error {
	if a.dir == "" {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.blobs[name] = slices.Clone(data)
		return nil
	}
	sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(data, castagnoli))
	path := filepath.Join(a.dir, name)
	f, err := os.CreateTemp(a.dir, name+".tmp*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = f.Write(append(sum, data...))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", name, err), os.Remove(f.Name()))
	}
	return nil
}

// Blob reads a named file. It treats a damaged file as missing.
func (a *Archive) Blob(name string) ([]byte, error) {
	if a.dir == "" {
		a.mu.RLock()
		defer a.mu.RUnlock()
		if data, ok := a.blobs[name]; ok {
			return data, nil
		}
		return nil, ErrNoBlob
	}
	raw, err := os.ReadFile(filepath.Join(a.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoBlob
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(raw) < 4 || binary.LittleEndian.Uint32(raw) != crc32.Checksum(raw[4:], castagnoli) {
		return nil, fmt.Errorf("%s is damaged: %w", name, ErrNoBlob)
	}
	return raw[4:], nil
}

const snapshotPrefix = "states-"

// PutSnapshot stores the states after a round and flushes the log before it, so
// that no snapshot is newer than the blocks.
func (a *Archive) PutSnapshot(seqno uint32, data []byte) error {
	if err := a.Sync(); err != nil {
		return err
	}
	return a.PutBlob(snapshotPrefix+strconv.FormatUint(uint64(seqno), 10), data)
}

// Snapshot reads the states after a round.
func (a *Archive) Snapshot(seqno uint32) ([]byte, error) {
	return a.Blob(snapshotPrefix + strconv.FormatUint(uint64(seqno), 10))
}

// Snapshots lists the rounds with a snapshot, ascending.
func (a *Archive) Snapshots() ([]uint32, error) {
	var names []string
	if a.dir == "" {
		a.mu.RLock()
		for name := range a.blobs {
			names = append(names, name)
		}
		a.mu.RUnlock()
	} else {
		files, err := os.ReadDir(a.dir)
		if err != nil {
			return nil, fmt.Errorf("snapshots: %w", err)
		}
		for _, f := range files {
			names = append(names, f.Name())
		}
	}
	var out []uint32
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, snapshotPrefix)
		if !ok {
			continue
		}
		// Other names are the remains of an interrupted write.
		if n, err := strconv.ParseUint(digits, 10, 32); err == nil {
			out = append(out, uint32(n))
		}
	}
	slices.Sort(out)
	return out, nil
}
