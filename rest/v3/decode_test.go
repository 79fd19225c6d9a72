package v3_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	v3 "tonql/rest/v3"
)

// post sends a POST request with a JSON body.
func (d *testClient) post(path, contentType, body string) *httptest.ResponseRecorder {
	d.t.Helper()
	r := httptest.NewRequest(http.MethodPost, v3.Prefix+path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	require.True(d.t, json.Valid(w.Body.Bytes()), w.Body)
	fits(d.t, http.MethodPost, path, w.Code, w.Body.Bytes())
	return w
}

// Results have the order and number of the values sent, with GET and with POST.
func TestDecode_KeepsTheOrderOfValues(t *testing.T) {
	t.Parallel()
	d := serve(t)
	comment := cell.BeginCell().MustStoreUInt(0, 32).MustStoreStringSnake("hi").EndCell().ToBOC()
	empty := cell.BeginCell().EndCell().ToBOC()
	bodies := []string{base64.StdEncoding.EncodeToString(comment), hex.EncodeToString(empty), "zz"}
	opcodes := []string{"0x0f8a7ea5", "123", "4294967295", "-1", "1", "0x12345678"}
	const want = `{"opcodes":["jetton_transfer","unknown","bounce","bounce","evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin","unknown"],` +
		`"bodies":[{"@type":"text_comment","text":"hi"},{"@type":"empty_cell"},{"error":"unknown: failed to decode hex: encoding/hex: invalid byte: U+007A 'z'"}]}`

	query := url.Values{"opcodes": opcodes, "bodies": bodies}.Encode()
	w := d.do("/decode?" + query)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, want, w.Body.String()) //nolint:testifylint // the order of members counts
	request, err := json.Marshal(map[string][]string{"opcodes": opcodes, "bodies": bodies})
	require.NoError(t, err)
	w = d.post("/decode", "application/json", string(request))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, want, w.Body.String()) //nolint:testifylint // the order of members counts
	// Responses are not cached by path alone.
	require.JSONEq(t, `{"opcodes":["excess"],"bodies":[]}`, d.post("/decode", "application/json", `{"opcodes":["d53276db"]}`).Body.String())

	for _, nothing := range []string{d.do("/decode").Body.String(), d.post("/decode", "application/json", "{}").Body.String()} {
		require.JSONEq(t, `{"opcodes":[],"bodies":[]}`, nothing)
	}
	// Values are not split at commas.
	require.Contains(t, d.refuse("/decode?opcodes=1,2", http.StatusUnprocessableEntity), "invalid opcode format at index 0: 1,2")
}

func TestDecode_InvalidValuesAreRejected(t *testing.T) {
	t.Parallel()
	d := serve(t)
	require.Equal(t, "invalid opcode format at index 1: xyz", d.refuse("/decode?opcodes=1&opcodes=xyz", http.StatusUnprocessableEntity))
	require.Equal(t, "opcodes list exceeds maximum length of 1000",
		d.refuse("/decode?"+strings.Repeat("opcodes=1&", 1001), http.StatusUnprocessableEntity))
	require.Equal(t, "bodies list exceeds maximum length of 1000",
		d.refuse("/decode?"+strings.Repeat("bodies=00&", 1001), http.StatusUnprocessableEntity))
	require.Equal(t, http.StatusOK, d.do("/decode?"+strings.Repeat("opcodes=1&bodies=00&", 1000)).Code)
	for _, c := range []struct{ contentType, body, text string }{
		{"application/json", `{"opcodes":`, "unexpected end of JSON input"},
		{"text/plain", `{}`, "Unprocessable Entity"},
		{"application/json", `{"opcodes":["xyz"]}`, "invalid opcode format at index 0: xyz"},
	} {
		w := d.post("/decode", c.contentType, c.body)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code)
		var response struct{ Error string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &response))
		require.Equal(t, c.text, response.Error)
	}
}

// Messages have the name of the opcode and the decoded body.
func TestMessages_OpcodeAndBodyAreDecoded(t *testing.T) {
	t.Parallel()
	d := serve(t)
	row := d.get("/messages?limit=1&opcode=0x0f8a7ea5")["messages"].([]any)[0].(map[string]any)
	require.Equal(t, "jetton_transfer", row["decoded_opcode"])
	require.Nil(t, row["message_content"].(map[string]any)["decoded"], "a name without a decoded body")
}
