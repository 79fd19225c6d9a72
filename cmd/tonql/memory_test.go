package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// The garbage between two collections is bounded by an amount, until the minimum percentage of a large heap exceeds it.
func TestGarbagePercent_BoundsGarbageByAnAmount(t *testing.T) {
	t.Parallel()
	const mebibyte = 1 << 20
	for _, live := range []uint64{0, 1, mebibyte, 20 * mebibyte, 28 * mebibyte, 60 * mebibyte, 92 * mebibyte, 112 * mebibyte} {
		percent := garbagePercent(live)
		require.LessOrEqual(t, live*uint64(percent)/100, uint64(garbageAllowance), live)
		require.GreaterOrEqual(t, percent, minGarbagePercent)
		require.LessOrEqual(t, percent, maxGarbagePercent)
	}
	require.Equal(t, maxGarbagePercent, garbagePercent(28*mebibyte))
	require.Equal(t, minGarbagePercent, garbagePercent(1<<40))
}

// The soft limit is half of the memory that the machine or the tightest control group has, within bounds.
func TestSoftMemory_FollowsTheMachine(t *testing.T) {
	t.Parallel()
	const gibibyte, meminfo = 1 << 30, "MemTotal:        8388608 kB\nMemFree:          100 kB\n"
	for name, c := range map[string]struct {
		files   map[string]string
		machine uint64
		soft    int64
	}{
		"unknown":      {nil, 0, maxSoftMemory},
		"machine":      {map[string]string{"proc/meminfo": meminfo}, 8 * gibibyte, maxSoftMemory},
		"little":       {map[string]string{"proc/meminfo": "MemTotal: 1048576 kB\n"}, gibibyte, gibibyte / 2},
		"hardly any":   {map[string]string{"proc/meminfo": "MemTotal: 131072 kB\n"}, gibibyte / 8, minSoftMemory},
		"no limit, v2": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 8 * gibibyte, maxSoftMemory},
		"limit of the group above, v2": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/tonql.service\n",
			"sys/fs/cgroup/system.slice/tonql.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "1073741824\n",
		}, gibibyte, gibibyte / 2},
		"path of the host, v2": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../docker/abc\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}, gibibyte / 2, gibibyte / 4},
		"limit, v1": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/docker/abc\n0::/\n",
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "1073741824\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, gibibyte, gibibyte / 2},
		"garbage": {map[string]string{"proc/meminfo": "MemTotal: x kB\nMemTotal:\n", "proc/self/cgroup": "0\n:\n\n0::\n"}, 0, maxSoftMemory},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for file, text := range c.files {
				file = filepath.Join(root, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			machine := machineMemory(root)
			require.Equal(t, c.machine, machine)
			require.Equal(t, c.soft, softMemory(machine))
		})
	}
}

// The governor receives every collection, or adjusts too late.
func TestNotifyCollected_ReportsACollection(t *testing.T) {
	t.Parallel()
	collected := make(chan struct{}, 1)
	for range 3 {
		notifyCollected(collected)
		runtime.GC()
		<-collected
	}
}
