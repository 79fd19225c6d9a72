package embeddedpg

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lock claims the data folder for this process. The kernel gives it back when the
// process ends, however it ends, and children do not inherit it: whoever holds it
// knows that no other tonql minds the server.
func lock(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock of data folder: %w", err)
	}
	if err := claim(file); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(file, 32))
		_ = file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock of data folder %s: %w", dir, err)
		}
		return nil, &sentence{is: ErrInUse, text: fmt.Sprintf(
			"data folder %s is in use by another tonql (process %s): stop that one or choose another folder with --data",
			dir, strings.TrimSpace(string(holder)))}
	}
	if err := errors.Join(file.Truncate(0), writeAt(file, strconv.Itoa(os.Getpid())+"\n")); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock of data folder %s: %w", dir, err)
	}
	return file, nil
}

// lockPatience outlasts the moment in which a process that was just forked off still shares the locks of its parent.
const lockPatience = 500 * time.Millisecond

// claim takes the kernel's lock, trying again for a moment.
func claim(file *os.File) error {
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Since(begun) > lockPatience {
			return err
		}
	}
}

func writeAt(file *os.File, text string) error {
	_, err := file.WriteAt([]byte(text), 0)
	return err
}
