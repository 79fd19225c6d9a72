package doctor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/coldservers"
	"tonql/internal/store/moves"
)

const (
	oldestVersion = 15
	minBuffers    = 256 << 20 // bytes
	minWAL        = 1 << 30   // bytes
	// Delays of a standby.
	standbyWarn = 10 * time.Second
	standbyFail = 5 * time.Minute
	// otherConnections are those that a process has besides --database-connections: for payments and notifications.
	otherConnections = 12
)

// Postgres judges the server that tonql writes to. connections is --database-connections.
func Postgres(d *store.Diagnosis, connections int) []Result {
	const name = "postgresql"
	if d.Standby {
		standby := warn(name, "give the URL of the primary as --database-url to index, and to store payments, keys and shared limits",
			"the server is a standby: 'tonql serve' can read from it, nothing can be written")
		return append([]Result{standby}, delay(name, d.Delay, "replay"))
	}
	results := []Result{version(name, d)}
	results = append(results, safety(name, d.Settings)...)
	results = append(results, room(name, d, connections))
	for _, s := range d.Standbys {
		if name := "standby " + s.Name; s.State == "" {
			results = append(results, ok(name, "is connected; only a role with pg_monitor sees its delay"))
		} else {
			results = append(results, delay(name, s.Delay, s.State))
		}
	}
	return results
}

// KeyPools judges the pools of private liteservers that API keys of a network name, by the names of --private-liteservers.
func KeyPools(pools []store.KeyPool, network string, private []string) []Result {
	var results []Result
	for _, p := range pools {
		if p.Network == network && !slices.Contains(private, p.Name) {
			results = append(results, warn("api keys", "add --private-liteservers NAME=FILE to the gateways that receive these keys, or replace the keys: 'tonql keys list' shows them",
				"%d keys name the private liteservers %s, which --private-liteservers lacks: where they need a node, requests get 503", p.Keys, chain.Quote(p.Name)))
		}
	}
	return results
}

// Cold judges the databases with rows of old blocks.
func Cold(list []coldservers.State) []Result {
	const name = "cold servers"
	var results []Result
	for i := range list {
		switch s := &list[i]; {
		case s.Err != nil:
			results = append(results, fail(name, "requests for its blocks fail until the PostgreSQL server of the index reaches it; 'tonql range list' has its address",
				"%s cannot be read: %v", s.Server, s.Err))
		case s.Copied:
			results = append(results, fail(name, "if no other copy of the index is used any more, run 'tonql range adopt --server "+s.Server+"'; until then its blocks can be read and not moved",
				"%s belongs to another copy of this index", s.Server))
		case s.Lost:
			results = append(results, fail(name, "restore a newer backup of it; requests for its blocks fail until then", "%s lacks the newest blocks that were moved to it", s.Server))
		case s.Interrupted:
			results = append(results, warn(name, "the indexer completes it within a minute, and so does 'tonql range move'; requests for its blocks fail until then",
				"%s: a move of blocks runs, or was interrupted", s.Server))
		default:
			results = append(results, ok(name, "%s responds", s.Server))
		}
	}
	return results
}

// Moves judges the moves of rows of earlier versions.
func Moves(list []moves.Status) []Result {
	const name = "moves of rows"
	var results []Result
	for i := range list {
		s := &list[i]
		switch {
		case !s.Done:
			results = append(results, warn(name, "let 'tonql up' or 'index' run, or run 'tonql migrate --background'; queries work meanwhile",
				"%s: about %.0f %% of the rows are in the form of this version", s.Name, math.Floor(s.Share*100)))
		case s.Rest.Differing > 0:
			results = append(results, warn(name, "run 'tonql verify', which names the rows", "%s: %d rows are damaged, or contradict their raw transactions", s.Name, s.Rest.Differing))
		case s.Rest.WithoutRest > 0:
			results = append(results, warn(name, "run 'tonql index complete'", "%s: %d account states lack what proofs require", s.Name, s.Rest.WithoutRest))
		case !s.Freed:
			results = append(results, ok(name, "%s: all rows are moved; what they replace is removed when no reader needs it", s.Name))
		case s.Rest.WithoutRaw > 0:
			results = append(results, ok(name, "%s: all rows are in the form of this version but %d without a raw transaction", s.Name, s.Rest.WithoutRaw))
		default:
			results = append(results, ok(name, "%s: all rows are in the form of this version", s.Name))
		}
	}
	return results
}

// Replica judges the server that tonql reads from.
func Replica(d, primary *store.Diagnosis, connections int) []Result {
	name := "replica " + d.Host
	if primary != nil && d.System != 0 && primary.System != 0 && d.System != primary.System {
		return []Result{fail(name, "give the URL of a standby of the primary as --read-database-url", "the server belongs to another cluster than the primary")}
	}
	results := []Result{version(name, d), room(name, d, connections)}
	if !d.Standby {
		return results
	}
	results = append(results, delay(name, d.Delay, "replay"))
	if d.Settings["hot_standby_feedback"] == "off" && d.Settings["max_standby_streaming_delay"] != "-1" {
		results = append(results, warn(name, "set hot_standby_feedback = on at the standby, so that vacuum of the primary does not cancel queries",
			"hot_standby_feedback is off; queries are cancelled after %s", d.Settings["max_standby_streaming_delay"]))
	}
	return results
}

func version(name string, d *store.Diagnosis) Result {
	major, minor := d.Version/10000, d.Version%10000
	if major < oldestVersion {
		return fail(name, fmt.Sprintf("upgrade the server to version %d or newer", oldestVersion), "version %d.%d is too old", major, minor)
	}
	return ok(name, "version %d.%d, database of %s; no extension is needed", major, minor, size(d.Bytes))
}

// safety judges the settings on which the data depend.
func safety(name string, settings map[string]string) []Result {
	var results []Result
	for _, rule := range []struct {
		setting, wrong string
		status         Status
		why, advice    string
	}{
		{"fsync", "off", Fail, "a crash of the machine damages the database", "set fsync = on"},
		{"full_page_writes", "off", Fail, "a crash of the machine damages the database", "set full_page_writes = on"},
		{"autovacuum", "off", Fail, "tables grow without bound, and plans become wrong", "set autovacuum = on"},
		{"synchronous_commit", "off", Warn, "a crash loses the newest blocks and payments' states; they are indexed again", "set synchronous_commit = on if payments are used"},
		{"data_checksums", "off", Warn, "damage of the disk is not detected by the server", "create the cluster with initdb --data-checksums, or run pg_checksums --enable on it while it is stopped"},
	} {
		if settings[rule.setting] == rule.wrong {
			results = append(results, Result{name, rule.status, fmt.Sprintf("%s is %s: %s", rule.setting, rule.wrong, rule.why), rule.advice})
		}
	}
	if encoding := settings["server_encoding"]; encoding != "" && encoding != "UTF8" {
		results = append(results, fail(name, "create the database with ENCODING 'UTF8'", "the encoding is %s", encoding))
	}
	if n, valid := bytesOf(settings["shared_buffers"]); valid && n < minBuffers {
		results = append(results, warn(name, "set shared_buffers to a quarter of the memory of the machine", "shared_buffers is %s", settings["shared_buffers"]))
	}
	if n, valid := bytesOf(settings["max_wal_size"]); valid && n < minWAL {
		results = append(results, warn(name, "set max_wal_size to 4GB or more, so that checkpoints are rare while gaps are filled", "max_wal_size is %s", settings["max_wal_size"]))
	}
	return results
}

// room judges whether the connections of one more process fit.
func room(name string, d *store.Diagnosis, connections int) Result {
	most, err := strconv.Atoi(d.Settings["max_connections"])
	need := connections + otherConnections
	switch free := most - d.Reserved - d.Connections; {
	case err != nil:
		return ok(name, "%d connections in use", d.Connections)
	case need > most-d.Reserved:
		return fail(name, "raise max_connections of the server, or lower --database-connections", "max_connections is %d, of which %d are reserved; this process needs up to %d", most, d.Reserved, need)
	case need > free:
		return warn(name, "raise max_connections of the server, or lower --database-connections, unless tonql runs already", "%d of %d connections are in use; one more process needs up to %d", d.Connections, most, need)
	default:
		return ok(name, "%d of %d connections in use; one more process needs up to %d", d.Connections, most, need)
	}
}

func delay(name string, d time.Duration, state string) Result {
	const advice = "look at the load, the disk and the network of the standby; gateways that read from it serve old blocks"
	switch d = d.Round(time.Millisecond); {
	case d > standbyFail:
		return fail(name, advice, "%s behind the primary (%s)", d, state)
	case d > standbyWarn:
		return warn(name, advice, "%s behind the primary (%s)", d, state)
	default:
		return ok(name, "%s behind the primary (%s)", d, state)
	}
}

// bytesOf parses a size as PostgreSQL writes it: 128MB.
func bytesOf(text string) (int64, bool) {
	for suffix, factor := range map[string]int64{"kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40} {
		if number, found := strings.CutSuffix(text, suffix); found {
			n, err := strconv.ParseInt(number, 10, 64)
			return n * factor, err == nil
		}
	}
	return 0, false
}

// size formats a number of bytes.
func size(n int64) string {
	const names = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, i := float64(n)/1000, 0
	for ; value >= 999.95 && i+1 < len(names); i++ {
		value /= 1000
	}
	return fmt.Sprintf("%.1f %cB", value, names[i])
}
