package mainnet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// PackEntry is one file of an archive package of the node.
type PackEntry struct {
	Name string // block_(workchain,shard,seqno):ROOT:FILE, proof_… of the masterchain, prooflink_… of shards
	Data []byte
}

// furtherPacks names a folder with archive packages of the blocks after the recorded ones, which tests then read, too: a check of
// everything that depends on the first blocks by data that is not part of the repository.
const furtherPacks = "TONQL_MAINNET_PACKS"

// Packs lists the files of the recorded archive packages: the masterchain's blocks 1 to 99 and the shard blocks that they
// commit, each followed by its proof, with the validators' signatures for those of the masterchain. Packages of later blocks are
// read from the folder that TONQL_MAINNET_PACKS names.
func Packs(tb testing.TB) []PackEntry {
	tb.Helper()
	all := recordedPacks(tb)
	if folder := os.Getenv(furtherPacks); folder != "" {
		files, err := filepath.Glob(filepath.Join(folder, "*.pack"))
		require.NoError(tb, err)
		for _, file := range files {
			if strings.HasPrefix(filepath.Base(file), "archive.00000.") {
				continue // recorded
			}
			data, err := os.ReadFile(file)
			require.NoError(tb, err)
			entries, err := readPack(data)
			require.NoError(tb, err, file)
			all = append(all, entries...)
		}
	}
	return all
}

func recordedPacks(tb testing.TB) []PackEntry {
	tb.Helper()
	var all []PackEntry
	for _, name := range []string{"archive.00000.pack.zst", "archive.00000.0_8000000000000000.pack.zst"} {
		file := recorded(tb, name)
		r, err := zstd.NewReader(bytes.NewReader(file), zstd.WithDecoderConcurrency(1))
		require.NoError(tb, err)
		data, err := io.ReadAll(r)
		require.NoError(tb, err)
		r.Close()
		entries, err := readPack(data)
		require.NoError(tb, err, name)
		all = append(all, entries...)
	}
	return all
}

// readPack splits an archive package: a magic number, then for each file a mark, the length of its name, the length of
// its data, and both.
func readPack(data []byte) ([]PackEntry, error) {
	const magic, mark, header = 0xae8fdd01, 0x1e8b, 8
	if len(data) < 4 || binary.LittleEndian.Uint32(data) != magic {
		return nil, fmt.Errorf("not an archive package")
	}
	var entries []PackEntry
	for rest := data[4:]; len(rest) > 0; {
		if len(rest) < header || binary.LittleEndian.Uint16(rest) != mark {
			return nil, fmt.Errorf("entry %d has no header", len(entries))
		}
		name, size := int(binary.LittleEndian.Uint16(rest[2:])), int(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[header:]
		if len(rest)-name < size {
			return nil, fmt.Errorf("entry %d is cut off", len(entries))
		}
		entries = append(entries, PackEntry{Name: string(rest[:name]), Data: rest[name : name+size]})
		rest = rest[name+size:]
	}
	return entries, nil
}
