package dns

import (
	"strings"

	"tonql/internal/chain"
)

// The zones that everybody resolves, by the collection of their items.
var zones = map[chain.Address]string{
	address("0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF"): ".ton",
	address("0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD"): ".ton", // testnet
	address("0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2"): ".t.me",
}

func address(raw string) chain.Address {
	a, err := chain.ParseAddress(raw)
	if err != nil {
		panic(err) //nolint:forbidigo // the table above is constant
	}
	return a
}

// maxLabel is the longest label, in bytes: a complete name has at most 126 in TEP-81.
const maxLabel = 126

// validLabel refuses what would make two names look like one or one like two: empty labels, dots, control characters.
func validLabel(label string) bool {
	return label != "" && len(label) <= maxLabel && !strings.ContainsFunc(label, func(r rune) bool {
		return r <= ' ' || r == '.' || r == 0x7f || r == '\uFFFD'
	})
}

// yearLease is how long a payment keeps a domain of .ton: 366 days, one_year of the item's code.
const yearLease = 366 * 24 * 60 * 60

// leases of zones whose items' code is published, by the collection.
var leases = map[chain.Address]uint32{
	address("0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF"): yearLease,
	address("0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD"): yearLease,
}

// leasesByCode are those of items whose zone has no fixed address: the local chain's, whose years are short.
var leasesByCode = map[chain.Hash]uint32{
	hash("b97452da657afe756f8b2df0e51865f7896491cb9454a2655aace49d0b246aae"): 12,
}

func hash(text string) chain.Hash {
	h, err := chain.ParseHash(text)
	if err != nil {
		panic(err) //nolint:forbidigo // the table above is constant
	}
	return h
}

// leaseOf is how long a payment extends the ownership of an item, in seconds; 0 when it is unknown, because no get-method
// returns it.
func leaseOf(collection chain.Address, code chain.Hash) uint32 {
	if lease := leases[collection]; lease != 0 {
		return lease
	}
	return leasesByCode[code]
}
