// Package embeddedpg runs a private PostgreSQL inside tonql's data folder, for
// users without a database server.
//
// # The folder
//
//	Dir/lock         held (flock) while a tonql owns the folder; its process id inside
//	Dir/cluster      the PostgreSQL cluster, owned by the account that runs it, mode 0700
//	Dir/cluster.new  a cluster being made; renamed once it is complete, else thrown away
//	Dir/socket       names the socket folder in use, so that a crash leaves nothing behind
//
// # The binaries
//
// Those of the machine are preferred: PATH, pg_config, Debian's and Homebrew's
// folders. If none is new enough, or none has the major version of the cluster on
// disk, tonql downloads an archive of the zonky project from Maven Central into a
// cache folder.
//
// # Which account, and folders it may not pass
//
// PostgreSQL refuses to run as root. As root the server therefore runs as the
// owner of an existing cluster, else as postgres, else as nobody. That account
// often may not walk to the data folder (below /root, in a 0700 folder). Moving
// the cluster elsewhere would tear it from the folder a user copies, moves and
// deletes. Instead tonql, which may walk there, opens the cluster and passes the
// open folder as descriptor 3; the data directory of the server is
// /proc/self/fd/3. The kernel checks such a path only at the folder itself, and
// the server changes into it at once and uses relative paths from there on. The
// data stay where the user put them and survive a move of the folder.
// Without /proc (macOS) the plain path is used, and a folder that the account
// may not pass is refused with the reason.
//
// # The socket
//
// There is no TCP port. A socket path may have only about a hundred bytes, and a
// data folder may be deeper, so the socket lives in a folder made anew for every
// start in the system's place for temporary files. It has mode 0700 and
// belongs to the server's account: only that account and root reach the server,
// so it needs no password.
//
// # Life and death
//
// The server runs in a separate process group, so a Ctrl-C in the terminal
// reaches tonql alone and tonql decides when the database stops. When tonql is
// killed, the Linux kernel signals the server to shut down. The next start shuts
// down every server that still runs on the folder (the lock proves that no tonql
// owns it) before it starts a new one, and removes stale pid files.
//
// Settings are given on the server's command line, from Options, at every start:
// they win over postgresql.conf and ALTER SYSTEM.
package embeddedpg
