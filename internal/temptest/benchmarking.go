package temptest

import (
	"os"
	"slices"
	"strings"
)

// Benchmarking reports whether the process was started to run benchmarks. It looks at the arguments, because a TestMain runs before they
// are parsed.
func Benchmarking() bool {
	return slices.ContainsFunc(os.Args[1:], func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return name == "test.bench"
	})
}
