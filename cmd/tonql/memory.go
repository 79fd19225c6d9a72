package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// garbageAllowance is how much garbage the heap may collect before it is cleaned, in bytes: what a request leaves behind
	// is small beside the memory of a server, and cleaning after every few of them took a fifth of their CPU. It is an
	// amount and not a share of the live heap, so that the process does not grow by several times what its caches grow.
	garbageAllowance = 112 << 20
	// minGarbagePercent and maxGarbagePercent bound that amount as a share of the live heap: the lower bound, which is Go's
	// default, keeps a large heap from being cleaned all the time.
	minGarbagePercent = 100
	maxGarbagePercent = 400
	// softMemory is where cleaning becomes eager again, so that the process stays under a gigabyte, in bytes.
	softMemory = 768 << 20
	// memoryInterval is how often the share is fitted to the live heap.
	memoryInterval = 2 * time.Second
)

// spendMemory trades memory for CPU until ctx ends, unless the environment says how (GOGC, GOMEMLIMIT).
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

// garbagePercent is the share that the heap may grow by over the live bytes, in steps of ten percent.
func garbagePercent(live uint64) int {
	const step = 10
	percent := garbageAllowance * 100 / max(live, 1)
	return int(min(max(percent/step*step, minGarbagePercent), maxGarbagePercent))
}
