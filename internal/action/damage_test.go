package action_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// Recorded traces are changed, so that kinds receive truncated bodies, failures in the middle and unknown contracts. No
// kind may fail on them.
func TestClassify_DamagedRecordingsDoNotPanic(t *testing.T) {
	t.Parallel()
	const rounds = 12
	r := rand.New(rand.NewPCG(5, 11))
	for _, name := range traceFiles(t) {
		for range rounds {
			trace, contracts := readTrace(t, name)
			for _, tx := range trace.Transactions {
				damage(r, tx)
			}
			var from action.Records = contracts
			switch r.IntN(4) {
			case 0:
				from = records{}
			case 1:
				from = allRecords{}
			}
			actions, err := action.Classify(trace, from)
			require.NoError(t, err, name)
			require.NotEmpty(t, actions)
		}
	}
}

// damage changes a transaction in one of several ways, or not at all.
func damage(r *rand.Rand, tx *action.Transaction) {
	m := tx.In
	switch r.IntN(12) {
	case 0:
		tx.Aborted, tx.ExitCode = true, int32(r.IntN(1000))
	case 1:
		m.Body = action.Parsed(cell.BeginCell().EndCell())
	case 2: // the opcode alone
		if m.Opcode != nil {
			m.Body = action.Parsed(op(uint64(*m.Opcode)).EndCell())
		}
	case 3:
		m.Body = action.Parsed(firstBits(r, m.Body.Cell()))
	case 4:
		m.Value, m.Extra = nil, nil
	case 5:
		m.Init = m.Body
	case 6:
		tx.OrigStatus = "nonexist"
	case 7: // logs are gone
		for _, out := range tx.Out {
			if out.Destination == nil {
				out.Body, out.Opcode = action.Content{}, nil
			}
		}
	}
}

// firstBits truncates a body and removes its references.
func firstBits(r *rand.Rand, body *cell.Cell) *cell.Cell {
	s, err := body.BeginParse()
	if err != nil {
		return body
	}
	bits := uint(r.IntN(int(s.BitsLeft()) + 1))
	part, err := s.LoadSlice(bits)
	if err != nil {
		return body
	}
	return cell.BeginCell().MustStoreSlice(part, bits).EndCell()
}
