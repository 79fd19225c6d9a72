package logs

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tonql/internal/loglimit"
)

// Bounds of the lines.
const (
	// LinesPerMinute bounds the lines above debug level with one message and component.
	LinesPerMinute = 60
	// RequestsPerMinute bounds those with the message Request, which have the cause of each failed request.
	RequestsPerMinute = 600
	// maxMessages bounds the messages that are counted separately. Messages are constants, except those of libraries.
	maxMessages = 1000
	// maxText is the length of a text in bytes from which it is shortened.
	maxText = 8 << 10
)

// Request is the message of the line about an HTTP request.
const Request = "request"

// Options configure [New].
type Options struct {
	Level slog.Level
	JSON  bool
}

// New returns a logger of lines on out.
func New(out io.Writer, opts Options) *slog.Logger {
	options := &slog.HandlerOptions{Level: opts.Level, ReplaceAttr: replaceText}
	var inner slog.Handler
	if opts.JSON {
		options.ReplaceAttr = replaceJSON
		inner = slog.NewJSONHandler(out, options)
	} else {
		inner = slog.NewTextHandler(out, options)
	}
	return slog.New(&Handler{inner: inner, shared: &shared{limiters: map[string]*loglimit.Limiter{}}})
}

// Handler adds the id of the request to each line and bounds the number of lines.
type Handler struct {
	inner     slog.Handler
	component string
	shared    *shared
}

type shared struct {
	mu       sync.Mutex
	limiters map[string]*loglimit.Limiter // by message and component

	skipped atomic.Uint64
	written [4]atomic.Uint64 // by level
}

// Levels are those of [Handler.Written].
var Levels = [...]slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}

// Written returns the number of lines of a level that were written, and Skipped the number of those that a bound prevented.
func (h *Handler) Written(level slog.Level) uint64 { return h.shared.written[levelIndex(level)].Load() }

// Skipped returns the number of lines that a bound prevented.
func (h *Handler) Skipped() uint64 { return h.shared.skipped.Load() }

func levelIndex(level slog.Level) int {
	return min(max(int(level-slog.LevelDebug)/4, 0), len(Levels)-1)
}

// Enabled implements [slog.Handler].
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.inner.Enabled(ctx, level)
}

// WithAttrs implements [slog.Handler].
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	component := h.component
	for _, a := range attrs {
		if a.Key == "component" {
			component = a.Value.String()
		}
	}
	return &Handler{h.inner.WithAttrs(attrs), component, h.shared}
}

// WithGroup implements [slog.Handler].
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{h.inner.WithGroup(name), h.component, h.shared}
}

// Handle implements [slog.Handler].
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level > slog.LevelDebug {
		skipped, ok := h.shared.limiter(r.Message, h.component).Take()
		if !ok {
			h.shared.skipped.Add(1)
			return nil
		}
		if skipped > 0 {
			r = r.Clone()
			r.AddAttrs(slog.Int("lines_skipped", skipped))
		}
	}
	if request := RequestOf(ctx); request != nil && !has(r, "request_id") {
		r = r.Clone()
		r.AddAttrs(slog.String("request_id", request.RequestID()))
	}
	h.shared.written[levelIndex(r.Level)].Add(1)
	return h.inner.Handle(ctx, r) //nolint:wrapcheck // a handler between two of slog
}

func has(r slog.Record, key string) bool {
	found := false
	r.Attrs(func(a slog.Attr) bool {
		found = a.Key == key
		return !found
	})
	return found
}

func (s *shared) limiter(message, component string) *loglimit.Limiter {
	key := component + "\x00" + message
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.limiters[key]
	if l == nil && len(s.limiters) >= maxMessages {
		key = ""
		l = s.limiters[key]
	}
	if l == nil {
		lines := LinesPerMinute
		if message == Request {
			lines = RequestsPerMinute
		}
		l = loglimit.New(lines, time.Minute)
		s.limiters[strings.Clone(key)] = l
	}
	return l
}

// replaceText shortens long texts.
func replaceText(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value; v.Kind() {
	case slog.KindString:
		if len(v.String()) > maxText {
			a.Value = slog.StringValue(Shorten(v.String(), maxText))
		}
	case slog.KindAny:
		switch value := v.Any().(type) {
		case *slog.Source:
		case error:
			a.Value = slog.StringValue(Shorten(value.Error(), maxText))
		case fmt.Stringer:
			a.Value = slog.StringValue(Shorten(value.String(), maxText))
		}
	default: // short
	}
	return a
}

// replaceJSON is replaceText, with durations in seconds.
func replaceJSON(groups []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.Float64Value(a.Value.Duration().Seconds())
		return a
	}
	return replaceText(groups, a)
}

// Shorten returns at most limit bytes of a text, and how long it was.
func Shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf("… (%d bytes)", len(s))
}
