package embeddedpg

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// RunningDSN returns the URL of the server that another process runs on a data folder. It returns false when no server
// runs there. Commands use it to share the server of a running tonql.
func RunningDSN(opts Options) (string, bool) {
	opts, err := opts.withDefaults()
	if err != nil {
		return "", false
	}
	note, err := os.ReadFile(socketNote(opts.Dir))
	if err != nil {
		return "", false
	}
	socket := strings.TrimSpace(string(note))
	if _, err := os.Stat(filepath.Join(socket, socketFile())); err != nil {
		return "", false
	}
	return dsn(socket, opts.Database), true
}

// dsn returns the URL of a database behind a socket.
func dsn(socket, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	u.RawQuery = url.Values{"host": {socket}, "port": {strconv.Itoa(port)}, "sslmode": {"disable"}}.Encode()
	return u.String()
}
