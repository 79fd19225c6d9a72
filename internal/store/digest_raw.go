package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// rawTransactions is the name of the raw transactions in a digest, which covers them as they were before compression.
const rawTransactions = "transaction_bocs"

// maxCopiedField bounds a field of the copy, which PostgreSQL bounds, too.
const maxCopiedField = 1 << 30

// decompressed returns a writer for a binary copy whose last column is a raw transaction. The copy arrives at target with that column
// decompressed. finish waits for the rest, and returns the first error; failed is the writer's.
func (r *Reader) decompressed(ctx context.Context, target io.Writer) (from io.Writer, finish func(failed error) error) {
	in, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := r.decompress(ctx, bufio.NewReaderSize(in, 1<<16), target)
		_ = in.CloseWithError(err)
		done <- err
	}()
	return out, func(failed error) error {
		if failed == nil {
			failed = io.EOF
		}
		_ = out.CloseWithError(failed)
		err := <-done
		if errors.Is(failed, io.EOF) {
			return err
		}
		return failed
	}
}

// decompress copies PostgreSQL's binary copy format: a header of 19 bytes; for each row the number of fields (int16) and each field
// with its length (int32, -1 for NULL); then the number -1.
func (r *Reader) decompress(ctx context.Context, in io.Reader, to io.Writer) error {
	const header = 19
	if _, err := io.CopyN(to, in, header); err != nil {
		return fmt.Errorf("header of the copy: %w", err)
	}
	var field []byte
	for {
		var count [2]byte
		if _, err := io.ReadFull(in, count[:]); err != nil {
			return fmt.Errorf("row of the copy: %w", err)
		}
		_, _ = to.Write(count[:])
		fields := int16(binary.BigEndian.Uint16(count[:]))
		if fields < 0 {
			return nil
		}
		for i := range fields {
			var err error
			if field, err = readField(in, field); err != nil {
				return fmt.Errorf("field of the copy: %w", err)
			}
			value := field
			if i == fields-1 {
				one := [][]byte{field}
				if err := r.dictionaries.Decode(ctx, r.pool, one); err != nil {
					return err
				}
				value = one[0]
			}
			length := binary.BigEndian.AppendUint32(nil, uint32(len(value)))
			_, _ = to.Write(length)
			_, _ = to.Write(value)
		}
	}
}

// readField reads a field that is not NULL into buffer, or into a larger one.
func readField(in io.Reader, buffer []byte) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	size := int32(binary.BigEndian.Uint32(length[:]))
	if size < 0 || size > maxCopiedField {
		return nil, fmt.Errorf("a length of %d bytes", size)
	}
	if cap(buffer) < int(size) {
		buffer = make([]byte, size)
	}
	buffer = buffer[:size]
	_, err := io.ReadFull(in, buffer)
	return buffer, err
}
