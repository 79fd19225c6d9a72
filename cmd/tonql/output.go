package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// brokenPipe is the exit status after the reader of the output has closed it: 128 plus the number of SIGPIPE, as in shells.
const brokenPipe = 128 + int(syscall.SIGPIPE)

// errorOutput is where logs go.
var errorOutput io.Writer = os.Stderr

// output stops the program in an orderly way when the reader of standard output or standard error closes it
// (`tonql up | head`). By default SIGPIPE would kill the process and leave the socket folder of the database behind.
type output struct {
	stop    func()
	signals chan os.Signal
	broken  atomic.Bool
}

// watchOutput makes writes to a broken pipe fail instead of killing the process. The first such write calls stop.
func watchOutput(stop func()) *output {
	o := &output{stop: stop, signals: make(chan os.Signal, 1)}
	// Notify rather than Ignore: child processes would inherit an ignored signal. Nothing reads the channel, because the
	// signal does not name the file; broken connections raise it as well.
	signal.Notify(o.signals, syscall.SIGPIPE)
	return o
}

func (o *output) ignore() { signal.Stop(o.signals) }

// closed reports whether a reader has closed its end.
func (o *output) closed() bool { return o.broken.Load() }

func (o *output) writer(file *os.File) io.Writer { return outputWriter{o, file} }

type outputWriter struct {
	*output

	file *os.File
}

// Write writes to the file, and stops the program when its reader is gone.
func (w outputWriter) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if errors.Is(err, syscall.EPIPE) && !w.broken.Swap(true) {
		w.stop()
	}
	return n, err
}
