package main

import (
	"os"
	"runtime/debug"
)

const (
	// garbagePercent lets the heap grow to five times what is in use before it is cleaned: what a request leaves behind is
	// small beside the memory of a server, and cleaning after every few of them took a fifth of their CPU.
	garbagePercent = 400
	// softMemory is where cleaning becomes eager again, so that the process stays under a gigabyte, in bytes.
	softMemory = 768 << 20
)

// spendMemory trades memory for CPU, unless the environment says how (GOGC, GOMEMLIMIT).
func spendMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
}
