package exec

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"
)

// CheckExtension returns an error that names the extension if it intercepts fields or root fields. This executor has no
// hook for either, so such an extension would never be called.
func CheckExtension(e graphql.HandlerExtension) error {
	var hook string
	switch e.(type) {
	case graphql.FieldInterceptor:
		hook = "FieldInterceptor"
	case graphql.RootFieldInterceptor:
		hook = "RootFieldInterceptor"
	default:
		return nil
	}
	return fmt.Errorf("extension %s implements %s, which the executor does not support: intercept operations or responses instead",
		e.ExtensionName(), hook)
}
