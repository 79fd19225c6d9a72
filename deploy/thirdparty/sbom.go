package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// completeSBOM adds to the modules of a CycloneDX document their licences, and the npm packages of the embedded pages, which no
// tool finds in a binary.
func completeSBOM(data []byte, components []component) ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	listed, ok := document["components"].([]any)
	if document["bomFormat"] != "CycloneDX" || !ok {
		return nil, fmt.Errorf("not a CycloneDX document with components")
	}
	licences := map[string][]string{}
	for _, c := range components {
		licences[c.id()] = c.licences
	}
	for _, entry := range listed {
		module, ok := entry.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("component %v is no object", entry)
		}
		id := fmt.Sprintf("%s %s", module["name"], module["version"])
		found := licences[id]
		if module["name"] == "std" {
			found = licences["std"]
		}
		if found == nil {
			return nil, fmt.Errorf("the binary contains %s, which the sources do not: build it from them", id)
		}
		module["licenses"] = licenceChoices(found)
	}
	for _, c := range components {
		if c.ecosystem != "npm" {
			continue
		}
		url := "pkg:npm/" + strings.ReplaceAll(c.name, "@", "%40") + "@" + c.version
		listed = append(listed, map[string]any{
			"bom-ref": url, "type": "library", "name": c.name, "version": c.version, "purl": url, "scope": "required", "licenses": licenceChoices(c.licences),
		})
	}
	document["components"] = listed
	out, err := json.MarshalIndent(document, "", "  ")
	return append(out, '\n'), err
}

func licenceChoices(ids []string) []any {
	var choices []any
	for _, id := range ids {
		key := "id"
		if strings.HasPrefix(id, "LicenseRef-") { // none of SPDX's list
			key = "name"
		}
		choices = append(choices, map[string]any{"license": map[string]any{key: id}})
	}
	return choices
}
