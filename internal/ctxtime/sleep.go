// Package ctxtime has the functions of package time that end with a context, and times that goroutines share.
package ctxtime

import (
	"context"
	"time"
)

// Sleep pauses the goroutine for d. It returns false when ctx ends first, at once when ctx has ended already.
func Sleep(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
