// Package modtest finds the files that modules carry for their tests: real blocks and the real configuration of the main
// network.
package modtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// The modules whose files tests read.
const (
	Tongo    = "github.com/tonkeeper/tongo"
	Tonutils = "github.com/xssnick/tonutils-go"
)

var folders sync.Map // of modules by their paths

// Folder is where the module cache keeps a module of go.mod. A test that runs alone on a new machine brings the module,
// since go test has only brought what that test is compiled from.
func Folder(module string) (string, error) {
	if folder, ok := folders.Load(module); ok {
		return folder.(string), nil //nolint:errcheck // nothing else is stored
	}
	out, err := exec.Command("go", "mod", "download", "-json", module).Output() //nolint:noctx // as long as it takes
	var found struct{ Dir, Error string }
	if err = errors.Join(err, json.Unmarshal(out, &found)); err != nil || found.Dir == "" {
		return "", fmt.Errorf("module %s: %s: %w", module, found.Error, err)
	}
	folders.Store(module, found.Dir)
	return found.Dir, nil
}

// Read reads a file of a module.
func Read(module, path string) ([]byte, error) {
	folder, err := Folder(module)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, path))
}
