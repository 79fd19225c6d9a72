package body

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Why a body is unknown. The texts are shown to clients.
var (
	errNoLayout = errors.New("no parser succeeded")
	errTooLarge = errors.New("decoding takes more than the limit")
)

// shortError is a body with fewer bits than an opcode has.
type shortError struct{ bits uint }

func (e *shortError) Error() string {
	return "boc is too small, size " + strconv.FormatUint(uint64(e.bits), 10)
}

// DecodeText decodes one body that a client sent as text, base64 or hex: the decoded object with its members in
// alphabetical order, or an object that says why the body is unknown.
func DecodeText(text string) json.RawMessage {
	printed, err := decodeText(text)
	if err == nil {
		if printed, err = sorted(printed); err == nil {
			return printed
		}
	}
	return appendError(nil, err)
}

func decodeText(text string) ([]byte, error) {
	boc, err := readBOC(text)
	if err != nil {
		return nil, err
	}
	root, err := parse(boc)
	if err != nil {
		return nil, errors.New("failed to deserialize boc: " + err.Error())
	}
	return appendBody(nil, root, Incoming, len(boc))
}

// readBOC reads base64, of either alphabet, or hex. A plus sign that became a space in a query counts as a plus sign.
func readBOC(text string) ([]byte, error) {
	if !strings.HasPrefix(text, "te6") {
		boc, err := hex.DecodeString(text)
		if err != nil {
			return nil, errors.New("failed to decode hex: " + err.Error())
		}
		return boc, nil
	}
	text = strings.NewReplacer(" ", "+", "-", "+", "_", "/").Replace(text)
	boc, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, errors.New("failed to decode base64: " + err.Error())
	}
	return boc, nil
}

// sorted prints an object again with its members in alphabetical order.
func sorted(printed []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(printed))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func appendError(b []byte, err error) []byte {
	b = appendString(append(b, `{"error":`...), []byte(strings.ToValidUTF8("unknown: "+err.Error(), "?")))
	return append(b, '}')
}
