// Package filelock locks files between processes (flock). The kernel releases a lock when its process ends, however it
// ends, so a lock shows whether its owner is running, independently of process ids, which are reused.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrHeld means that another process, or another open file of this one, holds the lock.
var ErrHeld = errors.New("file is locked")

// HeldError is ErrHeld with the text that the holder wrote into the file.
type HeldError struct {
	Path string
	Note string
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is locked by process %s", e.Path, e.Owner())
}

// Is makes errors.Is(err, ErrHeld) hold.
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// Owner is the first line of the note: the process id of the holder.
func (e *HeldError) Owner() string {
	owner, _, _ := strings.Cut(e.Note, "\n")
	return strings.TrimSpace(owner)
}

const (
	// retryFor outlasts the moment in which a process that was just forked off still shares the locks of its parent, and
	// that in which another process probes with [Held].
	retryFor = 500 * time.Millisecond
	maxNote  = 256 // bytes
)

// Lock creates path if needed, locks it and writes this process's id into it. Closing the file releases the lock. The
// error is a [HeldError] when another process holds the lock.
func Lock(path string) (*os.File, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		err = try(file)
		if !errors.Is(err, ErrHeld) || time.Since(begun) > retryFor {
			break
		}
	}
	if err == nil {
		err = Note(file, "")
	}
	if err != nil {
		err = describe(file, path, err)
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Share creates path if needed and locks it together with other processes that share it. Closing the file releases the lock. The error
// is ErrHeld while a process has it alone.
func Share(path string) (*os.File, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := flock(file, syscall.LOCK_SH); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Alone creates path if needed and locks it as soon as no process shares it. Closing the file releases the lock. The error is that of
// ctx when it ends first.
func Alone(ctx context.Context, path string) (*os.File, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	for {
		if err = try(file); !errors.Is(err, ErrHeld) {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(10 * time.Millisecond):
			continue
		}
		break
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
}

// Note replaces the text in a locked file: this process's id and a further line.
func Note(file *os.File, line string) error {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if line != "" {
		text += line + "\n"
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

// Held reports whether a process holds the lock of an existing file, and what it noted there. It does not wait.
func Held(path string) (note string, held bool, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return "", false, err
	}
	defer file.Close() // releases the probe's lock
	var other *HeldError
	err = describe(file, path, try(file))
	if errors.As(err, &other) {
		return other.Note, true, nil
	}
	return "", false, err
}

// HeldFile is [Held] for an open file. Unless it is held, this process holds the lock until the file is closed.
func HeldFile(file *os.File) bool { return errors.Is(try(file), ErrHeld) }

func try(file *os.File) error { return flock(file, syscall.LOCK_EX) }

func flock(file *os.File, how int) error {
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}

func describe(file *os.File, path string, err error) error {
	if !errors.Is(err, ErrHeld) {
		return err
	}
	note, _ := io.ReadAll(io.LimitReader(io.NewSectionReader(file, 0, maxNote), maxNote)) // an unreadable note names nobody
	return &HeldError{Path: path, Note: string(note)}
}
