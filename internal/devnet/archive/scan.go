package archive

import (
	"errors"
	"io"
)

// scan walks a log and returns the end of its complete records. It reads every record
// once to verify its checksum, so it finds all damage before the chain is used.
func scan(log io.ReaderAt, size int64, each func(Round) error) (end int64, err error) {
	var head [headerLen]byte
	var record []byte
	for end < size {
		if _, err := log.ReadAt(head[:], end); err != nil && !errors.Is(err, io.EOF) {
			return end, err
		}
		h, ok := decodeHeader(head[:])
		total := int64(headerLen) + int64(h.size)
		if !ok || end+total > size {
			return end, nil
		}
		if int64(cap(record)) < total {
			record = make([]byte, total)
		}
		record = record[:total]
		if _, err := log.ReadAt(record, end); err != nil && !errors.Is(err, io.EOF) {
			return end, err
		}
		if checksum(record) != h.sum {
			return end, nil
		}
		round, ok := decodeRound(h, record[headerLen:], end)
		if !ok {
			return end, nil
		}
		if err := each(round); err != nil {
			return end, err
		}
		end += total
	}
	return end, nil
}
