package v3_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	v3 "tonql/rest/v3"
)

// An empty value of a parameter is an error that names the parameter, for every parameter of every route.
func TestEmptyValue_IsRefusedByNameAtEveryRoute(t *testing.T) {
	t.Parallel()
	d := serve(t)
	parameters := 0
	for _, route := range v3.Routes() {
		if route.Method != http.MethodGet {
			continue
		}
		for _, name := range v3.ParametersRead(route) {
			parameters++
			require.Contains(t, d.refuse(route.Path+"?"+name+"=", http.StatusUnprocessableEntity), `"`+name+`"`, "%s %s", route.Path, name)
			require.Contains(t, d.refuse(route.Path+"?"+name, http.StatusUnprocessableEntity), `"`+name+`"`, "%s %s", route.Path, name)
		}
	}
	require.Greater(t, parameters, 150)
}
