package details

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"tonql/internal/chain"
)

// Number is a whole number of any size in decimal, printed as a string.
type Number string

// UnmarshalJSON reads a number or a string of digits.
func (n *Number) UnmarshalJSON(text []byte) error {
	s, err := decimal(text)
	*n = Number(s)
	return err
}

// MarshalGQL writes the string.
func (n Number) MarshalGQL(w io.Writer) { fmt.Fprintf(w, "%q", string(n)) } //nolint:errcheck // the transport reports it

// UnmarshalGQL is for arguments; none has this type.
func (n *Number) UnmarshalGQL(v any) error { return fromGraphQL((*string)(n), v) }

// Integer is a whole number of any size in decimal, printed as a JSON number.
type Integer string

// MarshalJSON returns the number without quotes.
func (n Integer) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("0"), nil
	}
	return []byte(n), nil
}

// UnmarshalJSON reads a number or a string of digits.
func (n *Integer) UnmarshalJSON(text []byte) error {
	s, err := decimal(text)
	*n = Integer(s)
	return err
}

// MarshalGQL writes a string, as every number that may exceed 32 bits.
func (n Integer) MarshalGQL(w io.Writer) { fmt.Fprintf(w, "%q", string(n)) } //nolint:errcheck // the transport reports it

// UnmarshalGQL is for arguments; none has this type.
func (n *Integer) UnmarshalGQL(v any) error { return fromGraphQL((*string)(n), v) }

// decimal returns the digits of a JSON number or of a JSON string of digits.
func decimal(text []byte) (string, error) {
	s := string(text)
	if len(text) > 0 && text[0] == '"' {
		if err := json.Unmarshal(text, &s); err != nil {
			return "", err
		}
	}
	if _, ok := new(big.Int).SetString(s, 10); !ok {
		return "", chain.Invalidf("%s is not a whole number", chain.Quote(s))
	}
	return s, nil
}

func fromGraphQL(s *string, v any) error {
	text, ok := v.(string)
	if !ok {
		return chain.Invalidf("BigInt is written as a string")
	}
	*s = text
	return nil
}

// Opcode is the first 32 bits of a message body, printed as 0x and eight lower-case hex digits.
type Opcode uint32

// MarshalText prints the published form.
func (o Opcode) MarshalText() ([]byte, error) { return []byte(chain.FormatOpcode(uint32(o))), nil }

// UnmarshalText reads the published form.
func (o *Opcode) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "0x%08x", (*uint32)(o))
	return err
}

// MarshalGQL writes the published form.
func (o Opcode) MarshalGQL(w io.Writer) {
	fmt.Fprintf(w, "%q", chain.FormatOpcode(uint32(o))) //nolint:errcheck // the transport reports it
}

// UnmarshalGQL is for arguments; none has this type.
func (o *Opcode) UnmarshalGQL(v any) error {
	s, _ := v.(string)
	return o.UnmarshalText([]byte(s))
}

// Currencies are amounts of extra currencies by their ids in decimal.
type Currencies map[string]Number

// MarshalGQL writes an object.
func (c Currencies) MarshalGQL(w io.Writer) {
	text, _ := json.Marshal(c) //nolint:errchkjson // texts only
	w.Write(text)              //nolint:errcheck // the transport reports it
}

// UnmarshalGQL is for arguments; none has this type.
func (c *Currencies) UnmarshalGQL(any) error {
	return chain.Invalidf("extra currencies cannot be written here")
}
