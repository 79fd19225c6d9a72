package embeddedpg

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

const (
	// port only names the socket file; nothing listens on TCP.
	port = 5432
	// superuser owns the cluster; the socket folder's mode is what keeps others out.
	superuser = "tonql"

	mebibyte = 1 << 20
)

// settings are the server's, for an index on a machine it shares with tonql itself:
// many small lookups, steady bulk writes, memory left to the page cache.
func (o Options) settings(socketDir string, memory int64) map[string]string {
	s := map[string]string{
		"listen_addresses":        "",
		"unix_socket_directories": socketDir,
		"unix_socket_permissions": "0700",
		"port":                    strconv.Itoa(port),
		"max_connections":         strconv.Itoa(o.MaxConnections),

		"shared_buffers":       megabytes(clamp(memory/8, 64*mebibyte, 1024*mebibyte)),
		"effective_cache_size": megabytes(clamp(memory/2, 256*mebibyte, 64*1024*mebibyte)),
		"work_mem":             "16MB",
		"maintenance_work_mem": megabytes(clamp(memory/32, 64*mebibyte, 256*mebibyte)),

		// A base backup of the running server takes two senders.
		"wal_level":          "replica",
		"max_wal_senders":    "4",
		"min_wal_size":       "256MB",
		"max_wal_size":       "2GB",
		"checkpoint_timeout": "15min",
		"synchronous_commit": o.SynchronousCommit,

		// Lookups of a page of rows: compiling a plan costs more than it saves, and
		// parallel workers need shared memory that containers often lack.
		"jit":                             "off",
		"max_parallel_workers_per_gather": "0",
		"random_page_cost":                "1.1",

		"timezone":                "UTC",
		"log_timezone":            "UTC",
		"log_destination":         "stderr",
		"logging_collector":       "off",
		"log_line_prefix":         "",
		"log_checkpoints":         "off",
		"log_min_error_statement": "panic", // SQL text stays out of the log
		"lc_messages":             "C",     // serverLog parses severities in English
	}
	if o.Fast {
		maps.Copy(s, map[string]string{
			"fsync":            "off",
			"full_page_writes": "off",
			"wal_level":        "minimal",
			"max_wal_senders":  "0",
		})
	}
	maps.Copy(s, o.Settings)
	return s
}

// arguments renders settings for the command line, in a stable order.
func arguments(settings map[string]string) []string {
	args := make([]string, 0, 2*len(settings))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}

func clamp(n, low, high int64) int64 { return min(max(n, low), high) }

func megabytes(bytes int64) string { return fmt.Sprintf("%dMB", bytes/mebibyte) }
