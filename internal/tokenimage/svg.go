package tokenimage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/sync/semaphore"
)

// svgProgram is the program that draws SVG when it is installed: rsvg-convert of librsvg.
const svgProgram = "rsvg-convert"

// Bounds of one drawing. A logo takes some 10 ms and 20 MB; a drawing of two kilobytes can take hours without them.
const (
	maxDrawingBytes  = 1 << 20          // of the SVG
	maxDrawn         = 8 << 20          // bytes of the PNG
	maxDrawingTime   = 10 * time.Second // by the clock; a drawing that takes long ends by its processor time
	maxDrawingCPU    = 1                // seconds
	maxDrawingMemory = 192 << 20        // bytes of address space
	maxDrawings      = 1                // at a time
	// maxDrawingWait is the part of the time of a drawing, 1 of so many, for which one waits for those before it. It has a place among the
	// images that are fetched meanwhile.
	maxDrawingWait = 5
)

// drawer draws SVG in a process of its own for each drawing. The process gets the drawing as its standard input and so has no folder from
// which it would load files, an empty environment, and limits that the kernel enforces. librsvg requests nothing over a network.
type drawer struct {
	program string // path
	timeout time.Duration
	lane    *semaphore.Weighted
}

// newDrawer returns a drawer of a program by name or path, nil when the name is empty.
func newDrawer(program string) (*drawer, error) {
	if program == "" {
		return nil, nil //nolint:nilnil // SVG is optional
	}
	if !limitsProcesses {
		return nil, errors.New("images in SVG: the limits of a process can only be set on Linux")
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("images in SVG: %w", err)
	}
	return &drawer{program: path, timeout: maxDrawingTime, lane: semaphore.NewWeighted(maxDrawings)}, nil
}

// CheckSVGProgram returns an error for a program that cannot draw images in SVG here, by name or path.
func CheckSVGProgram(program string) error {
	_, err := newDrawer(program)
	return err
}

// InstalledSVGProgram returns [svgProgram] where it is installed and can be limited, otherwise nothing.
func InstalledSVGProgram() string {
	if _, err := exec.LookPath(svgProgram); err != nil || !limitsProcesses {
		return ""
	}
	return svgProgram
}

// isSVG reports whether data begins as XML and soon has the element svg.
func isSVG(data []byte) bool {
	const before = 4 << 10 // bytes of declarations and comments
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(data, []byte("<")) && bytes.Contains(data[:min(len(data), before)], []byte("<svg"))
}

// draw returns a drawing as PNG, as large as the largest of [Sizes] permits. The error is an [InvalidError], wraps [ErrBusy], or is
// that of ctx.
func (d *drawer) draw(ctx context.Context, data []byte) ([]byte, error) {
	if len(data) > maxDrawingBytes {
		return nil, invalidf("an SVG of more than %d bytes", maxDrawingBytes)
	}
	waiting, stop := context.WithTimeout(ctx, d.timeout/maxDrawingWait)
	defer stop()
	if d.lane.Acquire(waiting, 1) != nil {
		return nil, ErrBusy
	}
	defer d.lane.Release(1)
	drawing, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	side := strconv.Itoa(Sizes[len(Sizes)-1])
	out := &boundedBuffer{limit: maxDrawn}
	cmd := exec.CommandContext(drawing, d.program, "--format=png", "--keep-aspect-ratio", "--width="+side, "--height="+side)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.WaitDelay = []string{"LC_ALL=C.UTF-8"}, "/", out, time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, &drawError{err}
	}
	// The program waits for the drawing until its limits are set.
	limited := limitProcess(cmd.Process.Pid)
	if limited == nil {
		_, _ = in.Write(data) // a program that ended before has its own error
	} else {
		cancel()
	}
	_ = in.Close() // the same
	err = cmd.Wait()
	switch {
	case limited != nil:
		return nil, &drawError{limited}
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case drawing.Err() != nil:
		return nil, &drawError{drawing.Err()}
	case err != nil:
		return nil, invalidf("the SVG is broken, or drawing it takes too long")
	}
	return out.data, nil
}

// drawError means that this machine could not draw. It is no fault of the image, and not remembered.
type drawError struct{ err error }

// Error says what failed.
func (e *drawError) Error() string { return "drawing SVG: " + e.err.Error() }

// Unwrap makes the error [ErrBusy].
func (e *drawError) Unwrap() error { return ErrBusy }

// boundedBuffer ends a process that writes more than its limit. It has no other method by which bytes could come in.
type boundedBuffer struct {
	data  []byte
	limit int
}

// Write implements io.Writer.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.limit {
		return 0, errors.New("more bytes than the limit")
	}
	b.data = append(b.data, p...)
	return len(p), nil
}
