package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// waitingResolvers finds the resolvers that use their context, by object and field: "account.State". One that does not
// has nothing to wait for, so it needs no goroutine. Those that are not written yet are not among them.
func waitingResolvers(folder string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.resolvers.go"))
	if err != nil {
		return nil, fmt.Errorf("resolvers: %w", err)
	}
	waiting := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, fmt.Errorf("resolvers: %w", err)
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && usesContext(f) {
				waiting[resolverName(receiver(f), f.Name.Name)] = true
			}
		}
	}
	return waiting, nil
}

func resolverName(object, field string) string {
	return strings.ToLower(strings.TrimSuffix(object, "Resolver")) + "." + field
}

func receiver(f *ast.FuncDecl) string {
	star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	name, ok := star.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return name.Name
}

func usesContext(f *ast.FuncDecl) (used bool) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		used = used || ok && name.Name == "ctx"
		return !used
	})
	return used
}
