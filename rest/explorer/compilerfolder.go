package explorer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a folder of compilers. A compiler has some 8 MB.
const (
	maxCompilers    = 32
	maxPackages     = 5000     // folders that are looked at
	maxCompilerFile = 24 << 20 // bytes
	maxPackageFile  = 64 << 10 // bytes of package.json
)

// packageFiles are the files of a package of npm that a compiler consists of, in its folder dist.
type packageFiles struct {
	name  string
	files []string
}

// The packages that are served. Everything else in the folder is ignored.
var (
	funcLibrary = packageFiles{"@ton-community/func-js", []string{"index.js", "path.js", "utils.js"}}
	funcBinary  = packageFiles{"@ton-community/func-js-bin", []string{"index.js", "funcfiftlib.js", "funcfiftlib.wasm.js"}}
	tolkPackage = packageFiles{"@ton/tolk-js", []string{"index.js", "path-utils.js", "tolkfiftlib.js", "tolkfiftlib.wasm.js", "stdlib.tolk.js"}}
)

// debuggerModules are what the FunC compiler names besides and needs only for debugging; they are empty here.
var debuggerModules = []string{
	"fflate/index.js", "@ton-community/func-js-bin/funcfiftlib.debugger.js", "@ton-community/func-js-bin/funcfiftlib.debugger.bpatch.gzip.js",
}

// compilerVersion is the form of a version of npm.
var compilerVersion = regexp.MustCompile(`^\d{1,6}(\.\d{1,6}){2}(-[0-9A-Za-z.-]{1,50})?$`)

// installed is a package in the folder.
type installed struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	path    string // below the folder
}

// OpenCompilers reads the compilers in a folder: its packages, or those of node_modules in it. Several versions of one compiler can be
// installed under other names (npm install func-0.4.4@npm:@ton-community/func-js-bin@0.4.4). Links that leave the folder are not followed.
func OpenCompilers(folder string) (*Compilers, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("folder of compilers: %w", err)
	}
	defer func() { _ = root.Close() }() // it was only read
	below := "."
	if info, err := root.Stat("node_modules"); err == nil && info.IsDir() {
		below = "node_modules"
	}
	packages, err := installedPackages(root, below)
	if err != nil {
		return nil, fmt.Errorf("folder of compilers %s: %w", folder, err)
	}
	compilers := &Compilers{scripts: map[string]compilerScript{}}
	for _, p := range packages {
		name, parts := compilerOf(p, packages)
		if _, twice := compilers.scripts[name+".js"]; name == "" || twice {
			continue
		}
		if len(compilers.names) == maxCompilers {
			return nil, fmt.Errorf("folder of compilers %s: more than %d compilers", folder, maxCompilers)
		}
		script, err := bundle(root, parts)
		if err != nil {
			return nil, fmt.Errorf("folder of compilers %s: %s: %w", folder, name, err)
		}
		compilers.names = append(compilers.names, name)
		compilers.scripts[name+".js"] = script
	}
	if len(compilers.names) == 0 {
		return nil, fmt.Errorf("folder of compilers %s: neither %s nor %s is installed in it", folder, funcLibrary.name, tolkPackage.name)
	}
	return compilers, nil
}

// installedPackages lists the packages that are served, the newest versions first.
func installedPackages(root *os.Root, below string) ([]installed, error) {
	folders, err := packageFolders(root.FS(), below)
	if err != nil {
		return nil, err
	}
	var found []installed
	for _, folder := range folders {
		text, err := readBounded(root, path.Join(folder, "package.json"), maxPackageFile)
		p := installed{path: folder}
		if err != nil || json.Unmarshal(text, &p) != nil || !compilerVersion.MatchString(p.Version) {
			continue // no package, or none that is served
		}
		found = append(found, p)
	}
	slices.SortStableFunc(found, func(a, b installed) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), compareVersions(b.Version, a.Version))
	})
	return found, nil
}

// packageFolders lists the folders that can be packages: those below a folder, and those below scopes in it.
func packageFolders(files fs.FS, below string) ([]string, error) {
	names, err := fs.Glob(files, path.Join(below, "*"))
	if err != nil {
		return nil, err
	}
	scoped, err := fs.Glob(files, path.Join(below, "@*", "*"))
	if err != nil {
		return nil, err
	}
	names = append(names, scoped...)
	if len(names) > maxPackages {
		return nil, fmt.Errorf("more than %d packages", maxPackages)
	}
	return names, nil
}

// compareVersions compares versions by their numbers, then as texts; one without a suffix is newer than those with one.
func compareVersions(a, b string) int {
	numbersA, suffixA, _ := strings.Cut(a, "-")
	numbersB, suffixB, _ := strings.Cut(b, "-")
	numbers := func(s string) (list []int) {
		for part := range strings.SplitSeq(s, ".") {
			n, _ := strconv.Atoi(part) // compilerVersion matched
			list = append(list, n)
		}
		return list
	}
	if suffixA == "" || suffixB == "" {
		return cmp.Or(slices.Compare(numbers(numbersA), numbers(numbersB)), cmp.Compare(suffixB, suffixA))
	}
	return cmp.Or(slices.Compare(numbers(numbersA), numbers(numbersB)), cmp.Compare(suffixA, suffixB))
}

// compilerOf returns the name of the compiler in a package and the files of each package that it consists of, by folder. The name is
// empty for packages that are none.
func compilerOf(p installed, all []installed) (string, map[string]packageFiles) {
	switch p.Name {
	case tolkPackage.name:
		return "tolk-" + p.Version, map[string]packageFiles{p.path: tolkPackage}
	case funcBinary.name:
		for _, library := range all {
			if library.Name == funcLibrary.name {
				return "func-" + p.Version, map[string]packageFiles{p.path: funcBinary, library.path: funcLibrary}
			}
		}
	}
	return "", nil
}

// bundle returns one script with all files of a compiler, each as a function that the worker's loader runs as a CommonJS module.
func bundle(root *os.Root, parts map[string]packageFiles) (compilerScript, error) {
	var script bytes.Buffer
	for _, folder := range slices.Sorted(maps.Keys(parts)) {
		for _, name := range parts[folder].files {
			text, err := readBounded(root, path.Join(folder, "dist", name), maxCompilerFile)
			if err != nil {
				return compilerScript{}, err
			}
			define(&script, parts[folder].name+"/"+name, text)
		}
	}
	for _, name := range debuggerModules {
		define(&script, name, nil)
	}
	return newCompilerScript(script.Bytes())
}

func define(script *bytes.Buffer, name string, text []byte) {
	fmt.Fprintf(script, "compilerModule(%q,function(module,exports,require){\n", name)
	script.Write(text)
	script.WriteString("\n});\n")
}

// errTooLong is the error of a file that exceeds its bound.
var errTooLong = errors.New("the file is too large")

// readBounded reads a regular file of at most limit bytes.
func readBounded(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Stat(name) // before it is opened: opening a pipe would wait for its writer
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s: %w", name, errTooLong)
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}
