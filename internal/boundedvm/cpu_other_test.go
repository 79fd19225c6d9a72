//go:build !linux

package boundedvm_test

import "time"

var began = time.Now()

// cpuTime returns the elapsed time where the CPU time is not available.
func cpuTime() time.Duration { return time.Since(began) }
