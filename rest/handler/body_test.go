package handler

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestReadJSON_VeryManyValuesAreNotDecoded(t *testing.T) {
	t.Parallel()
	read := func(list string) error {
		var v struct{ List []any }
		return ReadJSON("application/json", strings.NewReader(`{"list":[0`+list+`]}`), &v)
	}
	require.NoError(t, read(strings.Repeat(",0", maxBodyValues-3)))
	require.ErrorIs(t, read(strings.Repeat(",0", maxBodyValues)), errValues)
	require.ErrorIs(t, read(strings.Repeat(",{}", maxBodyValues/2)), errValues)
	require.NoError(t, read(`,"\"`+strings.Repeat(",[{", maxBodyValues)+`"`), "a text is one value")
	require.NoError(t, read(`,"\\",0,"`+strings.Repeat(",", maxBodyValues)+`"`), "an escaped backslash ends no text")
}

func TestReadJSON_AcceptsOnlyJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, contentType, body string
		want                    string // "" when it is refused
		refusal                 string
	}{
		{"plain", "application/json", `{"a":"x","other":1}`, "x", ""},
		{"with a charset", "application/json; charset=utf-8", `{"a":"x"}`, "x", ""},
		{"a kind of JSON", "application/problem+json", `{"a":"x"}`, "x", ""},
		{"form", "application/x-www-form-urlencoded", `a=x`, "", "Unprocessable Entity"},
		{"no content type", "", `{"a":"x"}`, "", "Unprocessable Entity"},
		{"malformed", "application/json", `{"a":`, "", "unexpected end of JSON input"},
		{"empty", "application/json", "", "", "unexpected end of JSON input"},
		{"wrong type", "application/json", `{"a":1}`, "", "a: expected a string, not a number"},
		{"no object", "application/json", `[]`, "", "expected an object, not an array"},
		{"too long", "application/json", `{"a":"` + strings.Repeat("x", 100) + `"}`, "", "the request body is longer than 64 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var v struct {
				A string `json:"a"`
			}
			body := http.MaxBytesReader(httptest.NewRecorder(), http.NoBody, 64)
			if c.body != "" {
				r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
				body = http.MaxBytesReader(httptest.NewRecorder(), r.Body, 64)
			}
			err := ReadJSON(c.contentType, body, &v)
			if c.refusal != "" {
				require.Equal(t, c.refusal, chain.PublicMessage(err))
				require.Equal(t, chain.Invalid, chain.KindOf(err))
				var large *http.MaxBytesError
				require.Equal(t, c.name == "too long", errors.As(err, &large))
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, v.A)
		})
	}
}
