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

// functions are the functions that the templates of the executor call.
func functions() template.FuncMap {
	return template.FuncMap{
		"waits":     waits,
		"valueOf":   valueOf,
		"appender":  appender,
		"shareable": shareable,
		"supported": supported,
	}
}

// waits reports whether the executor resolves a field in a goroutine, because its resolver or method may wait for I/O. A
// resolver may, unless the schema marks its field with @goField(inline: true); a method may if it takes a context.
func waits(f *codegen.Field) bool {
	if f.IsResolver {
		return !inline(f.FieldDefinition)
	}
	return f.MethodHasContext
}

// inline reports whether the schema marks a field with @goField(inline: true).
func inline(f *ast.FieldDefinition) bool {
	d := f.Directives.ForName("goField")
	if d == nil {
		return false
	}
	argument := d.Arguments.ForName("inline")
	return argument != nil && argument.Value.Raw == "true"
}

// valueOf returns the Go expression for the value of a field.
func valueOf(f *codegen.Field) string {
	if f.IsResolver {
		return "ec.Resolvers." + f.ShortInvocation()
	}
	if f.IsMethod() {
		return fmt.Sprintf("%s.%s(%s)", f.GoReceiverName, f.GoFieldName, f.CallArgs())
	}
	return f.GoReceiverName + "." + f.GoFieldName
}

// supported fails for a field that needs a feature of gqlgen which the templates do not implement.
func supported(f *codegen.Field) (string, error) {
	if f.IsBatch() || f.IsMap() || f.HasHaser || f.HasDirectives() || f.TypeReference.IsRoot {
		return "", fmt.Errorf("%s.%s: this executor does not implement batch resolvers, maps, hasers, executable directives and "+
			"root types within objects", f.Object.Name, f.Name)
	}
	return "", nil
}

// shareable reports whether all rows can share the arguments of a field, once they are parsed. Scalars and enums can,
// because no resolver can modify them.
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

// appender returns the name of the Append function that writes the same text as a Marshal function of a scalar, without
// an allocation: AppendHash for MarshalHash of the same package, and a function of package exec for the scalars of gqlgen.
// It returns "" where there is none.
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
