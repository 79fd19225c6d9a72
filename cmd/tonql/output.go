package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// brokenPipe is the exit status of a program whose reader has gone, as shells report it: 128 and the number of SIGPIPE.
const brokenPipe = 128 + int(syscall.SIGPIPE)

// errorOutput is where logs go.
var errorOutput io.Writer = os.Stderr

// output turns the loss of the reader of standard output or standard error (`tonql up | head`) into an orderly stop. The
// default, to die of SIGPIPE, would leave the database to the kernel and its socket folder behind.
type output struct {
	stop    func()
	signals chan os.Signal
	broken  atomic.Bool
}

// watchOutput lets writes to a broken pipe fail instead of killing the process; stop is called at the first of them.
func watchOutput(stop func()) *output {
	o := &output{stop: stop, signals: make(chan os.Signal, 1)}
	// Notify and not Ignore: children would inherit that a signal is ignored. Nobody reads the channel, since the signal does
	// not say which file was written to; connections break, too.
	signal.Notify(o.signals, syscall.SIGPIPE)
	return o
}

func (o *output) ignore() { signal.Stop(o.signals) }

// met reports whether a reader has gone.
func (o *output) met() bool { return o.broken.Load() }

func (o *output) writer(file *os.File) io.Writer { return outputWriter{o, file} }

type outputWriter struct {
	*output

	file *os.File
}

// Write writes to the file and stops the program when nobody reads it any more.
func (w outputWriter) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if errors.Is(err, syscall.EPIPE) && !w.broken.Swap(true) {
		w.stop()
	}
	return n, err
}
