package sourcefile

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestCleanName_NamesThatLeadElsewhereAreRefused(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"main.fc":             "main.fc",
		"contracts/a.fc":      "contracts/a.fc",
		"./contracts//a.fc":   "contracts/a.fc",
		"/contracts/a.fc":     "contracts/a.fc",
		"договор/основной.fc": "договор/основной.fc",
	} {
		name, err := cleanName(raw)
		require.NoError(t, err, raw)
		require.Equal(t, want, name)
	}
	for _, raw := range []string{
		"", "/", ".", "..", "../a.fc", "a/../../b.fc", "a/../b.fc", "a/..", `..\a.fc`, `C:\a.fc`, "c:/a.fc", "a\x00.fc", "a\nb.fc", "a\u202efc.txt", "a\xff.fc",
		strings.Repeat("a", maxName+1), strings.Repeat("a/", maxFileDeep+1) + "b",
	} {
		_, err := cleanName(raw)
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%q", raw)
	}
}

func TestParse_ReadsListsOfEachCompiler(t *testing.T) {
	t.Parallel()
	found, files, err := parse([]byte("\ufeff" + `{"compiler":"func","compilerSettings":{"funcVersion":"0.4.4","commandLine":"-SPA a.fc b.fc"},"hash":"x","verificationDate":1,
		"sources":[{"url":"ipfs://A","filename":"a.fc","includeInCommand":true,"hasIncludeDirectives":false},{"url":"ipfs://B","filename":"lib/b.fc","isEntrypoint":true}],"other":[1]}`))
	require.NoError(t, err)
	require.Equal(t, &chain.SourceFiles{Compiler: "func", CompilerVersion: "0.4.4", CommandLine: "-SPA a.fc b.fc"}, found)
	require.Equal(t, []wanted{{uri: "ipfs://A", file: chain.SourceFile{Name: "a.fc", InCommand: true}}, {uri: "ipfs://B", file: chain.SourceFile{Name: "lib/b.fc", Entrypoint: true}}}, files)
	for settings, version := range map[string]string{
		`{"tolkVersion":"1.3.0"}`: "1.3.0", `{"tactVersion":"1.6.2","parameters":null}`: "1.6.2", `{"fiftVersion":"0.4.6"}`: "0.4.6",
		`"1.0.0"`: "", `null`: "", `{"funcVersion":1}`: "", `{"funcVersion":"1\u001b[31m"}`: "1[31m",
	} {
		found, _, err := parse([]byte(`{"compilerSettings":` + settings + `,"sources":[{"url":"u","filename":"f"}]}`))
		require.NoError(t, err, settings)
		require.Equal(t, version, found.CompilerVersion, settings)
	}
}

func TestParse_ListsOfAnotherFormAreRefused(t *testing.T) {
	t.Parallel()
	many := strings.TrimSuffix(strings.Repeat(`{"url":"u","filename":"f"},`, maxFiles+1), ",")
	for name, text := range map[string]string{
		"empty": ``, "markup": `<html>`, "no object": `[]`, "no files": `{"sources":[]}`, "null": `null`, "other types": `{"sources":[1]}`,
		"cut off": `{"sources":[{"url":"u","filename":"f"}`, "too many files": `{"sources":[` + many + `]}`,
		"one name twice":  `{"sources":[{"url":"u","filename":"a/f"},{"url":"u","filename":"a//f"}]}`,
		"traversal":       `{"sources":[{"url":"u","filename":"../../etc/passwd"}]}`,
		"a long address":  `{"sources":[{"url":"` + strings.Repeat("u", maxFileURI+1) + `","filename":"f"}]}`,
		"deep values":     `{"sources":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
		"number for name": `{"sources":[{"url":"u","filename":5}]}`,
	} {
		_, _, err := parse([]byte(text))
		require.Equal(t, chain.Invalid, chain.KindOf(err), name)
	}
}

func FuzzParse_ResultIsWithinBounds(f *testing.F) {
	f.Add([]byte(`{"compiler":"func","compilerSettings":{"funcVersion":"0.4.4"},"sources":[{"url":"ipfs://A","filename":"a/b.fc"}]}`))
	f.Add([]byte(`{"sources":[{"filename":"..\\a"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		found, files, err := parse(body)
		if err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			return
		}
		require.LessOrEqual(t, len(files), maxFiles)
		for _, text := range []string{found.Compiler, found.CompilerVersion, found.CommandLine} {
			require.LessOrEqual(t, len(text), maxSetting)
			require.True(t, utf8.ValidString(text))
		}
		for _, w := range files {
			again, err := cleanName(w.file.Name)
			require.NoError(t, err)
			require.Equal(t, w.file.Name, again, "a clean name stays")
		}
		_, err = json.Marshal(found)
		require.NoError(t, err)
	})
}
