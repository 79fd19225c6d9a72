// Command generate writes graph/generated.go and the stubs of new resolvers, as `gqlgen generate` does, with an executor
// that runs on package graph/exec. docs/executor.md explains why.
//
//	go run ./graph/generate [gqlgen.yml]
//
// The templates of the executor are in this folder. Templates for what both executors share (arguments, input objects,
// resolver interfaces) are read unchanged from the source of gqlgen, which `go list` locates, so the command has to run
// inside the module.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing/fstest"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/99designs/gqlgen/plugin/modelgen"
	"github.com/99designs/gqlgen/plugin/resolvergen"
)

const library = "github.com/99designs/gqlgen/codegen"

//go:embed *.gotpl
var executor embed.FS

// shared are the templates of gqlgen that are used as they are.
var shared = []string{"api!.gotpl", "args.gotpl", "directives_.gotpl", "generated!.gotpl", "input.gotpl"}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	load := config.LoadConfigFromDefaultLocations
	if len(args) > 0 {
		load = func() (*config.Config, error) { return config.LoadConfig(args[0]) }
	}
	cfg, err := load()
	if err != nil {
		return fmt.Errorf("gqlgen.yml: %w", err)
	}
	from, err := templateFiles()
	if err != nil {
		return err
	}
	// gqlgen loads the packages of the models, some of which import the generated package. The outdated file is removed
	// first, so that it cannot fail to compile, and restored when the generation fails.
	old, err := os.ReadFile(cfg.Exec.Filename)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the present executor: %w", err)
	}
	if err := generate(cfg, from); err != nil {
		return errors.Join(err, os.WriteFile(cfg.Exec.Filename, old, 0o600))
	}
	return nil
}

func generate(cfg *config.Config, from fs.FS) error {
	if err := os.Remove(cfg.Exec.Filename); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the present executor: %w", err)
	}
	if err := cfg.LoadSchema(); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	codegen.ClearInlineArgsMetadata()
	if err := codegen.ExpandInlineArguments(cfg.Schema); err != nil {
		return fmt.Errorf("inline arguments: %w", err)
	}
	if err := cfg.Init(); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	models, ok := modelgen.New().(*modelgen.Plugin)
	if !ok {
		return errors.New("gqlgen's generator of models is another type")
	}
	if err := models.MutateConfig(cfg); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	resolvers, ok := resolvergen.New().(*resolvergen.Plugin)
	if !ok {
		return errors.New("gqlgen's generator of resolvers is another type")
	}
	data, err := codegen.BuildData(cfg, models, resolvers)
	if err != nil {
		return fmt.Errorf("types: %w", err)
	}
	err = templates.Render(templates.Options{
		PackageName: cfg.Exec.Package, Filename: cfg.Exec.Filename, Data: data, RegionTags: true, GeneratedHeader: true,
		Packages: cfg.Packages, TemplateFS: from, PruneOptions: cfg.GetPruneOptions(), Funcs: functions(),
	})
	if err != nil {
		return fmt.Errorf("templates: %w", err)
	}
	if !cfg.Resolver.IsDefined() {
		return nil
	}
	if err := resolvers.GenerateCode(data); err != nil {
		return fmt.Errorf("resolvers: %w", err)
	}
	return nil
}

// templateFiles returns the templates of the executor and the shared ones of gqlgen.
func templateFiles() (fs.FS, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", library).Output() //nolint:noctx // a command that ends
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", library, err)
	}
	all := fstest.MapFS{}
	add := func(from fs.FS, names []string) error {
		for _, name := range names {
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return fmt.Errorf("template %s: %w", name, err)
			}
			all[name] = &fstest.MapFile{Data: text}
		}
		return nil
	}
	if err := add(os.DirFS(strings.TrimSpace(string(out))), shared); err != nil {
		return nil, err
	}
	names, err := fs.Glob(executor, "*.gotpl")
	if err != nil {
		return nil, fmt.Errorf("templates: %w", err)
	}
	return all, add(executor, names)
}
