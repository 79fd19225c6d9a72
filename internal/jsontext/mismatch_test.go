package jsontext

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type options struct {
	Actions bool `json:"with_actions"`
}

// Deeper is embedded by its pointer.
type Deeper struct{ options }

type entry struct {
	Bits   uint8   `json:"bits"`
	Number float64 `json:"number"`
}

type document struct {
	*Deeper

	List    []entry             `json:"list"`
	Names   []string            `json:"names"`
	Count   map[string]int      `json:"count"`
	Groups  map[string][]string `json:"groups"`
	Bytes   []byte              `json:"bytes"`
	Price   json.Number         `json:"price"`
	Seqno   *int64              `json:"seqno"`
	Text    textual             `json:"text"`
	Servers []int
}

type textual struct{ n int }

func (t *textual) UnmarshalText(text []byte) error { t.n = len(text); return nil }

// Values of another type are described in terms of JSON, with nothing of Go: neither types nor the names of embedded structs.
func TestMismatch_NamesTheMember(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 100)
	for text, want := range map[string]string{
		`[]`:                        "expected an object, not an array",
		`"x"`:                       "expected an object, not a string",
		`{"with_actions":1}`:        "with_actions: expected true or false, not a number",
		`{"list":{}}`:               "list: expected an array, not an object",
		`{"list":[5]}`:              "an element of list: expected an object, not a number",
		`{"list":[{"bits":300}]}`:   "list.bits: expected an unsigned integer of 8 bits, not 300",
		`{"list":[{"bits":-1}]}`:    "list.bits: expected an unsigned integer of 8 bits, not -1",
		`{"list":[{"number":"1"}]}`: "list.number: expected a number, not a string",
		`{"names":"a"}`:             "names: expected an array, not a string",
		`{"names":["a",5]}`:         "an element of names: expected a string, not a number",
		`{"count":{"k":"x"}}`:       "an element of count: expected an integer of 64 bits, not a string",
		`{"count":5}`:               "count: expected an object, not a number",
		`{"groups":{"a":[true]}}`:   "an element of groups: expected a string, not true or false",
		`{"bytes":5}`:               "bytes: expected a string, not a number",
		`{"seqno":1.5}`:             "seqno: expected an integer of 64 bits, not 1.5",
		`{"seqno":` + long + `}`:    "seqno: expected an integer of 64 bits, not " + long[:40] + "…",
		`{"price":true}`:            "price: expected a number, not true or false",
		`{"text":5}`:                "text: expected a string, not a number",
		`{"Servers":true}`:          "Servers: expected an array, not true or false",
	} {
		var into document
		var mismatch *json.UnmarshalTypeError
		require.ErrorAs(t, json.Unmarshal([]byte(text), &into), &mismatch, text)
		require.Equal(t, want, Mismatch(mismatch, &into), text)
	}
	var list []int
	var mismatch *json.UnmarshalTypeError
	require.ErrorAs(t, json.Unmarshal([]byte(`["a"]`), &list), &mismatch)
	require.Equal(t, "an element: expected an integer of 64 bits, not a string", Mismatch(mismatch, &list))
}
