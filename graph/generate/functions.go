package main

import (
	"fmt"
	"go/types"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
)

// functions are what our templates call.
func functions(waiting map[string]bool) template.FuncMap {
	return template.FuncMap{
		// waits says whether a field needs a goroutine of its own.
		"waits": func(f *codegen.Field) bool {
			if f.IsResolver {
				return waiting[resolverName(f.Object.Name, f.GoFieldName)]
			}
			return f.MethodHasContext
		},
		"valueOf":   valueOf,
		"appender":  appender,
		"shareable": shareable,
		"supported": supported,
	}
}

// valueOf is the expression that gives the value of a field.
func valueOf(f *codegen.Field) string {
	if f.IsResolver {
		return "ec.Resolvers." + f.ShortInvocation()
	}
	if f.IsMethod() {
		return fmt.Sprintf("%s.%s(%s)", f.GoReceiverName, f.GoFieldName, f.CallArgs())
	}
	return f.GoReceiverName + "." + f.GoFieldName
}

// supported refuses what no field of ours needs and the templates do not print.
func supported(f *codegen.Field) (string, error) {
	if f.IsBatch() || f.IsMap() || f.HasHaser || f.HasDirectives() || f.TypeReference.IsRoot {
		return "", fmt.Errorf("%s.%s: batch resolvers, maps, hasers, directives and roots within objects are not generated", f.Object.Name, f.Name)
	}
	return "", nil
}

// shareable says whether the arguments of a field may be read once for all rows: nobody can change a scalar.
func shareable(f *codegen.Field) bool {
	for _, a := range f.Args {
		if k := a.TypeReference.Definition.Kind; k != ast.Scalar && k != ast.Enum || a.TypeReference.IsSlice() {
			return false
		}
	}
	return true
}

const (
	libraryScalars = "github.com/99designs/gqlgen/graphql"
	runtimePackage = "tonql/graph/exec"
)

// appender names the function that prints what a function of scalars marshals: MarshalHash has AppendHash beside it, and
// the library's own have theirs in package exec. It is empty where there is none.
func appender(marshal *types.Func) string {
	name := "Append" + strings.TrimPrefix(marshal.Name(), "Marshal")
	if marshal.Pkg().Path() == libraryScalars {
		switch marshal.Name() {
		case "MarshalString", "MarshalID", "MarshalBoolean", "MarshalInt", "MarshalInt32", "MarshalInt64", "MarshalFloat":
			return templates.CurrentImports.Lookup(runtimePackage) + "." + name
		}
		return ""
	}
	if marshal.Pkg().Scope().Lookup(name) == nil {
		return ""
	}
	return templates.CurrentImports.Lookup(marshal.Pkg().Path()) + "." + name
}
