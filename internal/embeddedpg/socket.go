package embeddedpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	socketPrefix = "tonql-pg-"
	// maxSocketPath is the shortest limit among the systems: macOS allows 103 bytes,
	// Linux 107.
	maxSocketPath = 103
)

// makeSocketDir makes a private folder for the socket, short enough for the
// kernel and reachable for the account, and notes it in the data folder. The returned
// lock is held as long as this process uses the folder.
func makeSocketDir(dir string, a account) (string, *os.File, error) {
	removeSocketDir(dir)
	var errs []error
	for _, base := range socketBases(a) {
		socket, err := makeSocketDirIn(base, a)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lock, err := lockSocketDir(socket)
		if err == nil {
			err = os.WriteFile(socketNote(dir), []byte(socket+"\n"), 0o600)
		}
		if err == nil {
			return socket, lock, nil
		}
		errs = append(errs, err)
		if lock != nil {
			_ = os.Remove(filepath.Join(socket, ownerFile))
			_ = lock.Close()
		}
		_ = os.Remove(socket)
	}
	return "", nil, fmt.Errorf("folder for the database socket: %w", errors.Join(errs...))
}

// socketBases are the folders in which socket folders are made, the first that will do.
func socketBases(a account) []string {
	var bases []string
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); runtime != "" && !a.drop {
		bases = append(bases, runtime)
	}
	return append(bases, os.TempDir(), "/tmp", "/var/tmp")
}

func makeSocketDirIn(base string, a account) (string, error) {
	// The random part of the name has at most ten digits. The server splits its
	// list of socket folders at commas and unquotes it.
	longest := filepath.Join(base, socketPrefix+"0123456789", socketFile())
	if len(longest) > maxSocketPath || strings.ContainsAny(base, ",\"' \t\n") || !filepath.IsAbs(base) {
		return "", fmt.Errorf("%s: too long a path or unusable characters", base)
	}
	if !a.mayPass(longest[:len(longest)-len(socketFile())-1]) {
		return "", fmt.Errorf("%s: user %d may not pass", base, a.uid)
	}
	socket, err := os.MkdirTemp(base, socketPrefix)
	if err != nil {
		return "", err
	}
	if err := a.take(socket); err != nil {
		_ = os.Remove(socket)
		return "", err
	}
	return socket, nil
}

// removeSocketDir removes the socket folder that the data folder notes, if any. It
// touches nothing but the server's two files and the lock, should the note be wrong.
func removeSocketDir(dir string) {
	note, err := os.ReadFile(socketNote(dir))
	if err != nil {
		return
	}
	socket := strings.TrimSpace(string(note))
	info, err := os.Lstat(socket)
	if err == nil && info.IsDir() && strings.HasPrefix(filepath.Base(socket), socketPrefix) {
		_ = os.Remove(filepath.Join(socket, socketFile()))
		_ = os.Remove(filepath.Join(socket, socketFile()+".lock"))
		_ = os.Remove(filepath.Join(socket, ownerFile))
		if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return // someone put a file there; keep the note
		}
	}
	_ = os.Remove(socketNote(dir))
}

func socketNote(dir string) string { return filepath.Join(dir, "socket") }

func socketFile() string { return ".s.PGSQL." + strconv.Itoa(port) }
