package v3

import (
	"strconv"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// appendMessage appends a Message. side selects the transactions it refers to: the receiver (In), the sender (Out) or both.
func appendMessage(b []byte, m *chain.Message, side chain.Direction) []byte {
	b = handler.AppendHash(append(b, `{"hash":`...), &m.Hash)
	b = handler.AppendAddress(append(b, `,"source":`...), m.Source)
	b = handler.AppendAddress(append(b, `,"destination":`...), m.Destination)
	b = handler.AppendDecimalOrNull(append(b, `,"value":`...), m.Value)
	b = append(b, `,"value_extra_currencies":`...)
	if m.Kind == chain.InternalMessage {
		b = appendExtra(b, m.ValueExtra)
	} else {
		b = append(b, "null"...) // external messages carry no value
	}
	b = handler.AppendDecimalOrNull(append(b, `,"fwd_fee":`...), m.FwdFee)
	b = handler.AppendDecimalOrNull(append(b, `,"ihr_fee":`...), m.IHRFee)
	b = handler.AppendDecimalOrNull(append(b, `,"created_lt":`...), m.CreatedLT)
	b = handler.AppendDecimalOrNull(append(b, `,"created_at":`...), m.CreatedAt)
	b = appendOpcode(append(b, `,"opcode":`...), m.Opcode)
	b = appendOpcodeName(append(b, `,"decoded_opcode":`...), m)
	b = handler.AppendBoolOrNull(append(b, `,"ihr_disabled":`...), m.IHRDisabled)
	b = handler.AppendBoolOrNull(append(b, `,"bounce":`...), m.Bounce)
	b = handler.AppendBoolOrNull(append(b, `,"bounced":`...), m.Bounced)
	b = handler.AppendBig(append(b, `,"import_fee":`...), m.ImportFee)
	b = handler.AppendBig(append(b, `,"extra_flags":`...), m.ExtraFlags)
	b = appendBody(append(b, `,"message_content":`...), m)
	b = append(b, `,"init_state":`...)
	if m.InitHash == nil {
		b = append(b, "null"...)
	} else {
		b = appendInit(b, m)
	}
	if m.HashNorm != nil && *m.HashNorm != m.Hash {
		b = handler.AppendHash(append(b, `,"hash_norm":`...), m.HashNorm)
	}
	if m.ReceivedBy != nil && side != chain.Out {
		b = handler.AppendHash(append(b, `,"in_msg_tx_hash":`...), &m.ReceivedBy.Hash)
	}
	if m.SentBy != nil && side != chain.In {
		b = handler.AppendHash(append(b, `,"out_msg_tx_hash":`...), &m.SentBy.Hash)
	}
	return append(b, '}')
}

func appendBody(b []byte, m *chain.Message) []byte {
	b = handler.AppendHash(append(b, `{"hash":`...), &m.BodyHash)
	if len(b) > handler.MaxResponse { // it is refused: see [handler.Stream.Spill]
		return append(b, `,"body":null,"decoded":null}`...)
	}
	boc := m.BodyBOC()
	b = appendBOC(append(b, `,"body":`...), boc, true)
	b, decoded := resolvers.AppendDecoded(append(b, `,"decoded":`...), m, boc)
	if !decoded {
		b = append(b, "null"...)
	}
	return append(b, '}')
}

func appendInit(b []byte, m *chain.Message) []byte {
	b = handler.AppendHash(append(b, `{"hash":`...), m.InitHash)
	if len(b) > handler.MaxResponse { // it is refused
		return append(b, `,"body":null,"decoded":null}`...)
	}
	b = appendBOC(append(b, `,"body":`...), m.InitBOC(), true)
	return append(b, `,"decoded":null}`...)
}

func appendOpcodeName(b []byte, m *chain.Message) []byte {
	if name := resolvers.OpcodeName(m); name != "" {
		return handler.AppendString(b, name)
	}
	return append(b, "null"...)
}

func appendOpcode(b []byte, op *uint32) []byte {
	if op == nil {
		return append(b, "null"...)
	}
	const digits = "0123456789abcdef"
	b = append(b, `"0x`...)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, digits[*op>>shift&15])
	}
	return append(b, '"')
}

// appendExtra appends extra currencies: id to amount, both decimal strings.
func appendExtra(b []byte, e chain.ExtraCurrencies) []byte {
	if len(e) == 0 {
		return append(b, "{}"...)
	}
	b = append(b, '{')
	for i, id := range e.IDs() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendUint(append(b, '"'), uint64(id), 10), `":`...)
		b = handler.AppendBig(b, e[id])
	}
	return append(b, '}')
}
