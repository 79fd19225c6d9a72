package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// component is a module or a package of others that the binary contains.
type component struct {
	ecosystem string // golang or npm, as in package URLs
	name      string
	version   string
	licences  []string // SPDX identifiers, sorted
	texts     []text
	bundles   []string // packages that a published script contains
}

// text is one file with a licence or a copyright.
type text struct {
	name string
	text string
}

// id names a component with its version. The standard library has that of the build, so it has none in lists.
func (c component) id() string {
	if c.version == "" {
		return c.name
	}
	return c.name + " " + c.version
}

// list returns all components of the repository at root, sorted by name.
func list(root string) ([]component, error) {
	modules, err := listModules(root)
	if err != nil {
		return nil, err
	}
	assets, err := listAssets(root)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(modules, assets)
	for _, folder := range []string{"rest/explorer/app", "rest/dashboard/app"} {
		packages, err := listBundled(root, folder)
		if err != nil {
			return nil, err
		}
		for _, c := range packages { // both pages may bundle a package
			if !slices.ContainsFunc(all, func(other component) bool { return other.ecosystem == c.ecosystem && other.id() == c.id() }) {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b component) int {
		return cmp.Or(cmp.Compare(a.ecosystem, b.ecosystem), cmp.Compare(a.name, b.name), cmp.Compare(a.version, b.version))
	})
	return all, nil
}

// linked lists a line for each linked package: its folder, and the module with its version and folder.
const linked = `{{if .Standard}}std{{else}}{{with .Module}}{{if not .Main}}{{.Path}}|{{.Version}}|{{.Dir}}{{end}}{{end}}{{end}}|{{.Dir}}`

// listModules returns the modules that the binary for Linux links, and the standard library.
func listModules(root string) ([]component, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", linked, "./cmd/tonql") //nolint:noctx // a program that runs to its end
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list of linked packages: %w", err)
	}
	base, err := goroot()
	if err != nil {
		return nil, fmt.Errorf("folder of Go: %w", err)
	}
	licence, err := os.ReadFile(filepath.Join(base, "LICENSE"))
	if err != nil {
		return nil, fmt.Errorf("licence of Go: %w", err)
	}
	found := map[string]*component{"std": {ecosystem: "golang", name: "std", texts: []text{{"LICENSE", string(licence)}}}}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 4 { // the standard library, or the module itself
			continue
		}
		name, version, top, folder := fields[0], fields[1], fields[2], fields[3]
		c := found[name]
		if c == nil {
			c = &component{ecosystem: "golang", name: name, version: version}
			found[name] = c
		}
		// A package may have a licence of its own below that of the module.
		for ; strings.HasPrefix(folder, top); folder = filepath.Dir(folder) {
			if seen[folder] {
				break
			}
			seen[folder] = true
			texts, err := readTexts(folder, top)
			if err != nil {
				return nil, err
			}
			c.texts = append(c.texts, texts...)
		}
	}
	var all []component
	for _, c := range found {
		slices.SortFunc(c.texts, func(a, b text) int { return cmp.Compare(a.name, b.name) })
		if err := c.classify(); err != nil {
			return nil, err
		}
		all = append(all, *c)
	}
	return all, nil
}

// goroot returns the folder of the go command that builds the binary.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output() //nolint:noctx // a program that runs to its end
	return string(bytes.TrimSpace(out)), err
}

var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|NOTICE|copyright|patents)([-.].*)?$`)

// maxText is far above the longest licence, so that a file of data by such a name is refused.
const maxText = 256 << 10

// readTexts reads the files with licences of one folder, named relative to top.
func readTexts(folder, top string) ([]text, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		path := filepath.Join(folder, e.Name())
		data, err := readText(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text{filepath.ToSlash(name), data})
	}
	return texts, nil
}

func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Size() > maxText {
		return "", fmt.Errorf("%s has %d bytes: a licence has at most %d", path, info.Size(), maxText)
	}
	data, err := os.ReadFile(path)
	return strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), err
}

// signs identify a licence by sentences of its text, compared without line breaks and in lower case.
var signs = []struct {
	licence  string
	contains []string
}{
	{"Apache-2.0", []string{"apache license version 2.0, january 2004"}},
	{"MPL-2.0", []string{"mozilla public license version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license, version 2.0"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "may be used to endorse or promote products"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"ISC", []string{"permission to use, copy, modify, and distribute this software for any purpose"}},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}},
	{"LicenseRef-public-domain", []string{"public domain"}},
}

var spaces = regexp.MustCompile(`\s+`)

// identify returns the SPDX identifier of a text, or "".
func identify(s string) string {
	s = strings.ToLower(spaces.ReplaceAllString(s, " "))
	for _, sign := range signs {
		if !slices.ContainsFunc(sign.contains, func(part string) bool { return !strings.Contains(s, part) }) {
			return sign.licence
		}
	}
	return ""
}

// classify finds the licences of a component from its texts. A component without a licence that is listed in signs is an
// error: a person has to read it first.
func (c *component) classify() error {
	for _, t := range c.texts {
		if found := identify(t.text); found != "" && !slices.Contains(c.licences, found) {
			c.licences = append(c.licences, found)
		}
	}
	slices.Sort(c.licences)
	if len(c.licences) == 0 {
		return fmt.Errorf("%s: no file with a licence that is accepted here", c.id())
	}
	for _, t := range c.texts {
		if strings.Contains(strings.ToUpper(t.text), "GNU GENERAL PUBLIC LICENSE") && !slices.Contains(c.licences, "MPL-2.0") {
			return fmt.Errorf("%s: %s names the GPL, which the binary cannot contain", c.id(), t.name)
		}
	}
	return nil
}

// missing reports whether a file does not exist.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
