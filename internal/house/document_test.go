package house

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// The README's test command is the one that CI runs, there with the tests that take long.
func TestReadme_RunsTheTestsOfCI(t *testing.T) {
	t.Parallel()
	_, section, ok := strings.Cut(read(t, "README.md"), "\n## Test\n")
	require.True(t, ok, "README.md has a section Test")
	block := regexp.MustCompile("(?s)```[a-z]*\n(.*?)\n```").FindStringSubmatch(section)
	require.NotNil(t, block, "the section Test has a command")
	require.Equal(t, "go test -timeout 60m ./...", block[1])
	lines := strings.Split(strings.TrimSpace(read(t, ".ci/run")), "\n")
	require.Equal(t, block[1], lines[len(lines)-1], "the last line of .ci/run")
	require.Contains(t, lines, "export TONQL_LONG_TESTS=1")
	makefile := read(t, "Makefile")
	require.Contains(t, makefile, "\t"+block[1]+"\n")
	require.Contains(t, makefile, "\tTONQL_LONG_TESTS=1 "+block[1]+"\n")
}

// `make` prints every target with its comment.
func TestMakefile_ExplainsEveryTarget(t *testing.T) {
	t.Parallel()
	text := read(t, "Makefile")
	phony := regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindStringSubmatch(text)
	require.NotNil(t, phony)
	for target := range strings.FieldsSeq(phony[1]) {
		require.Regexp(t, `(?m)^`+target+`:.* ## .{10,}`, text)
	}
}

// The map in ARCHITECTURE.md names every part that has a rule, and no other.
func TestArchitecture_NamesEveryPart(t *testing.T) {
	t.Parallel()
	text := read(t, "ARCHITECTURE.md")
	for part := range rules {
		switch part {
		case "cmd", "internal/cmd", "internal/node/nodetest":
			continue // named by what is in them, or too small for the map
		}
		require.Regexp(t, "(?m)^\\| .*`"+regexp.QuoteMeta(part)+"`", text)
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			require.NotEmpty(t, partOf(strings.Trim(name, "` ")), "ARCHITECTURE.md names %s", name)
		}
	}
}

// A document that names a test, or the beginning of its name, names one that exists.
func TestDocuments_NameExistingTests(t *testing.T) {
	t.Parallel()
	var tests []string
	for _, f := range folders(t) {
		for _, file := range f.files {
			for _, d := range file.syntax.Decls {
				if function, ok := d.(*ast.FuncDecl); ok && file.isTest() && function.Recv == nil {
					tests = append(tests, function.Name.Name)
				}
			}
		}
	}
	var wrong problems
	found := 0
	for _, name := range append(writtenFiles(t), "Makefile") {
		if filepath.Ext(name) != ".md" && name != "Makefile" {
			continue
		}
		for _, test := range regexp.MustCompile(`\b(Test|Fuzz|Benchmark)[A-Z]\w*`).FindAllString(read(t, name), -1) {
			found++
			if !slices.ContainsFunc(tests, func(function string) bool { return strings.HasPrefix(function, test) }) {
				wrong.addf("%s names %s, which does not exist", name, test)
			}
		}
	}
	require.NotZero(t, found, "names of tests in documents")
	wrong.require(t)
}

// Comments contain no markers of unfinished work.
func TestComments_HaveNoTODO(t *testing.T) {
	t.Parallel()
	promise := regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
	var wrong problems
	for _, f := range folders(t) {
		if f.path == "internal/house" {
			continue
		}
		for _, file := range f.files {
			for _, group := range file.syntax.Comments {
				if found := promise.FindString(group.Text()); found != "" {
					wrong.addf("%s: %s", file.fset.Position(group.Pos()), found)
				}
			}
		}
	}
	wrong.require(t)
}
