//go:build !linux

package boundedvm_test

import "time"

var began = time.Now()

// cpuTime is the clock where the time of the process is not known.
func cpuTime() time.Duration { return time.Since(began) }
