package house

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/logs"
)

// logMethods are the methods of a logger with the number of arguments before the message.
var logMethods = map[string]int{
	"Debug": 0, "Info": 0, "Warn": 0, "Error": 0,
	"DebugContext": 1, "InfoContext": 1, "WarnContext": 1, "ErrorContext": 1,
	"Log": 2, "LogAttrs": 2,
	"log": 1, // of a liteserver in internal/node
}

var (
	loggerName = regexp.MustCompile(`^(log|logger|slog|Log|Logger)$`)
	logMessage = regexp.MustCompile(`^([a-z]|PostgreSQL |LISTEN )`)
	attrMakers = []string{"String", "Int", "Int64", "Uint64", "Float64", "Bool", "Time", "Duration", "Any"}
)

// logCalls visits the calls of loggers in the product.
func logCalls(t *testing.T, visit func(where string, fn *ast.FuncDecl, call *ast.CallExpr, method string)) {
	t.Helper()
	for _, f := range folders(t) {
		for _, file := range f.files {
			if file.isTest() || f.path == "internal/logs" || strings.HasPrefix(f.path, "internal/tools") {
				continue
			}
			for _, d := range file.syntax.Decls {
				fn, _ := d.(*ast.FuncDecl)
				ast.Inspect(d, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					if method, ok := loggerCall(call); ok {
						visit(f.path+"/"+file.name+":"+strconv.Itoa(file.fset.Position(call.Pos()).Line), fn, call, method)
					}
					return true
				})
			}
		}
	}
}

// loggerCall returns the method of a call of a logger.
func loggerCall(call *ast.CallExpr) (string, bool) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	name := selector.Sel.Name
	before, ok := logMethods[name]
	if !ok || len(call.Args) <= before {
		return "", false
	}
	switch on := selector.X.(type) {
	case *ast.Ident:
		return name, loggerName.MatchString(on.Name) && name != "log" || name == "log" && literal(call.Args[before]) != ""
	case *ast.SelectorExpr:
		return name, loggerName.MatchString(on.Sel.Name)
	case *ast.CallExpr: // slog.Default(), logger.With(…)
		return name, true
	}
	return "", false
}

// literal returns the value of a string constant in the source, "" for other expressions.
func literal(e ast.Expr) string {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(l.Value)
	if err != nil {
		return ""
	}
	return text
}

// Every log line of the module uses the names of internal/logs, and "err" for errors. Messages are constants that begin in lower case.
func TestLogs_UseTheNamesOfTheSchema(t *testing.T) {
	t.Parallel()
	var names []string
	for _, a := range logs.Attributes() {
		names = append(names, a.Name)
	}
	require.True(t, slices.IsSorted(names), "attributes are listed in alphabetical order")
	used := map[string]bool{"library": true, "lines_skipped": true, "request_id": true}
	var wrong problems
	name := func(where string, e ast.Expr) {
		key := literal(e)
		switch {
		case key == "":
			wrong.addf("%s: the name of an attribute is a string literal", where)
		case !slices.Contains(names, key):
			wrong.addf("%s: %q is no attribute of internal/logs", where, key)
		}
		used[key] = true
	}
	calls := 0
	logCalls(t, func(where string, fn *ast.FuncDecl, call *ast.CallExpr, method string) {
		calls++
		before := logMethods[method]
		if message := literal(call.Args[before]); message != "" {
			if !logMessage.MatchString(message) || strings.HasSuffix(message, ".") {
				wrong.addf("%s: message %q: write a fragment in lower case", where, message)
			}
		} else if _, constant := call.Args[before].(*ast.SelectorExpr); !constant && where[:strings.LastIndexByte(where, ':')] != "internal/node/server.go" {
			wrong.addf("%s: the message is a constant, because lines are counted by it", where)
		}
		if method == "LogAttrs" || call.Ellipsis.IsValid() {
			attributesIn(fn, func(e ast.Expr) { name(where, e) })
			return
		}
		args := call.Args[before+1:]
		for i := 0; i < len(args); i += 2 {
			name(where, args[i])
			if i+1 == len(args) {
				wrong.addf("%s: an attribute lacks its value", where)
				continue
			}
			if id, ok := args[i+1].(*ast.Ident); ok && (id.Name == "err" || id.Name == "cause") && literal(args[i]) != "err" {
				wrong.addf("%s: the name of an error is err", where)
			}
		}
	})
	// Attributes of a logger for a component.
	for _, f := range folders(t) {
		for _, file := range f.files {
			if file.isTest() {
				continue
			}
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				selector, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || selector.Sel.Name != "With" || len(call.Args) == 0 {
					return true
				}
				on, isSelector := selector.X.(*ast.SelectorExpr)
				id, isIdent := selector.X.(*ast.Ident)
				if isSelector && loggerName.MatchString(on.Sel.Name) || isIdent && loggerName.MatchString(id.Name) {
					name(f.path+"/"+file.name, call.Args[0])
				}
				return true
			})
		}
	}
	require.Greater(t, calls, 80, "calls of loggers")
	for _, n := range names {
		if !used[n] {
			wrong.addf("no log line uses the attribute %q", n)
		}
	}
	wrong.require(t)
}

// attributesIn visits the names of attributes that a function collects before it logs: slog.String(name, …), []any{name, …}
// and append(args, name, …).
func attributesIn(fn *ast.FuncDecl, visit func(ast.Expr)) {
	pairs := func(args []ast.Expr) {
		for i := 0; i < len(args); i += 2 {
			visit(args[i])
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if array, ok := n.Type.(*ast.ArrayType); ok {
				if of, ok := array.Elt.(*ast.Ident); ok && of.Name == "any" {
					pairs(n.Elts)
				}
			}
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				if fun.Name == "append" && len(n.Args) > 2 {
					pairs(n.Args[1:])
				}
			case *ast.SelectorExpr:
				if on, ok := fun.X.(*ast.Ident); ok && on.Name == "slog" && slices.Contains(attrMakers, fun.Sel.Name) {
					visit(n.Args[0])
				}
			}
		}
		return true
	})
}
