package house

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// Readers know the words of Go, HTTP, SQL, PostgreSQL, GraphQL, Prometheus and TON. vocabulary.txt lists words that
// replace them without need, each with what to write instead.
//
//	go test ./internal/house -run TestVocabulary_RefusedWordsAreUnused -v
//
// prints how often each of them occurs in 10,000 lines.
func TestVocabulary_RefusedWordsAreUnused(t *testing.T) {
	t.Parallel()
	list := readWordList(t)
	found, lines := map[string]int{}, 0
	var wrong problems
	for _, name := range writtenFiles(t) {
		text := read(t, name)
		if generatedText(text) {
			continue
		}
		lines += strings.Count(text, "\n")
		for _, use := range list.uses(name, text) {
			found[use.word]++
			wrong.addf("%s:%d: %q: write %s", name, use.line, use.word, list.instead[use.word])
		}
	}
	require.NotZero(t, lines)
	words := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(a, b)) })
	for _, word := range words {
		t.Logf("%-24s %5d uses, %5.1f in 10,000 lines", word, found[word], float64(found[word])*10_000/float64(lines))
	}
	t.Logf("%-24s %5d uses in %d lines", "all refused words", len(wrong), lines)
	wrong.require(t)
}

// Counts of text that the tree does not contain.
func TestWordList_CountsIdentifiersCommentsAndStrings(t *testing.T) {
	t.Parallel()
	list, err := parseWordList(`
# a comment
everywhere  door,doors   handler, endpoint
identifiers gate         limiter
phrase  \bcomes about\b  is committed
allow   *      next door
allow   some/  tailDOOR
`)
	require.NoError(t, err)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"a.go", "package a\n\nvar frontDoor = 1 // opens the doors\n", []string{"3 door", "3 doors"}},
		{"a.go", "package a\n\nvar s = `the door\nof a door`\n", []string{"3 door", "4 door"}},
		{"a.go", "package a\n\n// The gate is ordinary English in a sentence.\nvar gateHTTP int\n", []string{"4 gate"}},
		{"a.go", "package a\n\n// It comes about next door.\n", []string{`3 \bcomes about\b`}},
		{"some/a.go", "package a\n\nvar tailDoor, tailDOOR int\n", []string{"3 door"}},
		{"gate_door.go", "package a\n", []string{"0 door", "0 gate"}},
		{"a.md", "# Gate\n\nA door.\n", []string{"3 door"}},
		{"a.go", "package a\n\nvar indoor, HTTPDoor, doorkeeper int\n", []string{"3 door"}},
	} {
		var got []string
		for _, use := range list.uses(tc.name, tc.text) {
			got = append(got, fmt.Sprintf("%d %s", use.line, use.word))
		}
		slices.Sort(got)
		require.Equal(t, tc.want, got, tc.text)
	}
	_, err = parseWordList("sometimes word other")
	require.Error(t, err)
}

// wordList is vocabulary.txt.
type wordList struct {
	everywhere, identifiers map[string]bool
	phrases                 []*regexp.Regexp
	allowed                 []allowance
	instead                 map[string]string // by word or phrase
}

// allowance is text that is not counted in the files below a folder.
type allowance struct {
	below string
	text  *regexp.Regexp
}

// use is a refused word on a line; line 0 is the file's name.
type use struct {
	line int
	word string
}

func readWordList(t *testing.T) wordList {
	t.Helper()
	list, err := parseWordList(read(t, "internal/house/vocabulary.txt"))
	require.NoError(t, err)
	return list
}

func parseWordList(text string) (wordList, error) {
	list := wordList{everywhere: map[string]bool{}, identifiers: map[string]bool{}, instead: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// Columns are at least two blanks apart where a column may contain one.
		kind, rest, _ := strings.Cut(line, " ")
		first, second := columns(strings.TrimSpace(rest))
		switch kind {
		case "everywhere", "identifiers":
			for word := range strings.SplitSeq(first, ",") {
				list.instead[word] = second
				if kind == "everywhere" {
					list.everywhere[word] = true
				} else {
					list.identifiers[word] = true
				}
			}
		case "phrase":
			expr, err := regexp.Compile("(?i)" + first)
			if err != nil {
				return list, err
			}
			list.phrases, list.instead[first] = append(list.phrases, expr), second
		case "allow":
			expr, err := regexp.Compile(second)
			if err != nil {
				return list, err
			}
			list.allowed = append(list.allowed, allowance{strings.TrimPrefix(first, "*"), expr})
		default:
			return list, fmt.Errorf("vocabulary.txt: %q begins no line", kind)
		}
	}
	return list, nil
}

// columns cuts a line at its first two blanks, or at its first one.
func columns(line string) (first, second string) {
	first, second, ok := strings.Cut(line, "  ")
	if !ok {
		first, second, _ = strings.Cut(line, " ")
	}
	return first, strings.TrimSpace(second)
}

// uses returns the refused words of a file, its name included.
func (l wordList) uses(name, text string) []use {
	for _, allowed := range l.allowed {
		if strings.HasPrefix(name, allowed.below) {
			// Lines stay where they are.
			text = allowed.text.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
		}
	}
	base := filepath.Base(name)
	found := l.inIdentifier(nil, 0, strings.TrimSuffix(base, filepath.Ext(base)))
	if filepath.Ext(name) != ".go" {
		return l.inSentences(found, 1, text)
	}
	files := token.NewFileSet()
	file := files.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		line := file.Line(pos)
		switch kind {
		case token.EOF:
			return found
		case token.IDENT:
			found = l.inIdentifier(found, line, literal)
		case token.COMMENT, token.STRING:
			found = l.inSentences(found, line, literal)
		default:
		}
	}
}

func (l wordList) inIdentifier(found []use, line int, identifier string) []use {
	for _, word := range splitWords(identifier) {
		// most alone is a maximum in any language; mostRows has a shorter name.
		if l.everywhere[word] || l.identifiers[word] && (word != "most" || len(identifier) > len(word)) {
			found = append(found, use{line, word})
		}
	}
	return found
}

func (l wordList) inSentences(found []use, first int, text string) []use {
	number := first
	for line := range strings.Lines(text) {
		for _, word := range splitWords(line) {
			if l.everywhere[word] {
				found = append(found, use{number, word})
			}
		}
		for _, phrase := range l.phrases {
			for range phrase.FindAllString(line, -1) {
				found = append(found, use{number, strings.TrimPrefix(phrase.String(), "(?i)")})
			}
		}
		number++
	}
	return found
}

// splitWords returns the words of a text in small letters: HTTPDoor_open is http, door and open.
func splitWords(text string) []string {
	var words []string
	runes := []rune(text)
	for i := 0; i < len(runes); {
		start := i
		for i < len(runes) && unicode.IsUpper(runes[i]) {
			i++
		}
		if i-start > 1 && i < len(runes) && unicode.IsLower(runes[i]) {
			words = append(words, strings.ToLower(string(runes[start:i-1])))
			start = i - 1
		}
		for i < len(runes) && unicode.IsLower(runes[i]) {
			i++
		}
		if i == start {
			i++
			continue
		}
		words = append(words, strings.ToLower(string(runes[start:i])))
	}
	return words
}

// writtenFiles lists the files that people write, relative to the root.
func writtenFiles(t *testing.T) []string {
	t.Helper()
	kinds := []string{".go", ".md", ".graphqls", ".ts", ".tsx", ".html", ".sql", ".js", ".mjs", ".css", ".yml", ".tmpl", ".gotpl", ".tolk"}
	var names []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "node_modules", "dist", "tonql-data", "bin"}, name)) {
				return fs.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err == nil && slices.Contains(kinds, filepath.Ext(name)) && entry.Type().IsRegular() {
			names = append(names, filepath.ToSlash(relative))
		}
		return err
	}))
	return names
}

// generatedText reports whether a tool wrote the text.
func generatedText(text string) bool {
	return regexp.MustCompile(`(?m)^(//|#|<!--) ?Code generated .* DO NOT EDIT`).MatchString(text)
}
