package contract

import "time"

// Budget limits the cost of get-methods. Gas is the decisive limit: it depends on the state alone, so results are the
// same on every machine. Time is only a safeguard, far above what the gas takes on a slow machine.
type Budget struct {
	Gas        int64         // of one run
	TotalGas   int64         // of all runs that one detection makes
	Time       time.Duration // of one run
	Memory     int64         // of one run, in bytes
	StackDepth int           // entries of a result
	Values     int           // entries of a result, including those inside tuples
	TupleDepth int           // tuples inside tuples
	CellDepth  int           // of any cell in a result
	Cells      int           // distinct cells of a result; cells that two values share count twice
}

// DefaultBudget returns the budget of detection. Its gas is that of liteservers for get-methods; no method of a
// standard needs a tenth of it.
func DefaultBudget() Budget {
	return Budget{
		Gas:        300_000,
		TotalGas:   2_000_000,
		Time:       3 * time.Second,
		Memory:     128 << 20,
		StackDepth: 255,
		Values:     4096,
		TupleDepth: 64,
		CellDepth:  512,
		Cells:      65_536, // as many as an account may store
	}
}

// CallBudget returns the budget of get-methods that clients call, with the limits of the published APIs. docs/vm.md has what the most expensive
// code takes with it.
func CallBudget() Budget {
	b := DefaultBudget()
	b.Gas, b.TotalGas = 4_000_000, 4_000_000
	b.Time = 5 * time.Second
	b.Values, b.TupleDepth = 8000, 1024
	return b
}

// orDefaults returns b with defaults in place of the fields that are not set.
func (b Budget) orDefaults() Budget {
	d := DefaultBudget()
	fill(&b.Gas, d.Gas)
	fill(&b.TotalGas, d.TotalGas)
	fill(&b.Time, d.Time)
	fill(&b.Memory, d.Memory)
	fill(&b.StackDepth, d.StackDepth)
	fill(&b.Values, d.Values)
	fill(&b.TupleDepth, d.TupleDepth)
	fill(&b.CellDepth, d.CellDepth)
	fill(&b.Cells, d.Cells)
	return b
}

func fill[T int | int64 | time.Duration](v *T, fallback T) {
	if *v <= 0 {
		*v = fallback
	}
}
