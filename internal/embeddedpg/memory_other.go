//go:build !linux

package embeddedpg

func machineMemory() int64 { return fallbackMemory }
