// Command manifests reads Kubernetes objects into the types of Kubernetes, and compose files (compose.yaml) by the rules of Docker
// Compose with all profiles. Unknown fields, values of another type, and kinds that it does not list are errors.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	k8syaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func main() {
	for _, name := range os.Args[1:] {
		check := kubernetes
		if filepath.Base(name) == "compose.yaml" {
			check = compose
		}
		if err := check(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// compose loads a file with a value for each variable that it requires, and prints the services.
func compose(name string) error {
	ctx := context.Background()
	options, err := cli.NewProjectOptions([]string{name}, cli.WithEnv([]string{"POSTGRES_PASSWORD=secret"}), cli.WithProfiles([]string{"*"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return err
	}
	for _, service := range project.ServiceNames() {
		fmt.Println("service", service)
	}
	return nil
}

// kinds are the types of objects by API version and kind.
var kinds = map[string]func() any{
	"v1 Namespace":                       func() any { return &core.Namespace{} },
	"v1 ServiceAccount":                  func() any { return &core.ServiceAccount{} },
	"v1 ConfigMap":                       func() any { return &core.ConfigMap{} },
	"v1 Secret":                          func() any { return &core.Secret{} },
	"v1 Service":                         func() any { return &core.Service{} },
	"apps/v1 Deployment":                 func() any { return &apps.Deployment{} },
	"apps/v1 StatefulSet":                func() any { return &apps.StatefulSet{} },
	"policy/v1 PodDisruptionBudget":      func() any { return &policy.PodDisruptionBudget{} },
	"networking.k8s.io/v1 NetworkPolicy": func() any { return &networking.NetworkPolicy{} },
}

func kubernetes(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	documents := k8syaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for n := 1; ; n++ {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var head struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Metadata   struct {
				Name string `json:"name"`
			} `json:"metadata"`
		}
		if err := yaml.Unmarshal(text, &head); err != nil {
			return fmt.Errorf("object %d: %w", n, err)
		}
		object := kinds[head.APIVersion+" "+head.Kind]
		if object == nil || head.Metadata.Name == "" {
			return fmt.Errorf("object %d: %q of %q named %q is not listed", n, head.Kind, head.APIVersion, head.Metadata.Name)
		}
		data, err := yaml.YAMLToJSONStrict(text)
		if err != nil {
			return fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
		}
		// As the API server reads them: names of fields are compared with their case.
		unknown, err := json.UnmarshalStrict(data, object())
		if err = errors.Join(append(unknown, err)...); err != nil {
			return fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
		}
		fmt.Println(head.Kind, head.Metadata.Name)
	}
}
