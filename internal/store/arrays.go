package store

import (
	"tonql/internal/chain"
)

// Arrays bound to IN lists and to unnest. The elements of one array share one piece of memory.

func addressArray(addresses []chain.Address) [][]byte {
	memory := make([]byte, 0, len(addresses)*chain.AddressSize)
	array := make([][]byte, len(addresses))
	for i := range addresses {
		array[i], memory = appendAddress(memory, &addresses[i])
	}
	return array
}

// appendAddress appends the binary form to memory and gives it as a slice of its own.
func appendAddress(memory []byte, a *chain.Address) (element, rest []byte) {
	start := len(memory)
	memory = append(memory, byte(a.Workchain+128))
	memory = append(memory, a.ID[:]...)
	return memory[start:len(memory):len(memory)], memory
}

func hashArray(hashes []chain.Hash) [][]byte {
	array := make([][]byte, len(hashes))
	for i := range hashes {
		array[i] = hashes[i][:]
	}
	return array
}

// keyArrays are the two columns of natural keys (account, lt).
type keyArrays struct {
	accounts [][]byte
	lts      []int64
	memory   []byte
}

func newKeyArrays(n int) keyArrays {
	return keyArrays{
		accounts: make([][]byte, 0, n),
		lts:      make([]int64, 0, n),
		memory:   make([]byte, 0, n*chain.AddressSize),
	}
}

func (k *keyArrays) add(account *chain.Address, lt uint64) {
	if cap(k.memory)-len(k.memory) < chain.AddressSize {
		k.memory = make([]byte, 0, max(64, len(k.lts))*chain.AddressSize)
	}
	var element []byte
	element, k.memory = appendAddress(k.memory, account)
	k.accounts = append(k.accounts, element)
	k.lts = append(k.lts, int64(lt))
}

func (k *keyArrays) len() int { return len(k.lts) }

// unique drops repeated values, keeping the order of first appearance.
func unique[T comparable](values []T) []T {
	if len(values) < 2 {
		return values
	}
	seen := make(map[T]struct{}, len(values))
	kept := make([]T, 0, len(values))
	for _, v := range values {
		if _, ok := seen[v]; !ok {
			seen[v] = struct{}{}
			kept = append(kept, v)
		}
	}
	return kept
}
