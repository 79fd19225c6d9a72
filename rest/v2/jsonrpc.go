package v2

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// rpcName is the path of JSON-RPC below [Prefix].
const rpcName = "jsonRPC"

// maxCalls is the maximum number of calls in a batch.
const maxCalls = 32

// rpcCall is a JSON-RPC call.
type rpcCall struct {
	id     json.RawMessage // returned unchanged, whatever its type; nil when there is none
	method string
	params json.RawMessage
}

// parseCall parses a call. The names of its members are exact. The id is returned with an error, too, where the call has one.
func parseCall(body json.RawMessage) (rpcCall, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return rpcCall{}, errNoCall
	}
	c := rpcCall{id: members["id"], params: members["params"]}
	var method *string
	if raw, ok := members["method"]; ok && json.Unmarshal(raw, &method) != nil {
		return c, errNoCall
	}
	if method == nil {
		return c, chain.Invalidf("method is required")
	}
	c.method = *method
	return c, nil
}

var errNoCall = chain.Invalidf("a call must be an object with method, params and id")

// serveRPC responds to a call with the status of its REST form, and to a batch with status 200 and a list in the order of
// the calls.
func (a *api) serveRPC(ctx context.Context, w http.ResponseWriter, r *http.Request, start time.Time) {
	var body json.RawMessage
	var err error
	if r.Method != http.MethodPost {
		err = methodNotAllowed(w, r, false)
	} else if body, err = readBody(r); err == nil && !json.Valid(body) {
		err = chain.Invalidf("the body is not JSON")
	}
	if err == nil && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		var calls []json.RawMessage
		if err = json.Unmarshal(body, &calls); err == nil {
			err = a.serveBatch(ctx, w, calls, start)
		}
		if err == nil {
			return
		}
	}
	if err != nil {
		handler.RecordOf(ctx).Err = err
		status, text := refusal(w, err)
		a.write(ctx, w, status, append(appendRefusal(nil, status, text, "_"), `,"jsonrpc":"2.0"}`...))
		return
	}
	status, response := a.rpc(ctx, w, body, start)
	a.write(ctx, w, status, response)
}

func (a *api) serveBatch(ctx context.Context, w http.ResponseWriter, calls []json.RawMessage, start time.Time) error {
	if len(calls) == 0 || len(calls) > maxCalls {
		return chain.Invalidf("a batch has 1 to %d calls, not %d", maxCalls, len(calls))
	}
	out := []byte{'['}
	for i, one := range calls {
		if i > 0 {
			out = append(out, ',')
		}
		if len(out) > handler.MaxResponse { // each call is bounded by that already
			status, text := refusal(w, handler.ErrTooLong)
			out = appendResponseEnd(appendRefusal(out, status, text, "_"), one)
			continue
		}
		if wait, ok := a.opts.Take(ctx, 1); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
			out = appendLimited(out, one)
			continue
		}
		_, response := a.rpc(ctx, w, one, start)
		out = append(out, response...)
	}
	a.write(ctx, w, http.StatusOK, append(out, ']'))
	return nil
}

// appendLimited appends the response to a call of a batch that exceeds the rate limit. Clients match on its text.
func appendLimited(out []byte, body json.RawMessage) []byte {
	return appendResponseEnd(append(out, `{"ok":false,"error":"Ratelimit exceed","result":"Ratelimit exceed","code":429`...), body)
}

// appendResponseEnd appends what a response to a call ends with: the version and the id of the call.
func appendResponseEnd(out []byte, body json.RawMessage) []byte {
	request, _ := parseCall(body)
	return request.appendEnd(out)
}

func (c rpcCall) appendEnd(out []byte) []byte {
	out = append(out, `,"jsonrpc":"2.0"`...)
	if len(c.id) > 0 {
		out = append(append(out, `,"id":`...), c.id...)
	}
	return append(out, '}')
}

// rpc runs one call and returns its status and complete body.
func (a *api) rpc(ctx context.Context, w http.ResponseWriter, body json.RawMessage, start time.Time) (int, []byte) {
	request, err := parseCall(body)
	route := Route{}
	switch {
	case err != nil:
	case request.method == rpcName:
		err = chain.Invalidf("%s cannot be called by JSON-RPC", chain.Quote(rpcName))
	default:
		var ok bool
		if route, ok = a.routes[request.method]; !ok {
			err = chain.Invalidf("%s", a.unknown(request.method))
		}
	}
	status, out := a.respond(ctx, w, route, func() (*params, error) {
		if err != nil {
			return nil, err
		}
		return parseParams(request.params)
	}, start)
	return status, request.appendEnd(out)
}

// parseParams reads the params of a call, which must be an object. Absent params, an empty list and scalars count as an
// empty object.
func parseParams(raw json.RawMessage) (*params, error) {
	switch text := bytes.TrimSpace(raw); {
	case len(text) == 0, text[0] != '{' && text[0] != '[':
		return parseObject(json.RawMessage("{}"))
	case text[0] == '[':
		if len(bytes.TrimSpace(text[1:len(text)-1])) > 0 {
			return nil, chain.Invalidf("params must be an object with names, not a list")
		}
		return parseObject(json.RawMessage("{}"))
	default:
		return parseObject(json.RawMessage(text))
	}
}
