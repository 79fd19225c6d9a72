package doctor

import (
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const (
	spaceFail = 1 << 30  // bytes
	spaceWarn = 10 << 30 // bytes
	// minDescriptors serve the process with some hundred clients.
	minDescriptors = 1024
)

func itoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// Folder judges the data folder. database is whether the private PostgreSQL is in it.
func Folder(path string, database bool) []Result {
	const name = "data folder"
	at, err := existing(path)
	if err != nil {
		return []Result{fail(name, "choose another folder with --data", "%v", err)}
	}
	if err := syscall.Access(at, 0x2|0x1); err != nil { // W_OK and X_OK
		return []Result{fail(name, "give the user of tonql write access to "+at, "%s is not writable: %v", at, err)}
	}
	var stat syscall.Statfs_t
	if err := syscall.Statfs(at, &stat); err != nil {
		return []Result{warn(name, "look at the file system", "free space of %s is unknown: %v", at, err)}
	}
	return []Result{Space(path, int64(stat.Bavail)*int64(stat.Bsize), database)} //nolint:unconvert // their types differ between systems
}

// existing returns the folder, or the nearest one above it that exists.
func existing(path string) (string, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return "", fmt.Errorf("%s is no folder", at)
		case err == nil:
			return at, nil
		case !os.IsNotExist(err) || at == filepath.Dir(at):
			return "", err
		}
		at = filepath.Dir(at)
	}
}

// Space judges the free bytes of a disk.
func Space(path string, free int64, database bool) Result {
	const name, advice = "data folder", "free some space, or choose a folder on another disk with --data"
	switch {
	case free < spaceFail && database:
		return fail(name, advice, "%s of disk left in %s", size(free), path)
	case free < spaceFail || free < spaceWarn && database:
		return warn(name, advice, "%s of disk left in %s", size(free), path)
	default:
		return ok(name, "%s of disk left in %s", size(free), path)
	}
}

// Descriptors judges the limit on open files.
func Descriptors() Result {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return ok("limits of the system", "unknown: %v", err)
	}
	return descriptors(limit.Cur)
}

func descriptors(limit uint64) Result {
	const name = "limits of the system"
	if limit < minDescriptors {
		return warn(name, "raise it: ulimit -n 65536, or LimitNOFILE=65536 in the unit", "%d open files; clients beyond that wait", limit)
	}
	return ok(name, "%d open files", limit)
}

// WebhookKey judges the key that encrypts the secrets of webhook endpoints. valid is the error of reading it.
func WebhookKey(path string, inFile bool, valid error, endpoints int) Result {
	const name = "webhook key"
	if !inFile {
		return ok(name, "given by a setting")
	}
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err) && endpoints > 0:
		return fail(name, "restore "+path+" from the backup, or give --webhook-key", "%s is missing, and %d endpoints have secrets that it encrypts", path, endpoints)
	case os.IsNotExist(err):
		return ok(name, "created at the first start")
	case err != nil:
		return fail(name, "give the user of tonql read access to it", "%v", err)
	case valid != nil:
		return fail(name, "restore "+path+" from the backup, or give --webhook-key", "%v", valid)
	case info.Mode().Perm()&(fs.ModePerm^0o700) != 0:
		return warn(name, "chmod 600 "+path, "%s may be read by other users (%s)", path, info.Mode().Perm())
	default:
		return ok(name, "%s is usable; back it up together with the database", path)
	}
}

// Exposure is how the APIs can be reached.
type Exposure struct {
	Listen  string
	Network string
	Proxies []netip.Prefix
	// Limited is whether requests without an API key are limited.
	Limited bool
}

// Exposed judges how the APIs can be reached.
func Exposed(e Exposure) []Result {
	const proxies, limits = "proxies", "limits"
	host, _, _ := net.SplitHostPort(e.Listen) // the configuration was checked
	local := host == "localhost" || net.ParseIP(host).IsLoopback()
	var results []Result
	wide := false
	for _, p := range e.Proxies {
		if p.Bits() < 8 {
			wide = true
			results = append(results, fail(proxies, "list the addresses of your own proxies in --trusted-proxy", "%s is trusted: clients can choose the address that limits see", p))
		}
	}
	switch {
	case wide:
	case local && len(e.Proxies) == 0 && e.Network != "devnet":
		results = append(results, warn(proxies, "with a reverse proxy on this machine, set --trusted-proxy 127.0.0.1; without it, all clients share one address", "tonql listens on %s and trusts no proxy", e.Listen))
	default:
		results = append(results, ok(proxies, "%d trusted", len(e.Proxies)))
	}
	if !e.Limited && !local {
		if e.Network == "devnet" {
			return append(results, ok(limits, "none, on the local chain"))
		}
		return append(results, warn(limits, "set --limit-without-key to a number of requests per second", "requests without an API key are not limited on %s", e.Listen))
	}
	if !e.Limited {
		return append(results, ok(limits, "requests without an API key are not limited, on a loopback address"))
	}
	return append(results, ok(limits, "requests without an API key are limited"))
}
