package logs

import (
	"bytes"
	"context"
	"log" //nolint:depguard // libraries write to it; see below
	"log/slog"
)

// Library returns a logger for a library that uses log/slog. Its lines have the component, and its attributes in the group
// "library". Lines above most are written with that level; those below least are not written.
func Library(to *slog.Logger, component string, least, most slog.Level) *slog.Logger {
	return slog.New(leveled{to.With("component", component).WithGroup("library").Handler(), least, most})
}

// leveled restricts the levels of a library.
type leveled struct {
	slog.Handler

	least, most slog.Level
}

// Enabled implements [slog.Handler].
func (l leveled) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= l.least && l.Handler.Enabled(ctx, min(level, l.most))
}

// Handle implements [slog.Handler].
func (l leveled) Handle(ctx context.Context, r slog.Record) error {
	r.Level = min(r.Level, l.most)
	return l.Handler.Handle(ctx, r) //nolint:wrapcheck // a handler between two of slog
}

// WithAttrs implements [slog.Handler].
func (l leveled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveled{l.Handler.WithAttrs(attrs), l.least, l.most}
}

// WithGroup implements [slog.Handler].
func (l leveled) WithGroup(name string) slog.Handler {
	return leveled{l.Handler.WithGroup(name), l.least, l.most}
}

// Standard returns a logger for a library that uses package log, such as net/http.
func Standard(to *slog.Logger, component string) *log.Logger {
	return log.New(lineWriter{to.With("component", component)}, "", 0)
}

// SetDefault makes to the logger of slog's and log's functions.
func SetDefault(to *slog.Logger) {
	slog.SetDefault(to)
	log.SetFlags(0)
	log.SetOutput(lineWriter{to.With("component", "library")}) // slog.SetDefault would make each text a message
}

// lineWriter writes lines of package log. Each call of Write is one line.
type lineWriter struct{ log *slog.Logger }

// Write implements [io.Writer].
func (w lineWriter) Write(p []byte) (int, error) {
	w.log.Warn("library log", "line", string(bytes.TrimRight(p[:min(len(p), maxText)], "\n")))
	return len(p), nil
}
