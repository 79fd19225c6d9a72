package embeddedpg

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tonql/internal/filelock"
)

const (
	// ownerFile is locked by the tonql that uses a socket folder. The lock shows that the owner runs: the kernel
	// releases it with the process. A process id would not, because ids are reused.
	ownerFile = "owner"
	// youngest is how old a socket folder without an owner file must be to count as left behind: one that is being made has
	// none for a moment. Earlier versions made no owner file.
	youngest = time.Hour
	// maxSwept limits the folders that one start examines.
	maxSwept = 1000
)

// lockSocketDir marks a new socket folder as used by this process. The file appears under its name when it is locked.
func lockSocketDir(socket string) (*os.File, error) {
	draft := filepath.Join(socket, ownerFile+".new")
	lock, err := filelock.Lock(draft)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(draft, filepath.Join(socket, ownerFile)); err != nil {
		_ = lock.Close()
		_ = os.Remove(draft)
		return nil, err
	}
	return lock, nil
}

// sweepSocketDirs removes the socket folders that a killed tonql left behind, whatever its data folder was. Only folders
// of this account are touched, and in them only the files that a server and its owner make.
func sweepSocketDirs(a account, log *slog.Logger) {
	bases := socketBases(a)
	for i, base := range bases {
		if slices.Contains(bases[:i], base) {
			continue
		}
		root, err := os.OpenRoot(base)
		if err != nil {
			continue // not every system has every one
		}
		sweepBase(root, a, log)
		_ = root.Close() // it was only looked through
	}
}

func sweepBase(base *os.Root, a account, log *slog.Logger) {
	folder, err := base.Open(".")
	if err != nil {
		return
	}
	names, _ := folder.Readdirnames(-1) // what could be read of a folder that changes meanwhile
	_ = folder.Close()
	slices.Sort(names)
	seen := 0
	for _, name := range names {
		if !strings.HasPrefix(name, socketPrefix) {
			continue
		}
		if seen++; seen > maxSwept {
			return
		}
		if sweepSocketDir(base, name, a) {
			log.Info("removed the socket folder of a killed process", "folder", filepath.Join(base.Name(), name))
		}
	}
}

// sweepSocketDir removes one socket folder that is not in use. Everything is done below the opened folder, so that a name
// that becomes a symbolic link meanwhile leads nowhere else.
func sweepSocketDir(base *os.Root, name string, a account) bool {
	info, err := base.Lstat(name)
	if err != nil || !info.IsDir() || !a.owns(info) {
		return false
	}
	folder, err := base.OpenRoot(name)
	if err != nil {
		return false
	}
	defer folder.Close() //nolint:errcheck // it was only looked through
	if inside, err := folder.Stat("."); err != nil || !os.SameFile(info, inside) {
		return false // exchanged meanwhile
	}
	if inUse(folder, filepath.Join(base.Name(), name), info) {
		return false
	}
	for _, file := range []string{socketFile(), socketFile() + ".lock", ownerFile, ownerFile + ".new"} {
		_ = folder.Remove(file) // most are not there
	}
	return base.Remove(name) == nil // a folder with anything else in it stays
}

// inUse reports whether a socket folder has an owner, or may have one.
func inUse(folder *os.Root, path string, info fs.FileInfo) bool {
	owner, err := folder.OpenFile(ownerFile, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe of that name would block
	if err == nil {
		defer owner.Close() // releases the probe's lock
		return filelock.HeldFile(owner)
	}
	if !errors.Is(err, fs.ErrNotExist) || time.Since(info.ModTime()) < youngest {
		return true
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(context.Background(), "unix", filepath.Join(path, socketFile()))
	if err == nil {
		_ = conn.Close() // a server listens
	}
	return err == nil
}
