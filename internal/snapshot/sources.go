package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Source is the folder of a snapshot to import.
type Source struct {
	Folder string
	SHA256 string // of the manifest, in hex, if the caller has it
}

// Folders are sources without hashes.
func Folders(names ...string) []Source {
	list := make([]Source, len(names))
	for i, name := range names {
		list[i].Folder = name
	}
	return list
}

// maxSources bounds the snapshots of one import.
const maxSources = 256

// source is a snapshot that is imported.
type source struct {
	*Manifest

	number int // from 1, in the order of the first blocks
	folder string
	sum    string // SHA-256 of the manifest, in hex
	root   *os.Root
}

// sources are the snapshots of one import, which have different blocks.
type sources []*source

// ReadAll reads the manifests of snapshots that are imported together. It returns a manifest of them all and a hash of what [Read] returns
// of each, which is that itself of a single one.
func ReadAll(from []Source) (*Manifest, string, error) {
	list, err := readSources(from)
	if err != nil {
		return nil, "", err
	}
	return list.manifest(), list.sum(), nil
}

func readSources(from []Source) (sources, error) {
	if len(from) == 0 || len(from) > maxSources {
		return nil, chain.Invalidf("expected 1 to %d snapshots", maxSources)
	}
	list, left := make(sources, len(from)), int64(maxManifest)
	for i, f := range from {
		m, sum, size, err := read(f.Folder, f.SHA256, left)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Folder, err)
		}
		left -= size
		list[i] = &source{Manifest: m, folder: f.Folder, sum: sum}
	}
	slices.SortStableFunc(list, func(a, b *source) int { return int(int64(a.Ranges[0].First) - int64(b.Ranges[0].First)) })
	for i, s := range list {
		s.number = i + 1
	}
	return list, list.compatible()
}

// compatible refuses snapshots that are not of one network and one schema, or that have the same block.
func (l sources) compatible() error {
	type owned struct {
		Range
		*source
	}
	var ranges []owned
	for _, s := range l {
		if s.Network != l[0].Network {
			return chain.Invalidf("%s and %s are of different networks", l[0].folder, s.folder)
		}
		if !slices.Equal(s.Schema, l[0].Schema) {
			return chain.Invalidf("%s has schema %d and %s has schema %d: all have to have the same migrations", l[0].folder, newest(l[0].Schema), s.folder, newest(s.Schema))
		}
		for _, r := range s.Ranges {
			ranges = append(ranges, owned{r, s})
		}
	}
	slices.SortFunc(ranges, func(a, b owned) int { return int(int64(a.First) - int64(b.First)) })
	for i := 1; i < len(ranges); i++ {
		if a, b := ranges[i-1], ranges[i]; b.First <= a.Last {
			return chain.Invalidf("%s and %s both have masterchain block %d", a.folder, b.folder, b.First)
		}
	}
	return nil
}

// manifest describes all snapshots together.
func (l sources) manifest() *Manifest {
	if len(l) == 1 {
		return l[0].Manifest
	}
	all := *l[0].Manifest
	all.Ranges, all.Tables = nil, nil
	for _, s := range l {
		all.Ranges = append(all.Ranges, s.Ranges...)
		all.Tables = append(all.Tables, s.Tables...)
		if s.Head.Seqno > all.Head.Seqno {
			all.Head = s.Head
		}
	}
	slices.SortFunc(all.Ranges, func(a, b Range) int { return int(int64(a.First) - int64(b.First)) })
	joined := all.Ranges[:1]
	for _, r := range all.Ranges[1:] {
		if last := &joined[len(joined)-1]; last.Last+1 == r.First {
			last.Last = r.Last
			continue
		}
		joined = append(joined, r)
	}
	all.Ranges = joined
	return &all
}

// sum identifies the snapshots, in whatever order they are named.
func (l sources) sum() string {
	if len(l) == 1 {
		return l[0].sum
	}
	sums := make([]string, len(l))
	for i, s := range l {
		sums[i] = s.sum
	}
	hash := sha256.Sum256([]byte(strings.Join(sums, "\n")))
	return hex.EncodeToString(hash[:])
}

// open opens the folders. The caller closes them.
func (l sources) open() (err error) {
	for _, s := range l {
		if s.root, err = os.OpenRoot(s.folder); err != nil {
			return errors.Join(fmt.Errorf("snapshot: %w", err), l.close())
		}
	}
	return nil
}

func (l sources) close() (err error) {
	for _, s := range l {
		if s.root != nil {
			err = errors.Join(err, s.root.Close())
		}
	}
	return err
}

// part names a file of a table among those of all snapshots.
func (l sources) part(s *source, table string, n int) string {
	if len(l) == 1 {
		return partName(table, n)
	}
	return fmt.Sprintf("%d/%s", s.number, partName(table, n))
}
