package main

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tonql/internal/conformance"
)

// breakage is a way in which a server can be wrong.
type breakage struct {
	classes []conformance.Class // of checks that have to find it

	request  func(r *http.Request)              // changes the request before the server sees it
	response func(key string, v any) any        // changes the decoded response
	status   func(status int, v any) (int, any) // changes the status, and the decoded body with it
}

// Classes of checks, grouped by what they have to find.
var (
	aboutRows   = []conformance.Class{conformance.Filters, conformance.Paging, conformance.Consistency, conformance.Routes, conformance.Limits}
	aboutValues = []conformance.Class{conformance.Filters, conformance.Consistency, conformance.Encoding, conformance.Routes}
	aboutForms  = []conformance.Class{conformance.Fields, conformance.Encoding}
	aboutErrors = []conformance.Class{conformance.Errors, conformance.Limits}
)

// damages by name.
var damages = map[string]breakage{
	"no last row":       {classes: aboutRows, response: rows(func(_ string, list []any) []any { return list[:len(list)-1] })},
	"no first row":      {classes: aboutRows, response: rows(func(_ string, list []any) []any { return list[1:] })},
	"no rows":           {classes: aboutRows, response: rows(func(string, []any) []any { return []any{} })},
	"double rows":       {classes: aboutRows, response: rows(func(_ string, list []any) []any { return append(list, list[0]) })},
	"an unexpected row": {classes: append(aboutRows, conformance.Encoding), response: emptyLists},
	"reversed rows":     {classes: []conformance.Class{conformance.Order, conformance.Paging}, response: rows(func(_ string, list []any) []any { slices.Reverse(list); return list })},

	"filters ignored": {classes: aboutRows, request: only("limit", "offset", "sort", "address", "end_lt", "direction", "count", "method")},
	"offset ignored":  {classes: aboutRows, request: lacking("offset", "after_lt", "after_hash", "lt", "hash")},
	"limit ignored":   {classes: aboutRows, request: lacking("limit", "count")},
	"sort ignored":    {classes: []conformance.Class{conformance.Order}, request: lacking("sort")},

	"other hashes":     {classes: aboutValues, response: everyValue(otherHash)},
	"other addresses":  {classes: aboutValues, response: everyValue(otherAddress)},
	"other numbers":    {classes: aboutValues, response: everyValue(otherNumber)},
	"other booleans":   {classes: append(aboutValues, conformance.Limits), response: all(otherBoolean)},
	"other texts":      {classes: aboutValues, response: all(otherText)},
	"other cells":      {classes: aboutValues, response: all(otherCell)},
	"other first hash": {classes: aboutValues, response: oncePerResponse(otherHash)},
	"numbers as text":  {classes: aboutForms, response: all(numberAsText)},
	"text as numbers":  {classes: aboutForms, response: all(textAsNumber)},
	"hex hashes":       {classes: aboutForms, response: all(hexHash)},
	"members missing":  {classes: aboutForms, response: everyObject(func(path, name string, o map[string]any) { drop(path, name, o) })},
	"members null": {classes: append(aboutForms, conformance.Consistency, conformance.Routes, conformance.Filters), response: everyObject(func(_, name string, o map[string]any) {
		if name != "error" && name != "errors" {
			o[name] = nil
		}
	})},
	"nulls filled":   {classes: append(aboutForms, conformance.Filters), response: fillNulls},
	"maps with more": {classes: []conformance.Class{conformance.Fields, conformance.Consistency}, response: moreKeys},

	"errors with status 200": {classes: aboutErrors, status: func(status int, v any) (int, any) {
		if status >= 400 {
			status = http.StatusOK
		}
		return status, v
	}},
	"errors without text": {classes: aboutErrors, status: func(status int, v any) (int, any) {
		if o, ok := v.(map[string]any); ok && (status >= 400 || o["errors"] != nil) {
			return status, map[string]any{"data": nil}
		}
		return status, v
	}},
	"errors with another status": {classes: aboutErrors, status: func(status int, v any) (int, any) {
		if status >= 400 {
			status = http.StatusTeapot
		}
		return status, v
	}},
	"failures": {classes: []conformance.Class{conformance.Routes}, status: func(status int, v any) (int, any) {
		if status == http.StatusOK {
			status = http.StatusInternalServerError
		}
		return status, v
	}},
}

func damageNames() []string { return slices.Sorted(maps.Keys(damages)) }

// responses are those of the server, so that every damage meets the same chain.
var responses sync.Map

type recorded struct {
	status int
	header http.Header
	body   []byte
}

// damage starts a proxy before a server, and returns its address. The first requests, which detect the sections of the
// server, pass unchanged. Where a breakage damages a part of the values, each round chooses another part.
func damage(t *testing.T, base string, b breakage, round int) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	var detected sync.Map // what was requested once
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if b.request != nil {
			b.request(r)
		}
		key := r.Method + r.URL.String() + string(body)
		got, ok := responses.Load(base + key)
		if !ok {
			request, err := http.NewRequestWithContext(r.Context(), r.Method, base+r.URL.String(), bytes.NewReader(body))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			request.Header.Set("Content-Type", r.Header.Get("Content-Type"))
			response, err := client.Do(request)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			text, err := io.ReadAll(response.Body)
			_ = response.Body.Close() // it was read
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			got = recorded{response.StatusCode, response.Header, text}
			responses.Store(base+key, got)
		}
		r0 := got.(recorded) //nolint:forcetypeassert // nothing else is stored
		status, text := r0.status, r0.body
		if _, again := detected.LoadOrStore(r.URL.Path, true); again || !detects(r, body) {
			status, text = b.apply(strconv.Itoa(round)+key, status, text)
		}
		w.Header().Set("Content-Type", r0.header.Get("Content-Type"))
		w.WriteHeader(status)
		_, _ = w.Write(text) // the client may be gone
	}))
	t.Cleanup(func() { proxy.Close(); client.CloseIdleConnections() })
	return proxy.URL
}

// detects reports whether a request looks for a section.
func detects(r *http.Request, body []byte) bool {
	return strings.HasSuffix(r.URL.Path, "/masterchainInfo") || strings.HasSuffix(r.URL.Path, "/getMasterchainInfo") || bytes.Contains(body, []byte(`"{ __typename }"`)) ||
		strings.HasSuffix(r.URL.Path, "/emulateTrace") && string(body) == "{}"
}

// apply damages a response. The round and the request (the key) decide what is damaged, where that is not everything.
func (b breakage) apply(key string, status int, body []byte) (int, []byte) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return status, body
	}
	if b.response != nil && status == http.StatusOK {
		v = b.response(key, v)
	}
	if b.status != nil {
		status, v = b.status(status, v)
	}
	changed, err := json.Marshal(v)
	if err != nil {
		return status, body
	}
	return status, changed
}

// change walks a response and replaces its values. The place of a value is the key and the path to it.
func change(place string, v any, replace func(place string, v any) any) any {
	switch t := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(t)) {
			t[name] = change(place+"."+name, t[name], replace)
		}
	case []any:
		for i, e := range t {
			t[i] = change(place+"["+string(rune('a'+i%26))+"]", e, replace)
		}
	}
	return replace(place, v)
}

// rows changes every list that has elements.
func rows(replace func(place string, list []any) []any) func(string, any) any {
	return func(key string, v any) any {
		return change(key, v, func(place string, v any) any {
			if list, ok := v.([]any); ok && len(list) > 0 {
				return replace(place, list)
			}
			return v
		})
	}
}

// emptyLists adds a row to lists that have none.
func emptyLists(key string, v any) any {
	return change(key, v, func(_ string, v any) any {
		if list, ok := v.([]any); ok && len(list) == 0 {
			row := map[string]any{}
			for _, name := range []string{"hash", "root_hash", "trace_id", "action_id", "address", "domain"} {
				row[name] = "unexpected"
			}
			return []any{row}
		}
		return v
	})
}

// chosen reports whether a place is damaged: half of all are.
func chosen(place string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(place)) // it never fails
	return h.Sum32()>>7&1 == 0
}

// everyValue changes strings, numbers and booleans at the chosen places. What change does not apply to, it returns as it is.
func everyValue(replace func(any) any) func(string, any) any {
	return func(key string, v any) any {
		return change(key, v, func(place string, v any) any {
			if chosen(place) {
				return replace(v)
			}
			return v
		})
	}
}

// all changes strings, numbers and booleans everywhere.
func all(replace func(any) any) func(string, any) any {
	return func(key string, v any) any {
		return change(key, v, func(_ string, v any) any { return replace(v) })
	}
}

// oncePerResponse changes the first value that a change applies to.
func oncePerResponse(replace func(any) any) func(string, any) any {
	return func(key string, v any) any {
		done := false
		return change(key, v, func(_ string, v any) any {
			switch v.(type) {
			case string, json.Number, bool:
				if changed := replace(v); !done && changed != v {
					done = true
					return changed
				}
			}
			return v
		})
	}
}

// everyObject changes each member of objects at the chosen places.
func everyObject(replace func(place, name string, o map[string]any)) func(string, any) any {
	return func(key string, v any) any {
		return change(key, v, func(place string, v any) any {
			if o, ok := v.(map[string]any); ok {
				for _, name := range slices.Sorted(maps.Keys(o)) {
					if chosen(place + name) {
						replace(place, name, o)
					}
				}
			}
			return v
		})
	}
}

// fillNulls gives members that are null a value.
func fillNulls(key string, v any) any {
	return change(key, v, func(_ string, v any) any {
		if o, ok := v.(map[string]any); ok {
			for name, member := range o {
				if member == nil {
					o[name] = "unexpected"
				}
			}
		}
		return v
	})
}

func drop(_, name string, o map[string]any) { delete(o, name) }

// moreKeys adds a member to objects that are maps: their names are no words.
func moreKeys(key string, v any) any {
	return change(key, v, func(_ string, v any) any {
		o, ok := v.(map[string]any)
		if !ok {
			return v
		}
		for name, value := range o {
			if len(name) >= 44 {
				o[strings.Repeat("A", 43)+"="] = value
				return o
			}
		}
		if len(o) == 0 {
			o[nobodyAddress] = map[string]any{}
		}
		return o
	})
}

const nobodyAddress = "0:0000000000000000000000000000000000000000000000000000000000000001"

var (
	hashForm    = regexp.MustCompile(`^[A-Za-z0-9+/_-]{43}=?$|^[0-9a-f]{64}$`)
	addressForm = regexp.MustCompile(`^-?[0-9]+:[0-9A-Fa-f]{64}$|^[A-Za-z0-9_+/-]{48}$`)
	decimalForm = regexp.MustCompile(`^-?[0-9]+$`)
)

// rotate changes the tenth character of a text within its alphabet.
func rotate(s string) string {
	b := []byte(s)
	if b[9] == '1' {
		b[9] = '2'
	} else {
		b[9] = '1'
	}
	return string(b)
}

func otherHash(v any) any {
	if s, ok := v.(string); ok && hashForm.MatchString(s) {
		return rotate(s)
	}
	return v
}

func otherAddress(v any) any {
	if s, ok := v.(string); ok && addressForm.MatchString(s) {
		return rotate(s)
	}
	return v
}

func otherNumber(v any) any {
	text, isText := v.(string)
	if n, ok := v.(json.Number); ok {
		text = n.String()
	} else if !isText {
		return v
	}
	if n, ok := new(big.Int).SetString(text, 10); ok && decimalForm.MatchString(text) {
		n.Add(n, big.NewInt(3))
		if isText {
			return n.String()
		}
		return json.Number(n.String())
	}
	return v
}

func otherBoolean(v any) any {
	if b, ok := v.(bool); ok {
		return !b
	}
	return v
}

// otherText changes words: names of types, statuses, directions.
func otherText(v any) any {
	if s, ok := v.(string); ok && len(s) < 40 && s != "" && !decimalForm.MatchString(s) {
		return "x" + s
	}
	return v
}

// otherCell changes a bag of cells to another one.
func otherCell(v any) any {
	if s, ok := v.(string); ok && strings.HasPrefix(s, "te6cc") {
		return "te6cckEBAQEABgAACAAAAAcIZGXb"
	}
	return v
}

func numberAsText(v any) any {
	switch t := v.(type) {
	case json.Number:
		return t.String() + " "
	case bool:
		return "true"
	}
	return v
}

func textAsNumber(v any) any {
	if s, ok := v.(string); ok {
		if decimalForm.MatchString(s) {
			return json.Number(strings.TrimLeft(s, "0") + "0")
		}
		return json.Number("7")
	}
	return v
}

func hexHash(v any) any {
	if s, ok := v.(string); ok && hashForm.MatchString(s) {
		return strings.ToLower(strings.Repeat("ab", 32))
	}
	return v
}

// lacking removes parameters of a request; only removes all others.
func lacking(names ...string) func(*http.Request) {
	return func(r *http.Request) {
		query := r.URL.Query()
		for _, name := range names {
			query.Del(name)
		}
		r.URL.RawQuery = query.Encode()
	}
}

func only(names ...string) func(*http.Request) {
	return func(r *http.Request) {
		query := r.URL.Query()
		for name := range query {
			if !slices.Contains(names, name) {
				query.Del(name)
			}
		}
		r.URL.RawQuery = query.Encode()
	}
}
