package sourcefile

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"tonql/internal/chain"
)

// Bounds of a list. The largest published ones have some 40 files.
const (
	maxFiles    = 100
	maxName     = 200  // bytes of the name of a file
	maxSetting  = 500  // bytes of the compiler, its version and its command line
	maxFileURI  = 1024 // bytes
	maxFileDeep = 16   // folders in a name
)

// list is the document that a record names, in the form of the TON Contract Verifier. Members that are not read here are ignored.
type list struct {
	Compiler string          `json:"compiler"`
	Settings json.RawMessage `json:"compilerSettings"`
	Sources  []struct {
		URL        string `json:"url"`
		Filename   string `json:"filename"`
		Entrypoint bool   `json:"isEntrypoint"`
		InCommand  bool   `json:"includeInCommand"`
	} `json:"sources"`
}

// settings are those of any compiler.
type settings struct {
	Func    string `json:"funcVersion"`
	Tolk    string `json:"tolkVersion"`
	Tact    string `json:"tactVersion"`
	Fift    string `json:"fiftVersion"`
	Command string `json:"commandLine"`
}

// wanted is a file that a list names.
type wanted struct {
	file chain.SourceFile // without content
	uri  string
}

// parse reads a list. The error is one of input, for those who read the record.
func parse(body []byte) (*chain.SourceFiles, []wanted, error) {
	var l list
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &l); err != nil {
		return nil, nil, chain.Invalidf("the list of the sources is not the JSON object that verifiers write")
	}
	if len(l.Sources) == 0 || len(l.Sources) > maxFiles {
		return nil, nil, chain.Invalidf("the list names %d files, not 1 to %d", len(l.Sources), maxFiles)
	}
	var s settings
	_ = json.Unmarshal(l.Settings, &s) // settings of another form name no version
	found := &chain.SourceFiles{Compiler: label(l.Compiler), CommandLine: label(s.Command)}
	for _, version := range []string{s.Func, s.Tolk, s.Tact, s.Fift} {
		if found.CompilerVersion == "" {
			found.CompilerVersion = label(version)
		}
	}
	files, names := make([]wanted, 0, len(l.Sources)), map[string]bool{}
	for _, source := range l.Sources {
		name, err := cleanName(source.Filename)
		switch {
		case err != nil:
			return nil, nil, err
		case names[name]:
			return nil, nil, chain.Invalidf("the list names the file %s twice", chain.Quote(name))
		case len(source.URL) > maxFileURI:
			return nil, nil, chain.Invalidf("the address of the file %s is longer than %d bytes", chain.Quote(name), maxFileURI)
		}
		names[name] = true
		files = append(files, wanted{uri: source.URL, file: chain.SourceFile{Name: name, Entrypoint: source.Entrypoint, InCommand: source.InCommand}})
	}
	return found, files, nil
}

// cleanName returns the name of a file as a relative path with slashes. Names that lead out of their folder, or that could be
// taken for another name, are refused.
func cleanName(raw string) (string, error) {
	name := path.Clean(strings.TrimLeft(raw, "/"))
	switch {
	case len(raw) > maxName, !utf8.ValidString(raw), strings.ContainsFunc(raw, func(r rune) bool { return !unicode.IsPrint(r) || r == '\\' || r == ':' }),
		strings.Count(name, "/") > maxFileDeep, name == ".":
		return "", chain.Invalidf("the list names a file %s, which is not a relative path of up to %d printable characters", chain.Quote(raw), maxName)
	}
	for part := range strings.SplitSeq(raw, "/") {
		if part == ".." {
			return "", chain.Invalidf("the list names a file %s outside of its folder", chain.Quote(raw))
		}
	}
	return name, nil
}

// label cleans a short text of a list: printable characters, cut to maxSetting bytes.
func label(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > maxSetting {
		s = strings.ToValidUTF8(s[:maxSetting], "")
	}
	return s
}

// content checks the content of a file.
func content(name string, body []byte) (string, error) {
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
		return "", chain.Invalidf("the file %s is not UTF-8 text", chain.Quote(name))
	}
	return string(body), nil
}
