package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"tonql/internal/chain"
)

// Bounds of a configuration file.
const (
	maxFile     = 1 << 20 // bytes
	maxMistakes = 20      // that an error lists
)

// file is a configuration file: YAML, or JSON, with one key for each setting. It is read at the first use.
type file struct {
	path    string // the value of --config; empty: no file
	allowed []Setting
	read    bool
	values  map[string]entry
	err     error
}

// entry is one value of a file, written as in the environment.
type entry struct {
	text string
	line int
}

// value returns the value of a setting.
func (f *file) value(name string) (entry, bool) {
	if !f.read {
		f.read = true
		if f.path != "" {
			f.values, f.err = readFile(f.path, f.allowed)
		}
	}
	e, ok := f.values[name]
	return e, ok
}

// readFile reads the values of a configuration file. Its error names every mistake with its line.
func readFile(path string, allowed []Setting) (map[string]entry, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "--config", Err: err}
	}
	defer func() { _ = in.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "--config " + path, Err: err}
	}
	if len(data) > maxFile {
		return nil, chain.Invalidf("%s: a configuration file has at most %d bytes", path, maxFile)
	}
	var document, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, chain.Invalidf("%s", withFile(path, err))
	}
	if len(document.Content) == 0 {
		return nil, nil // only comments
	}
	switch err := decoder.Decode(&next); {
	case err == nil: // its settings would be ignored
		return nil, chain.Invalidf("%s:%d: a configuration file is one document, without '---' between settings", path, next.Line)
	case !errors.Is(err, io.EOF):
		return nil, chain.Invalidf("%s", withFile(path, err))
	}
	return readMapping(path, document.Content[0], allowed)
}

// yamlLine is the place that the YAML library names.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// withFile is the text of an error of the YAML library, with the place as compilers print it.
func withFile(path string, err error) string {
	text := err.Error()
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		place := path
		if m[1] != "" {
			place += ":" + m[1]
		}
		return place + ": " + strings.TrimPrefix(text, m[0])
	}
	return path + ": " + text
}

func readMapping(path string, mapping *yaml.Node, allowed []Setting) (map[string]entry, error) {
	if mapping.Kind != yaml.MappingNode {
		return nil, chain.Invalidf("%s:%d: a configuration file is a list of lines such as 'listen: 127.0.0.1:8080'", path, mapping.Line)
	}
	values := map[string]entry{}
	var mistakes []string
	mistake := func(line int, format string, args ...any) {
		mistakes = append(mistakes, fmt.Sprintf("%s:%d: %s", path, line, fmt.Sprintf(format, args...)))
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if len(mistakes) == maxMistakes {
			mistakes = append(mistakes, path+": the lines after these were not checked")
			break
		}
		key, node := mapping.Content[i], mapping.Content[i+1]
		setting, ok := find(allowed, key.Value)
		if !ok {
			mistake(key.Line, "unknown key %s%s", chain.Quote(key.Value), suggestion(key.Value, names(allowed)))
			continue
		}
		if first, twice := values[key.Value]; twice {
			mistake(key.Line, "%s is set twice, first in line %d", key.Value, first.line)
			continue
		}
		text, err := setting.decode(node)
		if err != nil {
			mistake(key.Line, "%s%v", key.Value, err)
			continue
		}
		values[key.Value] = entry{text: text, line: key.Line}
	}
	if len(mistakes) > 0 {
		return nil, chain.Invalidf("%s", strings.Join(mistakes, "\n"))
	}
	return values, nil
}

// decode returns the value of a node as it is written in the environment.
func (s Setting) decode(node *yaml.Node) (string, error) {
	_, list := s.value.([]string)
	if !list || node.Kind == yaml.ScalarNode {
		text, err := s.scalar(node)
		if err != nil {
			return "", err
		}
		return text, s.parse(text)
	}
	if node.Kind != yaml.SequenceNode {
		return "", &refusal{" should be a list of texts"}
	}
	var items []string
	for _, n := range node.Content {
		text, err := s.scalar(n)
		if err != nil {
			return "", err
		}
		if strings.Contains(text, ",") {
			return "", s.refused("texts without commas", text)
		}
		if err := s.parse(text); err != nil {
			return "", err
		}
		items = append(items, text)
	}
	return strings.Join(items, ","), nil
}

// scalar returns the text of a node that is no list, no mapping and not empty.
func (s Setting) scalar(node *yaml.Node) (string, error) {
	if node.Kind == yaml.AliasNode {
		return "", &refusal{" should be a value, not an alias of another one"}
	}
	if node.Kind != yaml.ScalarNode {
		return "", &refusal{" should be one value: " + s.accepted()}
	}
	if node.Tag == "!!null" {
		return "", &refusal{" has no value; remove the line for the default"}
	}
	if _, duration := s.value.(time.Duration); duration && node.Tag == "!!int" {
		return "", &refusal{fmt.Sprintf(" needs a unit: %ss or %sms, not %s", node.Value, node.Value, node.Value)}
	}
	return node.Value, nil
}

func find(settings []Setting, name string) (Setting, bool) {
	for _, s := range settings {
		if s.name == name && !s.argument {
			return s, true
		}
	}
	return Setting{}, false
}

func names(settings []Setting) []string {
	var all []string
	for _, s := range settings {
		if !s.argument {
			all = append(all, s.name)
		}
	}
	return all
}

// asRefusal returns the sentence about a value, with its subject.
func asRefusal(subject string, err error) string {
	var r *refusal
	if errors.As(err, &r) {
		return subject + r.text
	}
	return subject + ": " + err.Error()
}
