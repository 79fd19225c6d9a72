package exec

import "context"

type nullDefaultsKey struct{}

// WithNullDefaults returns a context in which runs give an argument that is null the default of the schema, as one that is omitted. Without
// it, resolvers receive null, as in the executor of gqlgen.
func WithNullDefaults(ctx context.Context) context.Context {
	return context.WithValue(ctx, nullDefaultsKey{}, true)
}

// argumentMap returns the arguments of a field by name.
func (f *Field) argumentMap(r *Run) map[string]any {
	m := f.ArgumentMap(r.op.Variables)
	if !r.nullDefaults {
		return m
	}
	for _, def := range f.Definition.Arguments {
		if v, given := m[def.Name]; given && v == nil && def.DefaultValue != nil {
			if value, err := def.DefaultValue.Value(nil); err == nil {
				m[def.Name] = value
			}
		}
	}
	return m
}
