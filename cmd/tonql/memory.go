package main

import (
	"context"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
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
	// maxSoftMemory is the largest soft memory limit in bytes: above it the runtime collects eagerly, so that the process
	// stays under a gigabyte. minSoftMemory is the smallest one, with which everything still works.
	maxSoftMemory = 768 << 20
	minSoftMemory = 128 << 20
)

// spendMemory tunes the garbage collector to use memory rather than CPU until ctx ends. GOGC and GOMEMLIMIT override it.
func spendMemory(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory(machineMemory("/")))
	}
	if os.Getenv("GOGC") != "" {
		return
	}
	percent := maxGarbagePercent
	debug.SetGCPercent(percent)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	collected := make(chan struct{}, 1)
	for {
		// The share is adjusted after each collection: with the share of a small heap, one that has grown would gather a
		// multiple of the allowance.
		notifyCollected(collected)
		select {
		case <-ctx.Done():
			return
		case <-collected:
		}
		metrics.Read(live)
		if fit := garbagePercent(live[0].Value.Uint64()); fit != percent {
			percent = fit
			debug.SetGCPercent(percent)
		}
	}
}

// notifyCollected sends to done, which has a buffer, after the next garbage collection.
func notifyCollected(done chan<- struct{}) {
	type marker struct{ _ *byte } // an object with a pointer is not allocated together with others
	runtime.AddCleanup(new(marker), func(done chan<- struct{}) { done <- struct{}{} }, done)
}

// garbagePercent returns the GOGC percentage for a number of live bytes, in steps of ten percent.
func garbagePercent(live uint64) int {
	const step = 10
	percent := garbageAllowance * 100 / max(live, 1)
	return int(min(max(percent/step*step, minGarbagePercent), maxGarbagePercent))
}

// softMemory returns the soft memory limit on a machine with a number of bytes, 0 for an unknown one: half of it, because
// PostgreSQL and the file cache are usually on the same machine.
func softMemory(machine uint64) int64 {
	if machine == 0 {
		return maxSoftMemory
	}
	return int64(min(max(machine/2, minSoftMemory), maxSoftMemory))
}

// machineMemory returns how many bytes this process and its neighbours may use: the memory of the machine, or less if a
// control group (version 2 or 1) limits it. It returns 0 where the kernel does not say. root is the folder of the file
// system, "/" except in tests.
func machineMemory(root string) uint64 {
	memory := uint64(math.MaxUint64)
	limit := func(file string) {
		if n, err := strconv.ParseUint(strings.TrimSpace(readText(filepath.Join(root, file))), 10, 64); err == nil && n > 0 {
			memory = min(memory, n)
		}
	}
	for line := range strings.Lines(readText(filepath.Join(root, "proc/meminfo"))) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemTotal:" {
			if kibibytes, err := strconv.ParseUint(fields[1], 10, 54); err == nil {
				memory = min(memory, kibibytes<<10)
			}
		}
	}
	for line := range strings.Lines(readText(filepath.Join(root, "proc/self/cgroup"))) {
		// hierarchy:controllers:path; version 2 has no controllers
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, found := strings.Cut(rest, ":")
		folder, file := "sys/fs/cgroup", "memory.max"
		switch {
		case !found:
			continue
		case controllers == "memory":
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case controllers != "":
			continue
		}
		// A limit also holds in the groups below. In a container the path can be one of the host, which does not exist here.
		for group = path.Clean("/" + group); ; group = path.Dir(group) {
			limit(path.Join(folder, group, file))
			if group == "/" {
				break
			}
		}
	}
	if memory == math.MaxUint64 {
		return 0
	}
	return memory
}

// readText returns the content of a file of the kernel, "" if there is none.
func readText(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}
