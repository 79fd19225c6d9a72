package content

// The gas of a cell that is read, 0.6 µs as that of a cell in the result of a get-method, and of the bytes in it, of which text is made.
// Values share cells, so that reading takes more than the cells that the contract pays for.
const (
	cellGas     = 10
	bytesPerGas = 8
)

// meter is the gas that is left for reading; nil without a limit.
type meter struct{ left int64 }

// pay pays for a cell with so many bytes. It reports whether the gas sufficed; if not, none is left.
func (m *meter) pay(bytes uint) bool {
	if m == nil {
		return true
	}
	if gas := cellGas + int64(bytes/bytesPerGas); gas <= m.left {
		m.left -= gas
		return true
	}
	m.left = min(0, m.left)
	return false
}

func (m *meter) empty() bool { return m != nil && m.left <= 0 }
