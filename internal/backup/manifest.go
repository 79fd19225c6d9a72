package backup

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"tonql/internal/chain"
)

const (
	manifestName = "tonql-backup.json"
	// format is the version of the layout of a backup.
	format = 1
	// maxManifest bounds the manifest in bytes: some hundred bytes for each of a few dozen files.
	maxManifest = 4 << 20

	databasePart, filesPart = "postgres", "data"
)

// Manifest describes a backup.
type Manifest struct {
	Format  int       `json:"format"`
	Version string    `json:"tonql"` // of the tonql that made it
	Created time.Time `json:"created"`
	// KeyExcluded is set when the data folder has a key of webhook secrets that the backup lacks.
	KeyExcluded bool `json:"webhook_key_excluded"`
	// Files are those of the data folder outside of the database, by path with slashes.
	Files map[string]File `json:"files"`
}

// File is the content of one file.
type File struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func (m *Manifest) write(folder string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return writeSynced(filepath.Join(folder, manifestName), strings.NewReader(string(data)+"\n"))
}

// readManifest reads and checks the manifest of a backup. Its content is untrusted: paths stay below the backup.
func readManifest(folder string) (*Manifest, error) {
	file, err := openPart(folder, manifestName)
	if err != nil {
		return nil, chain.Invalidf("%s is no complete backup: %v", folder, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("manifest of the backup: %w", err)
	}
	m := &Manifest{}
	if len(data) > maxManifest {
		return nil, chain.Invalidf("%s of the backup has more than %d bytes", manifestName, maxManifest)
	}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, chain.Invalidf("%s of the backup: %v", manifestName, err)
	}
	if m.Format != format {
		return nil, chain.Invalidf("the backup has format %d, made by tonql %s: this version reads format %d", m.Format, chain.Quote(m.Version), format)
	}
	for name := range m.Files {
		if m.Files[name].Size < 0 {
			return nil, chain.Invalidf("the backup names a file %s of %d bytes", chain.Quote(name), m.Files[name].Size)
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) || !belongs(name) {
			return nil, chain.Invalidf("the backup names a file %s, which no data folder has", chain.Quote(name))
		}
	}
	return m, nil
}
