package archive

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Entry describes one block of a round; the block's bytes are read separately.
type Entry struct {
	Workchain          int32
	Shard              uint64
	Seqno              uint32
	McSeqno            uint32 // the round
	GenUtime           uint32
	StartLT, EndLT     uint64
	RootHash, FileHash [32]byte

	offset int64
	length uint32
}

// Size is the length of the block's BoC in bytes.
func (e Entry) Size() int { return int(e.length) }

// Round is a masterchain block and what it commits. Entries come in chain order:
// shard blocks first, the masterchain block last.
type Round struct {
	Seqno   uint32
	Entries []Entry
}

const (
	recordMagic  = 0x746c7264
	headerLen    = 20 // magic, seqno, entries, length of the body, checksum
	entryLen     = 4 + 8 + 4 + 4 + 8 + 8 + 32 + 32 + 4
	maxEntries   = 1 << 16
	maxBodyBytes = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode builds a record. The checksum covers seqno, count, length and body.
func encode(seqno uint32, entries []Entry, blocks [][]byte) ([]byte, error) {
	if len(entries) != len(blocks) || len(entries) == 0 || len(entries) > maxEntries {
		return nil, fmt.Errorf("round %d: %d entries for %d blocks", seqno, len(entries), len(blocks))
	}
	size := len(entries) * entryLen
	for _, b := range blocks {
		size += len(b)
	}
	if size > maxBodyBytes {
		return nil, fmt.Errorf("round %d: %d bytes are too many", seqno, size)
	}
	out := make([]byte, headerLen, headerLen+size)
	binary.LittleEndian.PutUint32(out[0:], recordMagic)
	binary.LittleEndian.PutUint32(out[4:], seqno)
	binary.LittleEndian.PutUint32(out[8:], uint32(len(entries)))
	binary.LittleEndian.PutUint32(out[12:], uint32(size))
	for i, e := range entries {
		e.length = uint32(len(blocks[i]))
		out = e.append(out)
	}
	for _, b := range blocks {
		out = append(out, b...)
	}
	binary.LittleEndian.PutUint32(out[16:], checksum(out))
	return out, nil
}

func checksum(record []byte) uint32 {
	sum := crc32.Update(0, castagnoli, record[4:16])
	return crc32.Update(sum, castagnoli, record[headerLen:])
}

func (e Entry) append(out []byte) []byte {
	le := binary.LittleEndian
	out = le.AppendUint32(out, uint32(e.Workchain))
	out = le.AppendUint64(out, e.Shard)
	out = le.AppendUint32(out, e.Seqno)
	out = le.AppendUint32(out, e.GenUtime)
	out = le.AppendUint64(out, e.StartLT)
	out = le.AppendUint64(out, e.EndLT)
	out = append(out, e.RootHash[:]...)
	out = append(out, e.FileHash[:]...)
	return le.AppendUint32(out, e.length)
}

func decodeEntry(b []byte) (e Entry) {
	le := binary.LittleEndian
	e.Workchain = int32(le.Uint32(b[0:]))
	e.Shard = le.Uint64(b[4:])
	e.Seqno = le.Uint32(b[12:])
	e.GenUtime = le.Uint32(b[16:])
	e.StartLT = le.Uint64(b[20:])
	e.EndLT = le.Uint64(b[28:])
	copy(e.RootHash[:], b[36:])
	copy(e.FileHash[:], b[68:])
	e.length = le.Uint32(b[100:])
	return e
}

// header is the fixed front of a record.
type header struct {
	seqno, entries, size, sum uint32
}

func decodeHeader(b []byte) (h header, ok bool) {
	le := binary.LittleEndian
	h = header{seqno: le.Uint32(b[4:]), entries: le.Uint32(b[8:]), size: le.Uint32(b[12:]), sum: le.Uint32(b[16:])}
	ok = le.Uint32(b) == recordMagic && h.entries > 0 && h.entries <= maxEntries &&
		h.size <= maxBodyBytes && h.size >= h.entries*entryLen
	return h, ok
}

// decodeRound reads the entries of a record that starts at offset.
func decodeRound(h header, entries []byte, offset int64) (Round, bool) {
	r := Round{Seqno: h.seqno, Entries: make([]Entry, h.entries)}
	at := offset + headerLen + int64(h.entries)*entryLen
	end := offset + headerLen + int64(h.size)
	for i := range r.Entries {
		e := decodeEntry(entries[i*entryLen:])
		e.McSeqno, e.offset = h.seqno, at
		at += int64(e.length)
		r.Entries[i] = e
	}
	return r, at == end
}
