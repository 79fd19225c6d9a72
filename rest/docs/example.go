package docs

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// examplesFile has the values of parameters in examples: by name, by path and name, and the names of the objects that come from the
// index, as {{account}}. The collections in clients/postman are generated from it, too.
//
//go:embed examples.json
var examplesFile []byte

// examples are the contents of examplesFile.
type examples struct {
	Variables map[string]string         // what is used while the index has no such object
	Values    map[string]any            // by name of the parameter
	Requests  map[string]map[string]any // by path and name; such parameters are part of the example
	Notes     map[string]string         // by method and path: why the response is not the usual one
	found     map[string]string         // objects of the index, by the names of Variables
}

// loadExamples returns the examples with objects of the index.
func loadExamples(found map[string]string) (*examples, error) {
	e := &examples{found: found}
	if err := json.Unmarshal(examplesFile, e); err != nil {
		return nil, fmt.Errorf("examples: %w", err)
	}
	return e, nil
}

// of returns the value of a parameter, and whether the example has it although it is not required. The value is nil when there is
// none, or when the index has no such object.
func (e *examples) of(path, name string, s Object) (v any, chosen bool) {
	v, chosen = e.Requests[path][name]
	if !chosen {
		switch {
		case s.get("default") != nil:
			v = s.get("default")
		case len(s.list("enum")) > 0:
			v = s.list("enum")[0]
		default:
			v = e.Values[name]
		}
	}
	return e.fill(v), chosen
}

// fill replaces the names of objects in a value.
func (e *examples) fill(v any) any {
	switch v := v.(type) {
	case string:
		name, ok := strings.CutPrefix(v, "{{")
		if !ok {
			return v
		}
		name = strings.TrimSuffix(name, "}}")
		if object := e.found[name]; object != "" {
			return object
		}
		if object := e.Variables[name]; object != "" {
			return object
		}
		return nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = e.fill(v[i])
		}
		return list
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[name] = e.fill(member)
		}
		return members
	default:
		return v
	}
}

const (
	// examplesAge is how long objects are used before the index is read again.
	examplesAge = 15 * time.Second
	// examplesTimeout bounds a reading of the index.
	examplesTimeout = 2 * time.Second
)

// cached is what is made of objects of the index.
type cached[T any] struct {
	read  func(context.Context) (map[string]string, error) // nil: no objects
	build func(map[string]string) (T, error)

	mu    sync.Mutex // guards the rest
	built bool
	value T
	due   time.Time // when the index is read again
}

// get returns the value of objects that are at most some seconds old. While the index cannot be read, the objects of the last time
// stay in use. One request at a time reads; the others wait for it.
func (c *cached[T]) get(ctx context.Context) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.built && time.Now().Before(c.due) {
		return c.value, nil
	}
	var objects map[string]string
	if c.read != nil {
		// The value is for all requests, so it does not end with this one.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), examplesTimeout)
		defer cancel()
		var err error
		if objects, err = c.read(ctx); err != nil && c.built {
			c.due = time.Now().Add(examplesAge)
			return c.value, nil
		}
	}
	v, err := c.build(objects)
	if err == nil {
		c.value, c.built, c.due = v, true, time.Now().Add(examplesAge)
	}
	return v, err
}
