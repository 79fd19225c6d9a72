package digests

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	// rawTransactions is the name of the raw transactions in a digest, which covers them as they were before compression.
	rawTransactions = "transaction_bocs"
	// digestedTransactions is the name of the transactions in a digest, which covers all their fields, in whichever form a row has them.
	digestedTransactions = "transactions"
	// digestedStates is the name of the states of accounts in a digest, which covers those in rows of transactions and those with a row
	// of their own alike.
	digestedStates = "account_states"
	// digestedMessages is the name of messages in a digest, which covers their bodies and state-inits as they were before compression.
	digestedMessages = "messages"
	// digestedActions is the name of actions in a digest, which covers their details in whichever form a row has them.
	digestedActions = "actions"
)

// selectDigestedStates selects a state s with a row of its own, NULL for none, and a transaction t with states.
var selectDigestedStates = `SELECT CASE WHEN t.states IS NULL THEN ROW(` + sqlbuild.Qualified("s", transactions.StoredStateTable) + `) END,
	CASE WHEN t.states IS NOT NULL THEN ROW(` + transactions.TransactionColumns + `) END`

// maxCopiedField bounds a field of the copy, which PostgreSQL bounds, too.
const maxCopiedField = 1 << 30

// rewritten returns a writer for a binary copy, which arrives at target with each row as rewrite writes it. finish waits for the rest,
// and returns the first error; failed is the writer's.
func rewritten(target io.Writer, rewrite func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error) (from io.Writer, finish func(failed error) error) {
	in, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := rewriteRows(bufio.NewReaderSize(in, 1<<16), target, rewrite)
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

// rewriteRows copies PostgreSQL's binary copy format: a header of 19 bytes; for each row the number of fields (int16) and each field
// with its length (int32, -1 for NULL); then the number -1.
func rewriteRows(in io.Reader, target io.Writer, rewrite func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error) error {
	const header = 19
	if _, err := io.CopyN(target, in, header); err != nil {
		return fmt.Errorf("header of the copy: %w", err)
	}
	var to sqlbuild.CopyBuffer
	var columns, buffers [][]byte
	for {
		var count [2]byte
		if _, err := io.ReadFull(in, count[:]); err != nil {
			return fmt.Errorf("row of the copy: %w", err)
		}
		fields := int(int16(binary.BigEndian.Uint16(count[:])))
		if fields < 0 {
			_, _ = target.Write(count[:])
			return nil
		}
		columns = columns[:0]
		for i := range fields {
			if i == len(buffers) {
				buffers = append(buffers, nil)
			}
			column, err := readField(in, &buffers[i])
			if err != nil {
				return fmt.Errorf("field of the copy: %w", err)
			}
			columns = append(columns, column)
		}
		to.B = to.B[:0]
		row := sqlbuild.Row{Columns: columns}
		if err := rewrite(&row, &to); err != nil {
			return err
		}
		if row.Err != nil {
			return row.Err
		}
		_, _ = target.Write(to.B)
	}
}

// readField reads a field into buffer, or into a larger one. It is nil for NULL.
func readField(in io.Reader, buffer *[]byte) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	size := int32(binary.BigEndian.Uint32(length[:]))
	switch {
	case size == -1:
		return nil, nil
	case size < 0 || size > maxCopiedField:
		return nil, fmt.Errorf("a length of %d bytes", size)
	case cap(*buffer) < int(size):
		*buffer = make([]byte, size)
	}
	field := (*buffer)[:size:size]
	_, err := io.ReadFull(in, field)
	return field, err
}

// decompressed writes rows of a key and a raw transaction with the raw transaction decompressed.
func (r *Reader) decompressed(ctx context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
	return func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
		account, lt, boc := row.Address(), row.Int8(), [][]byte{row.Next()}
		if err := r.dictionaries.Decode(ctx, r.pool, boc); err != nil {
			return err
		}
		to.Row(3)
		to.Address(&account)
		to.Int8(lt)
		to.Bytes(boc[0])
		return nil
	}
}

// messages writes rows that begin with those of messages, with their bodies and state-inits decompressed.
func (r *Reader) messages(ctx context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
	return func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
		return r.transactions.WriteDigestedMessage(ctx, row, to)
	}
}

// described writes transactions with all their columns, with those of the trace if they are complete.
func (r *Reader) described(ctx context.Context, complete bool) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
	return r.rewriteTransactions(ctx, func(t *chain.Transaction, to *sqlbuild.CopyBuffer) { transactions.WriteDescribed(to, t, complete) })
}

// rewriteTransactions writes transactions with write. Damaged ones are written as they are stored.
func (r *Reader) rewriteTransactions(ctx context.Context, write func(*chain.Transaction, *sqlbuild.CopyBuffer)) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
	return func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
		var t chain.Transaction
		columns := row.Columns
		err := r.transactions.ReadRow(ctx, row, &t)
		if errors.Is(err, transactions.ErrDamaged) {
			copyColumns(columns, to)
			return nil
		}
		if err != nil {
			return err
		}
		write(&t, to)
		return nil
	}
}

// copyColumns writes a row unchanged.
func copyColumns(columns [][]byte, to *sqlbuild.CopyBuffer) {
	to.Row(len(columns))
	for _, column := range columns {
		to.Bytes(column)
	}
}

// stored writes states as rows of [transactions.StoredStateTable].
func (r *Reader) stored(ctx context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
	return func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
		var state chain.AccountState
		own, of := row.Record(), row.Record()
		switch {
		case row.Err != nil:
			return row.Err
		case own != nil:
			transactions.ScanStoredState(own, &state)
			if own.Err != nil {
				return own.Err
			}
		case of != nil:
			var t chain.Transaction
			columns := of.Columns
			err := r.transactions.ReadRow(ctx, of, &t)
			if err == nil {
				state, err = transactions.StateAfter(&t)
			}
			if errors.Is(err, transactions.ErrDamaged) {
				copyColumns(columns, to)
				return nil
			}
			if err != nil {
				return err
			}
		}
		transactions.WriteState(to, &state)
		return nil
	}
}
