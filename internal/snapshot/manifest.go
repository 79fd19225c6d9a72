package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"tonql/internal/chain"
)

const (
	manifestName = "tonql-snapshot.json"
	// format is the version of the layout of a snapshot.
	format = 1
	// maxManifest bounds the manifest in bytes, at some 150 bytes for each file, and those of all snapshots of an import together.
	maxManifest = 64 << 20
	// maxPart bounds the rows of a file in bytes, uncompressed.
	maxPart = 64 << 30
)

// Manifest describes a snapshot.
type Manifest struct {
	Format  int       `json:"format"`
	Version string    `json:"tonql"` // of the tonql that made it
	Created time.Time `json:"created"`
	Network Network   `json:"network"`
	// Schema lists the migrations of the database, ascending. An import needs exactly these.
	Schema []int64 `json:"schema"`
	// Ranges are the indexed ranges of masterchain blocks, ascending; Head is the last of these blocks.
	Ranges []Range `json:"ranges"`
	Head   Block   `json:"head"`
	Tables []Table `json:"tables"`
}

// Network is the zerostate of a network, hashes in hex.
type Network struct {
	RootHash string `json:"root_hash"`
	FileHash string `json:"file_hash"`
}

// Range is a range of masterchain seqnos.
type Range struct {
	First uint32 `json:"first"`
	Last  uint32 `json:"last"`
}

// Block is a masterchain block, hashes in hex.
type Block struct {
	Seqno    uint32 `json:"seqno"`
	RootHash string `json:"root_hash"`
	FileHash string `json:"file_hash"`
}

// Table is a table with its files, in the order of its pages.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Parts   []Part   `json:"parts"`
}

// Part is a file of a table: its rows, their bytes in the COPY format, the bytes of the file, and its hash in hex.
type Part struct {
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Total is the sum of the files of a snapshot.
type Total struct {
	Files       int
	Rows        int64
	Bytes, Size int64 // uncompressed, and of the files
}

// Total sums up the files of a snapshot.
func (m *Manifest) Total() (sum Total) {
	for _, t := range m.Tables {
		for _, p := range t.Parts {
			sum.Files++
			sum.Rows += p.Rows
			sum.Bytes += p.Bytes
			sum.Size += p.Size
		}
	}
	return sum
}

// Spans returns the indexed ranges.
func (m *Manifest) Spans() []chain.SeqnoRange {
	list := make([]chain.SeqnoRange, len(m.Ranges))
	for i, r := range m.Ranges {
		list[i] = chain.SeqnoRange(r)
	}
	return list
}

// partName is the file of part n of a table, from 0.
func partName(table string, n int) string { return fmt.Sprintf("%s-%06d.copy.zst", table, n+1) }

// encode returns the manifest as it is written, and the SHA-256 of that in hex.
func (m *Manifest) encode() (data []byte, sum string, err error) {
	data, err = json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, "", fmt.Errorf("manifest: %w", err)
	}
	data = append(data, '\n')
	if len(data) > maxManifest {
		return nil, "", chain.Invalidf("the snapshot has too many files for a manifest of %d bytes", maxManifest)
	}
	hash := sha256.Sum256(data)
	return data, hex.EncodeToString(hash[:]), nil
}

// Read reads and checks the manifest of a snapshot, and returns it with the SHA-256 of its file in hex. want is that hash if the caller
// has it, or empty.
func Read(folder, want string) (*Manifest, string, error) {
	m, sum, _, err := read(folder, want, maxManifest)
	return m, sum, err
}

// read is [Read] for a manifest of at most limit bytes. It returns their number, too.
func read(folder, want string, limit int64) (*Manifest, string, int64, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, "", 0, chain.Invalidf("%s is no snapshot: %v", folder, err)
	}
	defer func() { _ = root.Close() }() // nothing is written
	data, err := readRegular(root, manifestName, limit)
	if errors.Is(err, os.ErrNotExist) {
		return nil, "", 0, chain.Invalidf("%s is no complete snapshot: it has no %s", folder, manifestName)
	}
	if err != nil {
		return nil, "", 0, err
	}
	hash := sha256.Sum256(data)
	sum := hex.EncodeToString(hash[:])
	if want != "" && want != sum {
		return nil, "", 0, chain.Invalidf("%s has the SHA-256 %s, and %s was expected", manifestName, sum, chain.Quote(want))
	}
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(m); err != nil {
		return nil, "", 0, chain.Invalidf("%s: %v", manifestName, err)
	}
	return m, sum, int64(len(data)), m.check()
}

// importThere says what to do with a snapshot of another schema.
const importThere = "import it with the version that made it, and upgrade the database afterwards"

// check refuses a manifest that no export of this version writes.
func (m *Manifest) check() error {
	if m.Format != format {
		return chain.Invalidf("the snapshot has format %d, made by tonql %s: this version reads format %d", m.Format, chain.Quote(m.Version), format)
	}
	next := int64(0)
	for _, r := range m.Ranges {
		if int64(r.First) < next || r.Last < r.First {
			return chain.Invalidf("%s: the indexed ranges are not ascending", manifestName)
		}
		next = int64(r.Last) + 1
	}
	if len(m.Ranges) == 0 || m.Head.Seqno != m.Ranges[len(m.Ranges)-1].Last {
		return chain.Invalidf("%s: the head is not the last indexed block", manifestName)
	}
	var names []string
	for _, t := range m.Tables {
		names = append(names, t.Name)
		for _, p := range t.Parts {
			if p.Rows < 0 || p.Bytes < 0 || p.Bytes > maxPart || p.Size < 0 || p.Size > maxPart || len(p.SHA256) != 2*sha256.Size {
				return chain.Invalidf("%s: a file of table %s has impossible sizes", manifestName, chain.Quote(t.Name))
			}
		}
	}
	if !slices.Equal(names, indexed) {
		return chain.Invalidf("the snapshot has schema %d, made by tonql %s: its tables are not those of an index of this version; %s",
			newest(m.Schema), chain.Quote(m.Version), importThere)
	}
	return nil
}

// openRegular opens a file of a folder that is neither a link nor a device.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, chain.Invalidf("%s of the snapshot is not a file", name)
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return file, nil
}

func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	file, err := openRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing is written
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > limit {
		return nil, chain.Invalidf("%s has more than %d bytes", name, limit)
	}
	return data, nil
}
