package graphql

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// The media types of GraphQL over HTTP. Responses to well-formed requests have status 200 under the older media type; under
// the newer one the status reflects request errors.
const (
	mediaJSON     = "application/json"
	mediaResponse = "application/graphql-response+json"
)

// maxErrors bounds the errors of one response.
const maxErrors = 20

// httpTransport serves queries over GET and POST as the GraphQL over HTTP specification defines.
type httpTransport struct{ *Handler }

var _ graphql.Transport = httpTransport{}

// Supports reports every request that is not an upgrade, so that invalid requests get an error response, too.
func (httpTransport) Supports(r *http.Request) bool { return r.Header.Get("Upgrade") == "" }

// Do serves one request.
func (t httpTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	media, ok := negotiate(r.Header.Values("Accept"))
	if !ok {
		reply(w, r, mediaJSON, http.StatusNotAcceptable, failure("the response can be application/json or application/graphql-response+json"))
		return
	}
	params, documentID, status, problem := t.params(w, r)
	if problem != "" {
		reply(w, r, media, status, failure(problem))
		return
	}
	ofRequest, err := handler.MinSeqno(r)
	var minSeqno uint32
	if err == nil {
		minSeqno, err = t.await(r.Context(), params, ofRequest)
	}
	if err != nil {
		handler.RecordOf(r.Context()).Err = err
		refuseSeqno(w, r, media, err)
		return
	}
	ctx, cancel := t.timed(r.Context())
	defer cancel()
	if e := t.persisted.find(params, documentID); e != nil {
		reply(w, r, media, requestErrorStatus(media), &graphql.Response{Errors: gqlerror.List{e}})
		return
	}
	op, errs := exec.CreateOperationContext(ctx, params)
	if len(errs) != 0 {
		resp := exec.DispatchError(graphql.WithOperationContext(ctx, op), errs)
		reply(w, r, media, requestErrorStatus(media), resp)
		return
	}
	if r.Method == http.MethodGet && op.Operation.Operation != ast.Query {
		w.Header().Set("Allow", http.MethodPost)
		reply(w, r, media, http.StatusMethodNotAllowed, failure("GET serves queries only; send this operation by POST"))
		return
	}
	if op.Operation.Operation == ast.Subscription {
		reply(w, r, media, requestErrorStatus(media), failure("subscriptions are served over WebSocket ("+subprotocol+") and as Accept: "+mediaEvents))
		return
	}
	resp, failed := t.execute(ctx, exec, op, minSeqno)
	status = http.StatusOK
	if failed != nil {
		w.Header().Set("Retry-After", "1")
		if string(resp.Data) == "null" || len(resp.Data) == 0 {
			status = http.StatusServiceUnavailable
			handler.RecordOf(r.Context()).Err = failed
		}
	}
	reply(w, r, media, status, resp)
}

// params decodes a request. A non-empty problem is the error message, which is sent with status.
func (t httpTransport) params(w http.ResponseWriter, r *http.Request) (p *graphql.RawParams, documentID string, status int, problem string) {
	start := graphql.Now()
	p = &graphql.RawParams{Headers: r.Header}
	switch r.Method {
	case http.MethodGet:
		if documentID, problem = readURL(r, p); problem != "" {
			return nil, "", http.StatusBadRequest, problem
		}
	case http.MethodPost:
		if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != mediaJSON {
			return nil, "", http.StatusUnsupportedMediaType, "send the request as Content-Type: application/json"
		}
		text, err := io.ReadAll(handler.LimitBody(w, r, int64(t.opts.Limits.MaxBodyBytes)))
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, "", http.StatusRequestEntityTooLarge, "the request body is too large"
		}
		if err != nil {
			return nil, "", http.StatusBadRequest, "the request body could not be read"
		}
		if documentID, problem = readBody(text, p); problem != "" {
			return nil, "", http.StatusBadRequest, problem
		}
	default:
		w.Header().Set("Allow", "GET, POST")
		return nil, "", http.StatusMethodNotAllowed, "GraphQL is served by GET and POST"
	}
	if p.Query == "" && documentID == "" && p.Extensions["persistedQuery"] == nil {
		return nil, "", http.StatusBadRequest, "the request has no query"
	}
	p.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	return p, documentID, 0, ""
}

func readURL(r *http.Request, p *graphql.RawParams) (documentID, problem string) {
	q := r.URL.Query()
	p.Query, p.OperationName = q.Get("query"), q.Get("operationName")
	for name, into := range map[string]*map[string]any{"variables": &p.Variables, "extensions": &p.Extensions} {
		if text := q.Get(name); text != "" && decode([]byte(text), into) != nil {
			return "", name + " must be a JSON object"
		}
	}
	return q.Get("documentId"), ""
}

func readBody(body []byte, p *graphql.RawParams) (documentID, problem string) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		return "", "batches are not supported; send one operation per request"
	}
	var raw struct {
		Query         json.RawMessage `json:"query"`
		OperationName json.RawMessage `json:"operationName"`
		Variables     json.RawMessage `json:"variables"`
		Extensions    json.RawMessage `json:"extensions"`
		DocumentID    json.RawMessage `json:"documentId"`
	}
	if decode(body, &raw) != nil {
		return "", "the request body must be a JSON object with a query"
	}
	var ok [5]bool
	ok[0] = member(raw.Query, '"', &p.Query)
	ok[1] = member(raw.OperationName, '"', &p.OperationName)
	if handler.CountValues(raw.Variables) > maxDecoded {
		p.Variables, ok[2] = map[string]any{"": tooManyValues{}}, true
	} else {
		ok[2] = member(raw.Variables, '{', &p.Variables)
	}
	if handler.CountValues(raw.Extensions) > maxDecoded {
		return "", "extensions must be an object with fewer values"
	}
	ok[3] = member(raw.Extensions, '{', &p.Extensions)
	ok[4] = member(raw.DocumentID, '"', &documentID)
	for i, problem := range []string{
		"query must be a string", "operationName must be a string", "variables must be an object", "extensions must be an object",
		"documentId must be a string",
	} {
		if !ok[i] {
			return "", problem
		}
	}
	return documentID, ""
}

// member decodes a member of a request, which begins with first unless it is null or absent.
func member(raw json.RawMessage, first byte, into any) (ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return true
	}
	return raw[0] == first && decode(raw, into) == nil
}

// maxDecoded is the number of values from which an object is not decoded, because that takes twenty times the memory of its text. It is above
// maxValues, as what is counted is only about their number.
const maxDecoded = 4 * maxValues

func decode(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(into)
}

// negotiate selects the media type of the response: application/json for clients without preference.
func negotiate(accept []string) (string, bool) {
	if len(accept) == 0 {
		return mediaJSON, true
	}
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, _, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		switch media {
		case mediaResponse:
			return mediaResponse, true
		case mediaJSON, "application/*", "*/*":
			return mediaJSON, true
		}
	}
	return "", false
}

// requestErrorStatus returns the status of a request error: one of parsing, validation or limits.
func requestErrorStatus(media string) int {
	if media == mediaResponse {
		return http.StatusBadRequest
	}
	return http.StatusOK
}

func failure(sentence string) *graphql.Response {
	e := gqlerror.Errorf("%s", sentence)
	e.Extensions = map[string]any{"code": codeBadRequest}
	return &graphql.Response{Errors: gqlerror.List{e}}
}

func reply(w http.ResponseWriter, r *http.Request, media string, status int, resp *graphql.Response) {
	w.Header().Set("Content-Type", media+"; charset=utf-8")
	if err := handler.Send(r.Context(), w, status, body(resp)); errors.Is(err, handler.ErrUnsent) {
		handler.RecordOf(r.Context()).Err = err
		w.Header().Set("Retry-After", "1")
		_ = handler.Send(r.Context(), w, http.StatusServiceUnavailable, body(failure(chain.PublicMessage(err)))) // fails only when the client has disconnected
	}
}
