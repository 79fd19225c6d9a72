package embeddedpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the system account that runs the server.
type account struct {
	uid, gid uint32
	// drop is set when tonql is root and has to hand everything to this account.
	drop bool
}

// serverAccount is tonql's own account, or for root the owner of the cluster if
// it exists already, else postgres, else nobody.
func serverAccount(cluster string) (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}, nil
	}
	if uid, gid, err := owner(cluster); err == nil && uid != 0 {
		return account{uid: uid, gid: gid, drop: true}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		entry, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(entry.Uid, 10, 32)
		if err != nil {
			continue
		}
		gid, err := strconv.ParseUint(entry.Gid, 10, 32)
		if err != nil {
			continue
		}
		return account{uid: uint32(uid), gid: uint32(gid), drop: true}, nil
	}
	return account{}, errors.New("PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody: run tonql as another user or give --database-url")
}

// credential is what a child of tonql has to change to, nil when it is tonql's own.
// Supplementary groups are dropped with it.
func (a account) credential() *syscall.Credential {
	if !a.drop {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// take changes the owner of path to the account when root created it.
func (a account) take(path string) error {
	if !a.drop {
		return nil
	}
	return os.Lchown(path, int(a.uid), int(a.gid))
}

// takeAll changes the owner of a complete tree to the account, for example of a cluster that root copied here.
func (a account) takeAll(root string) error {
	uid, _, err := owner(root)
	if err != nil || !a.drop || uid == a.uid {
		return err
	}
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return a.take(path)
	})
}

// mayPass reports whether the account can reach path through every folder above it,
// judged by the mode bits.
func (a account) mayPass(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return false
		}
		bit := fs.FileMode(0o001)
		if uid, gid, err := owner(dir); err != nil {
			return false
		} else if uid == a.uid {
			bit = 0o100
		} else if gid == a.gid {
			bit = 0o010
		}
		if info.Mode().Perm()&bit == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// owns reports whether a file is this account's or, of root, of the account that root hands its files to.
func (a account) owns(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == a.uid || stat.Uid == uint32(os.Geteuid()))
}

// owner returns the user and group that own path.
func owner(path string) (uid, gid uint32, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, 0, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, fmt.Errorf("owner of %s: unknown on this system", path)
	}
	return stat.Uid, stat.Gid, nil
}
