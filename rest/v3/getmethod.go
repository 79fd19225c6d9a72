package v3

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// stackEntry is a get-method argument in a request.
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
		if b, err = resolvers.AppendStack(b, result.Stack); err != nil {
			return unprintable(err)
		}
		b = append(b, '}')
		c.out.B = b
		return nil
	}, nil
}

func (c *call) methodCall() (resolvers.MethodCall, error) {
	var q resolvers.MethodCall
	var request struct {
		Address *string      `json:"address"`
		Method  *string      `json:"method"`
		Stack   []stackEntry `json:"stack"`
		Seqno   *int64       `json:"seqno"`
	}
	if err := c.readJSON(&request); err != nil {
		return q, err
	}
	if request.Address == nil || *request.Address == "" {
		return q, missing("address is required")
	}
	if request.Method == nil || *request.Method == "" {
		return q, missing("method is required")
	}
	var err error
	if q.Account, err = handler.ParseAddress(*request.Address); err != nil {
		return q, err
	}
	if q.Seqno, err = parseSeqno("seqno", request.Seqno); err != nil {
		return q, err
	}
	q.Method = *request.Method
	q.Stack = make([]any, len(request.Stack))
	for i := range request.Stack {
		if q.Stack[i], err = request.Stack[i].value(); err != nil {
			return q, err
		}
	}
	return q, nil
}

// value returns the argument as a TVM value.
func (e *stackEntry) value() (any, error) {
	if !resolvers.IsStackType(e.Type) {
		return nil, chain.Invalidf("unsupported stack parameter type: %s", strings.Trim(chain.Quote(e.Type), `"`))
	}
	var text string
	var number json.Number
	if err := json.Unmarshal(e.Value, &text); err != nil {
		if e.Type != "num" || json.Unmarshal(e.Value, &number) != nil {
			return nil, chain.Invalidf("stack: the value of a %s is a string", e.Type)
		}
		text = number.String()
	}
	return resolvers.ParseStackValue(e.Type, text)
}

// unprintable converts the error about a stack value without a JSON form to status 501. It returns other errors unchanged.
func unprintable(err error) error {
	var u *resolvers.UnprintableError
	if errors.As(err, &u) {
		return &statusError{status: http.StatusNotImplemented, text: u.Error(), cause: err}
	}
	return err
}
