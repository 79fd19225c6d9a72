package testdb

import (
	"fmt"
	"os"
	"runtime/debug"

	"go.uber.org/goleak"

	"tonql/internal/temptest"
)

// Main is for TestMain: it runs the tests, stops the private server, and fails the binary when a goroutine is left. m is a
// [testing.M], or one with something to do before or after the tests.
//
// Garbage is collected as rarely as by tonql itself, unless GOGC says how often.
func Main(m interface{ Run() int }, options ...goleak.Option) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	temptest.InMemory()
	code := m.Run()
	if err := stopServer(); err != nil {
		fmt.Fprintln(os.Stderr, "testdb:", err)
		code = max(code, 1)
	}
	if code == 0 {
		if os.Getenv(Environment) != "" {
			// The driver itself ends the connection of a cancelled query, within 15 seconds. A pooler responds that late.
			options = append(options, goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgconn.(*PgConn).asyncClose.func1"))
		}
		if err := goleak.Find(options...); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
