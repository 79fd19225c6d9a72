package transactions

import "tonql/internal/chain"

// CellsOfStates calls use with the hashes of code and data that the column states of a transaction has, of the states before and after,
// and rest with the rest of the state after, which refers to libraries.
func CellsOfStates(states []byte, use func(chain.Hash), rest func([]byte) error) error {
	var before, after chain.AccountState
	if _, err := decodeStates(&chain.Transaction{States: states}, &before, &after); err != nil {
		return err
	}
	for _, h := range [...]*chain.Hash{after.CodeHash, after.DataHash, before.CodeHash, before.DataHash} {
		if h != nil {
			use(*h)
		}
	}
	if len(after.Rest) == 0 {
		return nil
	}
	return rest(after.Rest)
}
