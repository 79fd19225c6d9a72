package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// assetsJSON lists the embedded files of npm packages. The hashes are those of the files in the named versions, so a file that
// is replaced needs a new entry.
//
//go:embed assets.json
var assetsJSON []byte

// asset is an npm package with files in a folder that the binary embeds.
type asset struct {
	Name    string            `json:"name"`
	Version string            `json:"version"`
	Licence string            `json:"licence"`
	Files   map[string]string `json:"files"` // SHA-256 by path
	Texts   []string          `json:"texts"` // paths of licences and copyrights
	Bundles []string          `json:"bundles"`
}

func listAssets(root string) ([]component, error) {
	var assets []asset
	if err := json.Unmarshal(assetsJSON, &assets); err != nil {
		return nil, fmt.Errorf("assets.json: %w", err)
	}
	var all []component
	for _, a := range assets {
		c := component{ecosystem: "npm", name: a.Name, version: a.Version, licences: []string{a.Licence}, bundles: a.Bundles}
		for path, want := range a.Files {
			data, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				return nil, err
			}
			if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
				return nil, fmt.Errorf("%s is not the file of %s: enter its version and hash in assets.json", path, c.id())
			}
		}
		for _, path := range a.Texts {
			data, err := readText(filepath.Join(root, path))
			if err != nil {
				return nil, err
			}
			c.texts = append(c.texts, text{filepath.Base(path), data})
		}
		all = append(all, c)
	}
	return all, nil
}

// listBundled returns the npm packages that the build of a page bundles: those that its lock file, in a folder, does not mark as needed
// for development only.
func listBundled(root, folder string) ([]component, error) {
	data, err := os.ReadFile(filepath.Join(root, folder, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
			Licence string `json:"license"`
			Dev     bool   `json:"dev"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("lock file of %s: %w", folder, err)
	}
	var all []component
	for path, p := range lock.Packages {
		if path == "" || p.Dev {
			continue
		}
		c := component{ecosystem: "npm", name: path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):], version: p.Version, licences: []string{p.Licence}}
		file := strings.ReplaceAll(c.name, "/", "-") + "@" + c.version + ".txt"
		content, err := readText(filepath.Join(root, "deploy/thirdparty/texts", file))
		if missing(err) {
			return nil, fmt.Errorf("%s bundles %s: copy the licence of that version to deploy/thirdparty/texts/%s", folder, c.id(), file)
		}
		if err != nil {
			return nil, err
		}
		c.texts = []text{{"LICENSE", content}}
		all = append(all, c)
	}
	return all, nil
}
