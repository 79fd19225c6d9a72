package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

const (
	logName  = "rounds.log"
	lockName = "lock"
)

// Archive is an open archive. Reading is safe for concurrent use; one goroutine
// at a time may write.
type Archive struct {
	dir  string // empty in memory
	lock *os.File

	mu    sync.RWMutex // guards log growth in memory and end
	file  *os.File
	mem   [][]byte // one block each; an entry's offset is its position here
	end   int64
	blobs map[string][]byte // named files when in memory
}

// Memory returns an archive in memory.
func Memory() *Archive { return &Archive{blobs: map[string][]byte{}} }

// Open opens or creates an archive in a folder and calls each for every complete round,
// oldest first. It cuts off an incomplete tail. It locks the folder, so that a second
// process fails.
func Open(dir string, each func(Round) error) (*Archive, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("archive folder: %w", err)
	}
	a := &Archive{dir: dir}
	if err := a.acquire(); err != nil {
		return nil, err
	}
	var err error
	a.file, err = os.OpenFile(filepath.Join(dir, logName), os.O_RDWR|os.O_CREATE, 0o644)
	if err == nil {
		err = a.restore(each)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("archive %s: %w", dir, err), a.Close())
	}
	return a, nil
}

func (a *Archive) acquire() error {
	f, err := os.OpenFile(filepath.Join(a.dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("archive lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(fmt.Errorf("archive %s is in use by another process: %w", a.dir, err), f.Close())
	}
	a.lock = f
	return nil
}

// restore finds the complete rounds of the log and cuts off the rest.
func (a *Archive) restore(each func(Round) error) error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	if a.end, err = scan(a.file, info.Size(), each); err != nil {
		return err
	}
	if a.end < info.Size() {
		if err := a.file.Truncate(a.end); err != nil {
			return fmt.Errorf("torn tail: %w", err)
		}
	}
	return nil
}

// Append writes a round completely; after an error the archive does not contain it.
func (a *Archive) Append(seqno uint32, entries []Entry, blocks [][]byte) (Round, error) {
	record, err := encode(seqno, entries, blocks)
	if err != nil {
		return Round{}, err
	}
	h, _ := decodeHeader(record)
	round, ok := decodeRound(h, record[headerLen:], a.end)
	if !ok {
		return Round{}, fmt.Errorf("round %d: record is inconsistent", seqno)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dir == "" {
		for i, b := range blocks {
			round.Entries[i].offset = int64(len(a.mem))
			a.mem = append(a.mem, slices.Clone(b))
		}
	} else if _, err := a.file.WriteAt(record, a.end); err != nil {
		return Round{}, errors.Join(fmt.Errorf("round %d: %w", seqno, err), a.file.Truncate(a.end))
	}
	a.end += int64(len(record))
	return round, nil
}

// Read returns the bytes of a block; the caller owns them.
func (a *Archive) Read(e Entry) ([]byte, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.dir == "" {
		if e.offset >= int64(len(a.mem)) {
			return nil, fmt.Errorf("block %d of %016x is outside the archive", e.Seqno, e.Shard)
		}
		return slices.Clone(a.mem[e.offset]), nil
	}
	out := make([]byte, e.length)
	if a.file == nil {
		return nil, fmt.Errorf("block %d of %016x: %w", e.Seqno, e.Shard, os.ErrClosed)
	}
	if _, err := a.file.ReadAt(out, e.offset); err != nil {
		return nil, fmt.Errorf("block %d of %016x: %w", e.Seqno, e.Shard, err)
	}
	return out, nil
}

// Sync flushes the log to disk.
func (a *Archive) Sync() error {
	if a.dir == "" {
		return nil
	}
	return a.file.Sync()
}

// Close flushes and closes the archive and releases the lock. Later reads fail.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	if a.file != nil {
		errs = append(errs, a.file.Sync(), a.file.Close())
		a.file = nil
	}
	if a.lock != nil {
		errs = append(errs, a.lock.Close())
		a.lock = nil
	}
	return errors.Join(errs...)
}
