package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns a round of two blocks with different contents and lengths.
func sample(seqno uint32) ([]Entry, [][]byte) {
	var entries []Entry
	var blocks [][]byte
	for i := range 2 {
		data := bytes.Repeat(fmt.Appendf(nil, "block %d.%d ", seqno, i), int(seqno%7)+1)
		entries = append(entries, Entry{
			Workchain: int32(-i), Shard: 1 << 63, Seqno: seqno, McSeqno: seqno, GenUtime: 1000 + seqno,
			StartLT: uint64(seqno) * 1e6, EndLT: uint64(seqno)*1e6 + 5,
			RootHash: sha256.Sum256(append([]byte("root"), data...)), FileHash: sha256.Sum256(data),
		})
		blocks = append(blocks, data)
	}
	return entries, blocks
}

func fill(t *testing.T, a *Archive, from, to uint32) (rounds []Round) {
	t.Helper()
	for n := from; n <= to; n++ {
		r, err := a.Append(n, sampleEntries(n), sampleBlocks(n))
		require.NoError(t, err)
		rounds = append(rounds, r)
	}
	return rounds
}

func sampleEntries(n uint32) []Entry { e, _ := sample(n); return e }

func sampleBlocks(n uint32) [][]byte { _, b := sample(n); return b }

func check(t *testing.T, a *Archive, rounds []Round) {
	t.Helper()
	for i, r := range rounds {
		entries, blocks := sample(uint32(i + 1))
		require.Equal(t, uint32(i+1), r.Seqno)
		require.Len(t, r.Entries, len(entries))
		for k, e := range r.Entries {
			data, err := a.Read(e)
			require.NoError(t, err)
			require.Equal(t, blocks[k], data)
			require.Equal(t, len(data), e.Size())
			want := entries[k]
			want.offset, want.length = e.offset, e.length
			require.Equal(t, want, e)
		}
	}
}

func open(t *testing.T, dir string) (*Archive, []Round) {
	t.Helper()
	var rounds []Round
	a, err := Open(dir, func(r Round) error { rounds = append(rounds, r); return nil })
	require.NoError(t, err)
	return a, rounds
}

func TestOpen_ReadsItsRounds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, rounds := open(t, dir)
	require.Empty(t, rounds)
	check(t, a, fill(t, a, 1, 20))
	require.NoError(t, a.Close())
	a, rounds = open(t, dir)
	require.Len(t, rounds, 20)
	check(t, a, rounds)
	check(t, a, append(rounds, fill(t, a, 21, 25)...))
	require.NoError(t, a.Close())
	require.NoError(t, a.Close())
	_, err := a.Read(rounds[0].Entries[0])
	require.ErrorIs(t, err, os.ErrClosed)
}

func TestMemory_ReadsItsRoundsAndSnapshots(t *testing.T) {
	t.Parallel()
	a := Memory()
	check(t, a, fill(t, a, 1, 20))
	testBlobs(t, a)
	require.NoError(t, a.Close())
}

// TestOpen_IncompleteTailIsCutOff cuts the log at every byte of its last record, and damages bytes in it:
// the complete rounds before it remain.
func TestOpen_IncompleteTailIsCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, _ := open(t, dir)
	fill(t, a, 1, 3)
	keep := a.end
	fill(t, a, 4, 4)
	require.NoError(t, a.Close())
	full, err := os.ReadFile(filepath.Join(dir, logName))
	require.NoError(t, err)

	for cut := int(keep); cut < len(full); cut += 3 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, logName), full[:cut], 0o644))
		a, rounds := open(t, dir)
		require.Len(t, rounds, 3, "cut at %d", cut)
		require.Equal(t, keep, a.end)
		check(t, a, rounds)
		require.NoError(t, a.Close())
	}
	for at := int(keep); at < len(full); at += 5 {
		bad := bytes.Clone(full)
		bad[at] ^= 0x40
		require.NoError(t, os.WriteFile(filepath.Join(dir, logName), bad, 0o644))
		a, rounds := open(t, dir)
		require.Len(t, rounds, 3, "damage at %d", at)
		check(t, a, append(rounds, fill(t, a, 4, 5)...))
		require.NoError(t, a.Close())
	}
}

func TestOpen_SecondProcessIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, _ := open(t, dir)
	_, err := Open(dir, func(Round) error { return nil })
	require.ErrorContains(t, err, "in use")
	require.NoError(t, a.Close())
	b, _ := open(t, dir)
	require.NoError(t, b.Close())
}

func TestAppend_InvalidRoundsAreRefused(t *testing.T) {
	t.Parallel()
	a := Memory()
	_, err := a.Append(1, nil, nil)
	require.Error(t, err)
	_, err = a.Append(1, sampleEntries(1), sampleBlocks(1)[:1])
	require.Error(t, err)
	check(t, a, fill(t, a, 1, 1))
}

func TestSnapshots_DamagedOnesAreMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, _ := open(t, dir)
	testBlobs(t, a)
	// A damaged file counts as missing; a file of an interrupted write is not a snapshot.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "states-7"), []byte("nonsense"), 0o644))
	_, err := a.Snapshot(7)
	require.ErrorIs(t, err, ErrNoBlob)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "states-9.tmp1"), nil, 0o644))
	list, err := a.Snapshots()
	require.NoError(t, err)
	require.Equal(t, []uint32{5, 7, 100}, list)
	require.NoError(t, a.Close())
}

func testBlobs(t *testing.T, a *Archive) {
	t.Helper()
	_, err := a.Blob("name")
	require.ErrorIs(t, err, ErrNoBlob)
	for _, data := range [][]byte{[]byte("one"), {}, []byte("another")} {
		require.NoError(t, a.PutBlob("name", data))
		got, err := a.Blob("name")
		require.NoError(t, err)
		require.Equal(t, string(data), string(got))
	}
	require.NoError(t, a.PutSnapshot(100, []byte("hundred")))
	require.NoError(t, a.PutSnapshot(5, []byte("five")))
	list, err := a.Snapshots()
	require.NoError(t, err)
	require.Equal(t, []uint32{5, 100}, list)
	got, err := a.Snapshot(5)
	require.NoError(t, err)
	require.Equal(t, "five", string(got))
}

// FuzzScan_BlocksLieInsideTheLog reads arbitrary bytes as a log: it does not panic, and accepted blocks lie
// inside the log.
func FuzzScan_BlocksLieInsideTheLog(f *testing.F) {
	entries, blocks := sample(1)
	record, err := encode(1, entries, blocks)
	require.NoError(f, err)
	f.Add(record)
	f.Add(append(bytes.Clone(record), record...))
	f.Add(record[:50])
	f.Add(binary.LittleEndian.AppendUint32(nil, recordMagic))
	f.Fuzz(func(t *testing.T, log []byte) {
		end, err := scan(bytes.NewReader(log), int64(len(log)), func(r Round) error {
			for _, e := range r.Entries {
				require.LessOrEqual(t, e.offset+int64(e.length), int64(len(log)))
			}
			return nil
		})
		require.NoError(t, err)
		require.LessOrEqual(t, end, int64(len(log)))
	})
}
