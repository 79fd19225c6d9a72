package sqlbuild

import (
	"tonql/internal/chain"
)

// Arrays bound to IN lists and to unnest. The elements of one array share one piece of memory.

// AddressArray returns addresses as an array of bytea.
func AddressArray(addresses []chain.Address) [][]byte {
	memory := make([]byte, 0, len(addresses)*chain.AddressSize)
	array := make([][]byte, len(addresses))
	for i := range addresses {
		array[i], memory = appendAddress(memory, &addresses[i])
	}
	return array
}

// appendAddress appends the binary form to memory and returns it as a slice.
func appendAddress(memory []byte, a *chain.Address) (element, rest []byte) {
	start := len(memory)
	memory = append(memory, byte(a.Workchain+128))
	memory = append(memory, a.ID[:]...)
	return memory[start:len(memory):len(memory)], memory
}

// HashArray returns hashes as an array of bytea. It shares their memory.
func HashArray(hashes []chain.Hash) [][]byte {
	array := make([][]byte, len(hashes))
	for i := range hashes {
		array[i] = hashes[i][:]
	}
	return array
}

// KeyArrays are the two columns of natural keys (account, lt).
type KeyArrays struct {
	Accounts [][]byte
	LTs      []int64
	memory   []byte
}

// NewKeyArrays returns empty arrays with room for n keys.
func NewKeyArrays(n int) KeyArrays {
	return KeyArrays{
		Accounts: make([][]byte, 0, n),
		LTs:      make([]int64, 0, n),
		memory:   make([]byte, 0, n*chain.AddressSize),
	}
}

// Add appends a key.
func (k *KeyArrays) Add(account *chain.Address, lt uint64) {
	if cap(k.memory)-len(k.memory) < chain.AddressSize {
		k.memory = make([]byte, 0, max(64, len(k.LTs))*chain.AddressSize)
	}
	var element []byte
	element, k.memory = appendAddress(k.memory, account)
	k.Accounts = append(k.Accounts, element)
	k.LTs = append(k.LTs, int64(lt))
}

// Len returns the number of keys.
func (k *KeyArrays) Len() int { return len(k.LTs) }

// Unique drops repeated values, in the order of first appearance.
func Unique[T comparable](values []T) []T {
	if len(values) < 2 {
		return values
	}
	seen := make(map[T]struct{}, len(values))
	distinct := make([]T, 0, len(values))
	for _, v := range values {
		if _, ok := seen[v]; !ok {
			seen[v] = struct{}{}
			distinct = append(distinct, v)
		}
	}
	return distinct
}
