package tokenimage

import "golang.org/x/sys/unix"

const limitsProcesses = true

// limitProcess sets the limits of a process that draws.
func limitProcess(pid int) error {
	for resource, limit := range map[int]uint64{
		unix.RLIMIT_CPU: maxDrawingCPU, unix.RLIMIT_AS: maxDrawingMemory, unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: 64,
	} {
		if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: limit, Max: limit}, nil); err != nil {
			return err
		}
	}
	return nil
}
