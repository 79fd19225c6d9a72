package v3

import (
	"encoding/json"
	"math/big"
	"net/http"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// stackEntry is one value of a stack as clients send it.
type stackEntry struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

func runGetMethod(c *call) (func() error, error) {
	return func() error {
		q, err := c.methodCall()
		if err != nil {
			return err
		}
		result, err := c.svc.RunGetMethod(c.ctx, q)
		if err != nil {
			return err
		}
		b := handler.AppendInt(append(c.out.B, `{"gas_used":`...), result.Gas)
		b = handler.AppendInt(append(b, `,"exit_code":`...), result.Exit)
		b = append(b, `,"stack":`...)
		if b, err = appendStack(b, result.Stack); err != nil {
			return err
		}
		c.out.B = append(b, '}')
		return nil
	}, nil
}

func (c *call) methodCall() (resolvers.MethodCall, error) {
	var q resolvers.MethodCall
	var asked struct {
		Address *string      `json:"address"`
		Method  *string      `json:"method"`
		Stack   []stackEntry `json:"stack"`
		Seqno   *int64       `json:"seqno"`
	}
	if err := c.readJSON(&asked); err != nil {
		return q, err
	}
	if asked.Address == nil || *asked.Address == "" {
		return q, missing("address is required")
	}
	if asked.Method == nil || *asked.Method == "" {
		return q, missing("method is required")
	}
	var err error
	if q.Account, err = chain.ParseAddress(*asked.Address); err != nil {
		return q, err
	}
	if q.Seqno, err = parseSeqno(asked.Seqno); err != nil {
		return q, err
	}
	q.Method = *asked.Method
	q.Stack = make([]any, len(asked.Stack))
	for i := range asked.Stack {
		if q.Stack[i], err = asked.Stack[i].value(); err != nil {
			return q, err
		}
	}
	return q, nil
}

// value converts an argument.
func (e *stackEntry) value() (any, error) {
	switch e.Type {
	case "num", "cell", "slice":
	default:
		return nil, &statusError{
			status: http.StatusInternalServerError, text: "unsupported stack parameter type: " + strings.Trim(chain.Quote(e.Type), `"`),
		}
	}
	var text string
	if err := json.Unmarshal(e.Value, &text); err != nil {
		return nil, chain.Invalidf("stack: the value of a %s is a string", e.Type)
	}
	if e.Type == "num" {
		return parseNumber(text)
	}
	if text == "" {
		return nil, chain.Invalidf("stack: a %s needs a bag of cells in base64", e.Type)
	}
	c, err := parseCell("stack", text)
	if err != nil || e.Type == "cell" {
		return c, err
	}
	return sliceOf(c)
}

// sliceOf opens a cell as the older interface does: special cells as they are.
func sliceOf(c *cell.Cell) (any, error) {
	s, err := c.BeginParse()
	if err != nil {
		return nil, chain.Invalidf("stack: a slice of a special cell cannot be made: %v", err)
	}
	return s, nil
}

// parseNumber reads decimal or 0x hex digits, with a sign or without. Contracts know 257 bits.
func parseNumber(text string) (*big.Int, error) {
	const mostDigits = 90
	digits, base := strings.TrimPrefix(text, "-"), 10
	if hex := strings.TrimPrefix(strings.ToLower(digits), "0x"); len(hex) < len(digits) {
		digits, base = hex, 16
	}
	n, ok := new(big.Int), false
	if len(digits) <= mostDigits && strings.Trim(digits, "0123456789abcdefABCDEF") == "" {
		n, ok = n.SetString(digits, base)
	}
	if !ok {
		return nil, chain.Invalidf("stack: a number is decimal or 0x hex digits, not %s", chain.Quote(text))
	}
	if strings.HasPrefix(text, "-") {
		n.Neg(n)
	}
	if n.BitLen() > 256 && !(n.Sign() < 0 && n.BitLen() == 257 && n.TrailingZeroBits() == 256) {
		return nil, chain.Invalidf("stack: the number %s does not fit 257 bits", chain.Quote(text))
	}
	return n, nil
}

// appendStack prints values as entries with a type.
func appendStack(b []byte, values []any) ([]byte, error) {
	b = append(b, '[')
	var err error
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, v); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func appendValue(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil: // the empty list and null are the same value
		return append(b, `{"type":"list","value":[]}`...), nil
	case *big.Int:
		return append(appendHex(append(b, `{"type":"num","value":"`...), v), `"}`...), nil
	case *cell.Cell:
		b = handler.AppendBytes(append(b, `{"type":"cell","value":`...), v.ToBOC())
		return append(b, '}'), nil
	case *cell.Slice:
		c, err := v.Copy().ToCell()
		if err != nil {
			return b, unprintable("slice")
		}
		b = handler.AppendBytes(append(b, `{"type":"slice","value":`...), c.ToBOC())
		return append(b, '}'), nil
	case []any:
		kind, items := "tuple", v
		if list, ok := listItems(v); ok {
			kind, items = "list", list
		}
		b, err := appendStack(append(append(append(b, `{"type":"`...), kind...), `","value":`...), items)
		return append(b, '}'), err
	case *cell.Builder:
		return b, unprintable("builder")
	case resolvers.NaN:
		return b, unprintable("NaN")
	default:
		return b, unprintable("continuation")
	}
}

// unprintable is the answer when a method leaves what the interface has no form for.
func unprintable(kind string) error {
	return &statusError{status: http.StatusNotImplemented, text: "the stack holds a " + kind + ", which this interface has no form for"}
}

// listItems reads a list as contracts build it: pairs of a value and the rest, null at the end.
func listItems(v []any) (items []any, ok bool) {
	for len(v) == 2 {
		items = append(items, v[0])
		if v[1] == nil {
			return items, true
		}
		if v, ok = v[1].([]any); !ok {
			return nil, false
		}
	}
	return nil, false
}

// appendHex prints -0x2a.
func appendHex(b []byte, n *big.Int) []byte {
	if n.Sign() < 0 {
		b, n = append(b, '-'), new(big.Int).Neg(n)
	}
	return n.Append(append(b, "0x"...), 16)
}
