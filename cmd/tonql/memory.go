package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// garbageAllowance is how many bytes of garbage may gather before a collection. A request leaves little garbage compared
	// with the memory of a server, and collecting after every few requests took a fifth of their CPU. It is an amount and
	// not a share of the live heap, so that the process does not grow by a multiple of what its caches grow.
	garbageAllowance = 112 << 20
	// minGarbagePercent and maxGarbagePercent bound that amount as a share of the live heap. The lower bound is Go's default
	// and prevents constant collection of a large heap.
	minGarbagePercent = 100
	maxGarbagePercent = 400
	// softMemory is the soft memory limit in bytes: above it the runtime collects eagerly, so that the process stays under
	// a gigabyte.
	softMemory = 768 << 20
	// memoryInterval is how often the share is adjusted to the live heap.
	memoryInterval = 2 * time.Second
)

// spendMemory tunes the garbage collector to use memory rather than CPU until ctx ends. GOGC and GOMEMLIMIT override it.
func spendMemory(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	if os.Getenv("GOGC") != "" {
		return
	}
	percent := maxGarbagePercent
	debug.SetGCPercent(percent)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(memoryInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(live)
		if fit := garbagePercent(live[0].Value.Uint64()); fit != percent {
			percent = fit
			debug.SetGCPercent(percent)
		}
	}
}

// garbagePercent returns the GOGC percentage for a number of live bytes, in steps of ten percent.
func garbagePercent(live uint64) int {
	const step = 10
	percent := garbageAllowance * 100 / max(live, 1)
	return int(min(max(percent/step*step, minGarbagePercent), maxGarbagePercent))
}
