package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tonql/internal/ctxtime"
)

// oldestMajor is the first PostgreSQL whose features the schema may use.
const oldestMajor = 15

// Search configures where to look for PostgreSQL. The zero value means the usual places.
type Search struct {
	// Path is a list of folders in the form of $PATH; empty means $PATH itself.
	Path string
	// Globs are patterns of folders with the binaries, tried after Path and
	// pg_config; within one pattern the newest version comes first. Nil means
	// Debian's and Homebrew's folders.
	Globs []string
	// CacheDir is the folder of downloaded binaries; empty means a tonql folder in the
	// cache of the user, and for root one that other accounts can read.
	CacheDir string
	// Repository is the Maven repository to download from; empty means Maven Central.
	Repository string
	// NoDownload restricts the search to this machine.
	NoDownload bool
}

func (s Search) withDefaults() Search {
	if s.Path == "" {
		s.Path = os.Getenv("PATH")
	}
	if s.Globs == nil {
		s.Globs = []string{
			"/usr/lib/postgresql/*/bin",
			"/usr/pgsql-*/bin",
			"/opt/homebrew/opt/postgresql@*/bin",
			"/usr/local/opt/postgresql@*/bin",
			"/opt/homebrew/opt/postgresql/bin",
			"/usr/local/opt/postgresql/bin",
		}
	}
	return s
}

// binaries is one installed PostgreSQL.
type binaries struct {
	dir     string // holds initdb and postgres
	major   int
	version string // as the server prints it, such as 15.18
}

func (b binaries) initdb() string   { return filepath.Join(b.dir, "initdb") }
func (b binaries) postgres() string { return filepath.Join(b.dir, "postgres") }

// baseBackup is in Debian's server package, unlike in the archives of the zonky project.
func (b binaries) baseBackup() string { return filepath.Join(b.dir, "pg_basebackup") }

func (b binaries) verifyBackup() string { return filepath.Join(b.dir, "pg_verifybackup") }

// findBinaries returns the PostgreSQL to run. With a major of 0 it returns the first that
// is new enough, otherwise the first of that major, because no other major can open the
// cluster. The account is the one that has to run it.
func findBinaries(ctx context.Context, s Search, major int, a account) (binaries, error) {
	var seen []string // unsuitable versions, for the error
	for _, dir := range s.folders(ctx) {
		b, err := inspect(ctx, dir)
		switch {
		case err != nil:
			continue // no server here, or one that does not run
		case b.major < oldestMajor || (major != 0 && b.major != major):
			seen = append(seen, b.version+" in "+b.dir)
		case a.drop && !a.mayPass(b.postgres()):
			seen = append(seen, fmt.Sprintf("%s in %s, where user %d may not pass", b.version, b.dir, a.uid))
		default:
			return b, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return binaries{}, err
	}
	var cause error
	if !s.NoDownload {
		b, err := download(ctx, s, major, a)
		if err == nil {
			return b, nil
		}
		if ctx.Err() != nil {
			return binaries{}, ctx.Err()
		}
		cause = err
	}
	return binaries{}, noBinaries(major, seen, cause)
}

// noBinaries returns an error of one sentence: what is missing and what to install.
func noBinaries(major int, seen []string, download error) error {
	var b strings.Builder
	if major == 0 {
		fmt.Fprintf(&b, "no PostgreSQL %d or newer found on this machine", oldestMajor)
	} else {
		fmt.Fprintf(&b, "the database was made by PostgreSQL %d, which is not installed", major)
	}
	if len(seen) > 0 {
		fmt.Fprintf(&b, " (found %s)", strings.Join(seen, ", "))
	}
	if download != nil {
		fmt.Fprintf(&b, " and it could not be downloaded (%v)", download)
	}
	if major == 0 {
		b.WriteString(": install it (Debian: apt-get install postgresql; macOS: brew install postgresql@17) or give --database-url")
	} else {
		fmt.Fprintf(&b, ": install it (Debian: apt-get install postgresql-%d; macOS: brew install postgresql@%d) or choose another data folder", major, major)
	}
	return &sentence{text: b.String(), is: ErrNoBinaries}
}

// sentence is an error whose text is complete for the user.
type sentence struct {
	text string
	is   error
}

func (s *sentence) Error() string { return s.text }
func (s *sentence) Unwrap() error { return s.is }

// folders returns the candidates, each once, in order of preference.
func (s Search) folders(ctx context.Context) []string {
	var dirs []string
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range filepath.SplitList(s.Path) {
		if filepath.IsAbs(dir) && isProgram(filepath.Join(dir, "postgres")) {
			// Follow links: the server finds its other files beside the real program.
			if program, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres")); err == nil {
				add(filepath.Dir(program))
			}
			add(dir)
		}
	}
	for _, dir := range filepath.SplitList(s.Path) {
		if tool := filepath.Join(dir, "pg_config"); filepath.IsAbs(dir) && isProgram(tool) {
			add(bindir(ctx, tool))
		}
	}
	for _, glob := range s.Globs {
		matches, err := filepath.Glob(glob)
		if err != nil {
			continue // a malformed pattern names no folder
		}
		slices.SortFunc(matches, func(a, b string) int { return lastNumber(b) - lastNumber(a) })
		for _, dir := range matches {
			add(dir)
		}
	}
	return dirs
}

var number = regexp.MustCompile(`[0-9]+`)

// lastNumber is the version in a folder name such as /usr/lib/postgresql/17/bin.
func lastNumber(path string) int {
	all := number.FindAllString(path, -1)
	if len(all) == 0 {
		return 0
	}
	n, err := strconv.Atoi(all[len(all)-1])
	if err != nil {
		return 0
	}
	return n
}

// bindir returns the folder of the programs according to pg_config, or "".
func bindir(ctx context.Context, tool string) string {
	out, err := output(ctx, tool, "--bindir")
	if err != nil {
		return ""
	}
	return out
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (([0-9]+)[^ ]*)`)

// inspect reads the version of the PostgreSQL in dir.
func inspect(ctx context.Context, dir string) (binaries, error) {
	b := binaries{dir: dir}
	if !isProgram(b.initdb()) || !isProgram(b.postgres()) {
		return b, errors.New("initdb or postgres is missing in " + dir)
	}
	out, err := output(ctx, b.postgres(), "--version")
	if err != nil {
		return b, err
	}
	match := versionLine.FindStringSubmatch(out)
	if match == nil {
		return b, fmt.Errorf("version of %s: unknown form %q", b.postgres(), out)
	}
	b.version = match[1]
	b.major, err = strconv.Atoi(match[2])
	return b, err
}

// output runs a program and returns the first line that it prints.
func output(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var out []byte
	err := error(syscall.ETXTBSY)
	// A new file is busy while another process that was forked during the write has not
	// reached its exec.
	for try := 0; errors.Is(err, syscall.ETXTBSY) && try < 10; try++ {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = environment()
		cmd.WaitDelay = time.Second
		if out, err = cmd.Output(); errors.Is(err, syscall.ETXTBSY) {
			ctxtime.Sleep(ctx, 20*time.Millisecond)
		}
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line), nil
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
