package v3

import (
	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// appendAttributes appends content attributes (TEP-64), ordered by name. A non-empty domain replaces the attribute domain
// of the content.
func appendAttributes(b []byte, content chain.Content, domain string) []byte {
	b = append(b, '{')
	empty := len(b)
	for _, name := range content.Names() {
		if name == "domain" && domain != "" {
			continue
		}
		if len(b) > empty {
			b = append(b, ',')
		}
		b = append(handler.AppendString(b, name), ':')
		b = handler.AppendString(b, content[name])
	}
	if domain != "" {
		if len(b) > empty {
			b = append(b, ',')
		}
		b = handler.AppendString(append(b, `"domain":`...), domain)
	}
	return append(b, '}')
}

// appendNone appends an address of a message, which is addr_none for nil.
func appendNone(b []byte, a *chain.Address) []byte {
	if a == nil {
		return append(b, `"addr_none"`...)
	}
	return handler.AppendAddress(b, a)
}

func appendAddresses(b []byte, list []chain.Address) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendAddress(b, &list[i])
	}
	return append(b, ']')
}

func appendAddressIf(b []byte, name string, a *chain.Address) []byte {
	if a == nil {
		return b
	}
	return handler.AppendAddress(append(b, name...), a)
}

// appendPayload appends a payload under name and its decoded form under decodedName. Both are null without a payload;
// the decoded form is null if the payload cannot be decoded.
func appendPayload(b []byte, name, decodedName string, payload chain.BOC) []byte {
	b = appendBOC(append(b, name...), payload, true)
	b = append(b, decodedName...)
	if payload == nil {
		return append(b, "null"...)
	}
	b, decoded := resolvers.AppendPayload(b, payload)
	if !decoded {
		b = append(b, "null"...)
	}
	return b
}

// appendOrderedBy appends the members of the transaction that executed a transfer or burn.
func appendOrderedBy(b []byte, hash *chain.Hash, lt uint64, now uint32, aborted bool) []byte {
	b = handler.AppendHash(append(b, `,"transaction_hash":`...), hash)
	b = handler.AppendDecimal(append(b, `,"transaction_lt":`...), lt)
	b = handler.AppendUint(append(b, `,"transaction_now":`...), now)
	return handler.AppendBool(append(b, `,"transaction_aborted":`...), aborted)
}

// appendReadFrom appends the last members of every contract: the account state that it was read from.
func appendReadFrom(b []byte, lt uint64, code, data *chain.Hash) []byte {
	b = handler.AppendDecimal(append(b, `,"last_transaction_lt":`...), lt)
	b = handler.AppendHash(append(b, `,"code_hash":`...), code)
	return handler.AppendHash(append(b, `,"data_hash":`...), data)
}

// appendIntOrNull appends a number, or null for nil.
func appendIntOrNull[T ~int | ~int64](b []byte, v *T) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	return handler.AppendInt(b, *v)
}

// appendUnixOrNull appends an unsigned time, or null for nil.
func appendUnixOrNull(b []byte, v *uint64) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	return handler.AppendUint(b, *v)
}
