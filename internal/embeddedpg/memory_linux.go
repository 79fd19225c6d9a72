package embeddedpg

import (
	"os"
	"strconv"
	"strings"
)

// machineMemory is the memory this process may use, in bytes: the machine's, or
// less when a control group says so.
func machineMemory() int64 {
	total := int64(fallbackMemory)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) > 1 && fields[0] == "MemTotal:" {
				if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
					total = kib * 1024
				}
			}
		}
	}
	// Version 2 and version 1 of control groups, as seen from inside a container.
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && limit > 0 {
			total = min(total, limit)
		}
	}
	return total
}
