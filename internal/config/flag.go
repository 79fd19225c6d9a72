package config

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
)

// configFlag names the configuration file.
const configFlag = "config"

// Flags returns the flags of a command with the given settings, preceded by --config. allowed are the settings that a
// configuration file may have: one file serves all commands, and each takes from it what it has.
func Flags(allowed, settings []Setting) []cli.Flag {
	f := &file{allowed: allowed}
	path := Text(configFlag, "", "configuration file (YAML) with the settings of all commands; see 'tonql config print'").Path()
	path.theme, path.argument = "General", true
	flags := []cli.Flag{&cli.StringFlag{
		Name: path.name, Usage: path.usage, Category: path.theme, TakesFile: true, Destination: &f.path,
		Sources: cli.NewValueSourceChain(&source{setting: path, file: f}),
	}}
	for _, s := range settings {
		flags = append(flags, s.flag(f))
	}
	return flags
}

func (s Setting) flag(f *file) cli.Flag {
	from := cli.NewValueSourceChain(&source{setting: s, file: f})
	switch v := s.value.(type) {
	case int:
		return &cli.IntFlag{Name: s.name, Value: v, Usage: s.usage, Category: s.theme, Sources: from}
	case float64:
		return &cli.FloatFlag{Name: s.name, Value: v, Usage: s.usage, Category: s.theme, Sources: from}
	case bool:
		return &cli.BoolFlag{Name: s.name, Value: v, Usage: s.usage, Category: s.theme, Sources: from}
	case time.Duration:
		return &cli.DurationFlag{Name: s.name, Value: v, Usage: s.usage, Category: s.theme, Sources: from}
	case []string:
		return &cli.StringSliceFlag{Name: s.name, Value: v, Usage: s.usage, Category: s.theme, Sources: from, TakesFile: s.path}
	default:
		return &cli.StringFlag{Name: s.name, Value: fmt.Sprint(v), Usage: s.usage, Category: s.theme, Sources: from, TakesFile: s.path}
	}
}

// source gives a flag its value from the environment or the file, and remembers which. It carries the declaration of the
// flag.
type source struct {
	setting Setting
	file    *file
	origin  string // where the value is from: a variable, or a file with the line; empty: neither
	err     error
}

// Lookup implements [cli.ValueSource]. It is called for flags that are not on the command line.
func (s *source) Lookup() (string, bool) {
	if text, ok := os.LookupEnv(s.setting.Variable()); ok {
		s.origin = s.setting.Variable()
		if _, isText := s.setting.value.(string); text == "" && !isText {
			return "", false
		}
		if s.err = s.setting.each(text); s.err != nil {
			return "", false
		}
		return text, true
	}
	if s.setting.argument {
		return "", false
	}
	e, ok := s.file.value(s.setting.name)
	if ok {
		s.origin = fmt.Sprintf("%s:%d", s.file.path, e.line)
	}
	return e.text, ok
}

// IsFromEnv and Key let the help name the variable.
func (s *source) IsFromEnv() bool  { return true }
func (s *source) Key() string      { return s.setting.Variable() }
func (s *source) String() string   { return s.origin }
func (s *source) GoString() string { return s.setting.name }

// each parses the items of a list, or the one value of another setting.
func (s Setting) each(text string) error {
	if _, list := s.value.([]string); !list {
		return s.parse(text)
	}
	for item := range strings.SplitSeq(text, ",") {
		if err := s.parse(item); err != nil {
			return err
		}
	}
	return nil
}

// sourceOf returns the source of a flag of this package, nil of another flag.
func sourceOf(f cli.Flag) *source {
	var from cli.ValueSourceChain
	switch f := f.(type) {
	case *cli.StringFlag:
		from = f.Sources
	case *cli.IntFlag:
		from = f.Sources
	case *cli.FloatFlag:
		from = f.Sources
	case *cli.BoolFlag:
		from = f.Sources
	case *cli.DurationFlag:
		from = f.Sources
	case *cli.StringSliceFlag:
		from = f.Sources
	}
	for _, s := range from.Chain {
		if ours, ok := s.(*source); ok {
			return ours
		}
	}
	return nil
}

// Declared returns the setting that a flag declares.
func Declared(f cli.Flag) (Setting, bool) {
	s := sourceOf(f)
	if s == nil {
		return Setting{}, false
	}
	return s.setting, true
}

// Effective is the value of a setting in one run of a command.
type Effective struct {
	Setting Setting
	Value   any    // as the file has it, without secrets
	Origin  string // the flag, the variable or the line of the file; empty: the default
}

// Values returns the settings of a command that a configuration file can have, with their values.
func Values(c *cli.Command) []Effective {
	var all []Effective
	for _, f := range c.Flags {
		from := sourceOf(f)
		if from == nil || from.setting.argument {
			continue
		}
		s := from.setting
		all = append(all, Effective{s, s.written(f.Get()), from.originOf(f)})
	}
	return all
}

// originOf says where the value of a flag is from.
func (s *source) originOf(f cli.Flag) string {
	switch {
	case s.origin != "":
		return s.origin
	case f.IsSet():
		return "--" + s.setting.name
	default:
		return ""
	}
}

// Check checks the values of all flags of a command. Its error names each wrong value with where it is from.
func Check(c *cli.Command) error {
	var mistakes []string
	checked := map[*file]bool{}
	for _, f := range c.Flags {
		from := sourceOf(f)
		if from == nil {
			continue
		}
		if !checked[from.file] {
			checked[from.file] = true
			if from.file.value(""); from.file.err != nil {
				mistakes = append(mistakes, from.file.err.Error())
			}
		}
		switch {
		case from.err != nil:
			mistakes = append(mistakes, asRefusal(from.origin, from.err))
		case from.origin == "" && f.IsSet():
			if err := from.setting.items(f.Get()); err != nil {
				mistakes = append(mistakes, asRefusal("--"+from.setting.name, err))
			}
		}
	}
	if len(mistakes) > 0 {
		return chain.Invalidf("%s", strings.Join(mistakes, "\n"))
	}
	return nil
}

// items parses a value of a flag.
func (s Setting) items(value any) error {
	list, ok := value.([]string)
	if !ok {
		return s.parse(s.text(value))
	}
	for _, item := range list {
		if err := s.parse(item); err != nil {
			return err
		}
	}
	return nil
}

var (
	undefinedFlag = regexp.MustCompile(`^flag provided but not defined: -+(\S+)`)
	invalidFlag   = regexp.MustCompile(`(?s)^invalid value "(.*)" for flag -+([a-z0-9-]+): `)
	missingValue  = regexp.MustCompile(`^flag needs an argument: -+(\S+)`)
)

// UsageError rewrites an error of the parser of flags: it says what is accepted, or which flag may be meant, instead of
// printing the complete help.
func UsageError(c *cli.Command, err error) error {
	text, path := err.Error(), c.FullName()
	help := "see " + path + " --help"
	if m := undefinedFlag.FindStringSubmatch(text); m != nil {
		name, _, _ := strings.Cut(m[1], "=")
		if near := Nearest(name, flagNames(c)); near != "" {
			return chain.Invalidf("%s has no flag --%s; did you mean --%s?", path, name, near)
		}
		return chain.Invalidf("%s has no flag --%s; %s", path, name, help)
	}
	if m := invalidFlag.FindStringSubmatch(text); m != nil {
		for _, f := range c.Flags {
			if s, ok := Declared(f); ok && s.name == m[2] {
				given, err := strconv.Unquote(`"` + m[1] + `"`)
				if err != nil {
					given = m[1]
				}
				return chain.Invalidf("%s", asRefusal("--"+s.name, s.refused(s.accepted(), given)))
			}
		}
	}
	if m := missingValue.FindStringSubmatch(text); m != nil {
		return chain.Invalidf("--%s needs a value; %s", m[1], help)
	}
	return chain.Invalidf("%s; %s", text, help)
}

func flagNames(c *cli.Command) []string {
	var all []string
	for _, f := range c.Flags {
		all = append(all, f.Names()...)
	}
	slices.Sort(all)
	return all
}
