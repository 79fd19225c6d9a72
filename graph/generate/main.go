// Command generate writes graph/generated.go and the stubs in resolvers, as `gqlgen generate` does, with templates of our
// own for everything that executes a query: what they print runs on package graph/exec and costs a fraction.
//
// It reads gqlgen.yml and takes all other templates from the library's own source, so it must be run where `go list`
// finds that: in the root of the repository.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
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
var ours embed.FS

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return fmt.Errorf("gqlgen.yml: %w", err)
	}
	from, err := sources()
	if err != nil {
		return err
	}
	// The library reads the packages of the models, among them those that import what is generated; it must not mind
	// that what is there is old.
	old, err := os.ReadFile(cfg.Exec.Filename)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the present executor: %w", err)
	}
	if err := generate(cfg, from); err != nil {
		return errors.Join(err, os.WriteFile(cfg.Exec.Filename, old, 0o600))
	}
	return nil
}

func generate(cfg *config.Config, from fs.FS) error {
	if err := os.Remove(cfg.Exec.Filename); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the present executor: %w", err)
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
		return errors.New("the library's generator of models is another type")
	}
	if err := models.MutateConfig(cfg); err != nil {
		return fmt.Errorf("models: %w", err)
	}
	resolvers, ok := resolvergen.New().(*resolvergen.Plugin)
	if !ok {
		return errors.New("the library's generator of resolvers is another type")
	}
	data, err := codegen.BuildData(cfg, models, resolvers)
	if err != nil {
		return fmt.Errorf("types: %w", err)
	}
	waiting, err := waitingResolvers(cfg.Resolver.Dir())
	if err != nil {
		return err
	}
	err = templates.Render(templates.Options{
		PackageName: cfg.Exec.Package, Filename: cfg.Exec.Filename, Data: data, RegionTags: true, GeneratedHeader: true,
		Packages: cfg.Packages, TemplateFS: from, PruneOptions: cfg.GetPruneOptions(), Funcs: functions(waiting),
	})
	if err != nil {
		return fmt.Errorf("templates: %w", err)
	}
	if err := resolvers.GenerateCode(data); err != nil {
		return fmt.Errorf("resolvers: %w", err)
	}
	return nil
}

// sources are the library's templates with ours in their places.
func sources() (fs.FS, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", library).Output() //nolint:noctx // a command that ends
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", library, err)
	}
	all := fstest.MapFS{}
	for _, folder := range []fs.FS{os.DirFS(strings.TrimSpace(string(out))), ours} {
		names, err := fs.Glob(folder, "*.gotpl")
		if err != nil {
			return nil, fmt.Errorf("templates: %w", err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, fmt.Errorf("template %s: %w", name, err)
			}
			all[path.Base(name)] = &fstest.MapFile{Data: text}
		}
	}
	for _, cut := range []struct{ file, from, to, with string }{
		// How values are read stays as it is; how they are written is ours.
		{"type.gotpl", "{{ with $type.MarshalFunc }}", "{{- if and $type.HasEnumValues", `{{ template "put" (dict "type" $type "data" $) }}` + "\n"},
		// What stands above a field is known without a function for each.
		{"internal!.gotpl", "// childFields_* functions", `{{ template "globalMiddleware"`, ""},
	} {
		text := string(all[cut.file].Data)
		before, rest, found := strings.Cut(text, cut.from)
		i := strings.Index(rest, cut.to)
		if !found || i < 0 {
			return nil, fmt.Errorf("template %s of the library has changed: %q is not there", cut.file, cut.from)
		}
		all[cut.file] = &fstest.MapFile{Data: []byte(before + cut.with + rest[i:])}
	}
	return all, nil
}
