package chain

import (
	"encoding/json"
	"strconv"
)

// maxDecimals is what one byte holds: the widest that contracts and wallets agree on.
const maxDecimals = 255

// Decimals returns the number of decimal places of a Jetton, 0 to 255. Nil when the content does not contain it, or
// says nonsense; TEP-64 then means 9.
func (m *Metadata) Decimals() *int {
	var text string
	switch v := m.Extra["decimals"].(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxDecimals {
		return nil
	}
	return &n
}
