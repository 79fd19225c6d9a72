package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the list of checks to docs/conformance.md")

func TestChecks_AreNamedOnceAndExplained(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^(v3|v2|emulate|graphql|streaming)(\.[A-Za-z0-9][A-Za-z0-9-]*){1,2}$`)
	seen := map[string]bool{}
	headings := map[string][]string{}
	for _, c := range Checks() {
		require.Regexp(t, form, c.ID)
		require.False(t, seen[c.ID], "%s is there twice", c.ID)
		seen[c.ID] = true
		require.True(t, strings.HasPrefix(c.ID, string(c.Section)+"."), c.ID)
		require.True(t, strings.HasSuffix(c.Expect, "."), "%s: %s", c.ID, c.Expect)
		require.NotNil(t, c.run, c.ID)
		page, section, _ := strings.Cut(c.Doc, "#")
		if _, read := headings[page]; !read {
			text, err := os.ReadFile(filepath.Join("../../docs", page))
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(text), -1) {
				headings[page] = append(headings[page], anchor(m[1]))
			}
		}
		require.True(t, section == "" || slices.Contains(headings[page], section), "%s: docs/%s does not exist", c.ID, c.Doc)
	}
	require.GreaterOrEqual(t, len(seen), 150)
}

// anchor is the fragment of a heading on the pages of repositories.
func anchor(heading string) string {
	lower := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(lower, " ", "-")
}

func TestRecords_NameKindsThatExist(t *testing.T) {
	t.Parallel()
	for name, fields := range records {
		for _, f := range fields {
			inner := strings.Trim(f.kind, "[]{}")
			require.True(t, kinds[f.kind] != nil || records[inner] != nil, "%s.%s: kind %s", name, f.name, f.kind)
		}
	}
	for kind := range kinds {
		require.NotEmpty(t, kindNames[kind], kind)
	}
}

// The list of checks in docs/conformance.md is that of the code.
func TestDocument_ListsTheChecks(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../docs/conformance.md", "<!-- checks -->\n", "<!-- end of checks -->\n"
	var list strings.Builder
	for _, section := range Sections {
		fmt.Fprintf(&list, "\n### %s\n\n| Check | Class | What holds |\n|---|---|---|\n", section)
		for _, c := range Checks() {
			if c.Section == section {
				fmt.Fprintf(&list, "| `%s` | %s | %s |\n", c.ID, c.Class, c.Expect)
			}
		}
	}
	list.WriteString("\n")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok)
	listed, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+list.String()+end+after), 0o600))
		return
	}
	require.Equal(t, list.String(), listed, "go test ./internal/conformance -run Document -update writes the list")
}

func TestSelection_ChoosesByPrefix(t *testing.T) {
	t.Parallel()
	s := Selection{Only: []string{"v3.blocks", "v2"}, Skip: []string{"v2.jsonRPC", "v3.blocks.fields"}}
	for id, want := range map[string]bool{
		"v3.blocks.limit": true, "v3.blocks.fields": false, "v2.getShards.fields": true, "v2.jsonRPC.get": false, "graphql.get": false, "v3.blocksbyhash.x": false,
	} {
		require.Equal(t, want, s.has(id), id)
	}
	require.True(t, Selection{}.has("v3.blocks.fields"))
	require.NoError(t, s.validate(Checks()))
	require.ErrorContains(t, Selection{Only: []string{"v4"}}.validate(Checks()), `no check is named "v4"`)
	require.ErrorContains(t, Selection{Skip: []string{"v3.block"}}.validate(Checks()), `no check is named "v3.block"`)
}

func TestForms_OfAddressesAndHashes(t *testing.T) {
	t.Parallel()
	const raw = "0:D5FD3AA0B68D0E56178C517F3A6FA760891FCDD2EE76786FCAD8E86C470D4BCC"
	require.Equal(t, raw, rawOf(friendlyOf(raw)))
	require.Equal(t, raw, rawOf(strings.NewReplacer("-", "+", "_", "/").Replace(friendlyOf(raw))))
	require.Empty(t, rawOf("x"+friendlyOf(raw)[1:]), "the checksum is wrong")
	require.Empty(t, friendlyOf("someone"))
	require.Equal(t, []string{noHash, strings.Repeat("0", 63) + "1", strings.NewReplacer("+", "-", "/", "_").Replace(noHash)}, hashForms(noHash))
	for kind, texts := range map[string][2]string{ // accepted, refused
		"hash": {noHash, noHash[1:]}, "addr": {raw, strings.ToLower(raw)}, "lowaddr": {strings.ToLower(raw), raw}, "dec": {"-12", "012"},
		"shard": {"8000000000000000", "-9223372036854775808"}, "opcode": {"0x0f8a7ea5", "0xF8A7EA5"}, "boc": {"te6cckEBAQEAAgAAAEysuc0=", "AAAA"},
		"friend": {friendlyOf(raw), raw}, "state": {"active", "dead"}, "time": {"2026-01-31T12:00:00Z", "2026-01-31"},
	} {
		require.True(t, kinds[kind](texts[0]), "%s %s", kind, texts[0])
		require.False(t, kinds[kind](texts[1]), "%s %s", kind, texts[1])
		require.False(t, kinds[kind](nil), kind)
	}
}
