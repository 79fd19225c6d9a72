// Command thirdparty lists what the binary contains of others: Go modules, the standard library, and the scripts and styles of
// embedded pages, with versions and licences. It writes the file THIRD_PARTY_LICENSES, and completes the software bill of
// materials of a build.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	licences := flag.String("licences", "", "file to write the licences to")
	sbom := flag.String("sbom", "", "CycloneDX file of the modules of a build, which is completed")
	flag.Parse()
	if err := run(*licences, *sbom); err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
}

// run is called in the root of the repository.
func run(licences, sbom string) error {
	components, err := list(".")
	if err != nil {
		return err
	}
	if licences != "" {
		if err := os.WriteFile(licences, render(components), 0o644); err != nil {
			return err
		}
	}
	if sbom == "" {
		return nil
	}
	data, err := os.ReadFile(sbom)
	if err == nil {
		data, err = completeSBOM(data, components)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", sbom, err)
	}
	return os.WriteFile(sbom, data, 0o644)
}
